import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const imports = files.flatMap((file) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, to = '']) => ({
    file,
    folder: file.includes('/') ? file.split('/')[0] : 'top',
    to: to.startsWith('.') ? normalize(join(dirname(file), to)) : to,
  })),
)
const features = ['calls', 'setup', 'agents', 'billing', 'home', 'lifecycle']
const folderOf = (to: string) => to.split('/')[0] ?? ''

it('sees the imports', () => {
  expect(imports.length).toBeGreaterThan(100)
})

it.each([
  [
    'a feature imports no other feature',
    features,
    (to: string, own: string) => features.includes(folderOf(to)) && folderOf(to) !== own,
  ],
  [
    'telephony, store, time and jobs know nothing of Slack',
    ['telephony', 'store', 'time', 'jobs'],
    (to: string) => /^(slack\/|@slack\/)/.test(to),
  ],
  [
    'telephony, store, time, jobs and slack import no feature',
    ['telephony', 'store', 'time', 'jobs', 'slack'],
    (to: string) => features.includes(folderOf(to)),
  ],
  [
    'nothing but the sandbox and the playground imports them',
    ['top', 'slack', 'telephony', 'store', 'time', 'jobs', ...features],
    (to: string) => /^(sandbox|playground)\//.test(to),
  ],
])('%s', (_rule, folders, isWrong) => {
  const wrong = imports.filter(
    ({ folder, to }) => folders.includes(folder ?? '') && isWrong(to, folder ?? ''),
  )
  expect(wrong).toEqual([])
})

it('the page runs in a browser: it takes from the rest what has no code in it', () => {
  const page = readdirSync('src/playground/page', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const outside = page.flatMap((file) =>
    [...readFileSync(join('src/playground/page', file), 'utf8').matchAll(/^import (.*) from '(\.[^']+)'/gm)]
      .filter(([, , to = '']) => normalize(join(dirname(file), to)).startsWith('..'))
      .map(
        ([, what = '', to = '']) =>
          `${what.startsWith('type ') ? 'type' : 'code'} ${normalize(join(dirname(file), to))}`,
      ),
  )
  expect(page.length).toBeGreaterThan(20)
  expect(new Set(outside)).toEqual(new Set(['type ../api-types.ts']))
})

it('reads the environment in one place', () => {
  const readers = files.filter((file) => readFileSync(join('src', file), 'utf8').includes('process.env'))
  expect(readers).toEqual(['main.ts'])
})
