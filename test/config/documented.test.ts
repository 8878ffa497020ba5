import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variableNames } from '../../src/config/config.ts'

const namesIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort()
const read = [...variableNames].sort()

it('.env.example names every variable that is read, and no other', () => {
  expect(namesIn(readFileSync('.env.example', 'utf8'), /^#?([A-Z_]+)=/gm)).toEqual(read)
})

it('the table for operators names every variable that is read, and no other', () => {
  const [, table = ''] = readFileSync('docs/operate.md', 'utf8').split('| variable | meaning | default |')
  expect(namesIn(table.split('\n\n')[0] ?? '', /`([A-Z]+(?:_[A-Z]+)*)`/g)).toEqual(read)
})
