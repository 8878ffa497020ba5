import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const sourcesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => normalize(join(folder, file)).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export) ([^'";]*?)from '([^']+)'/gm)
  return [...statements].map(([, names = '', to = '']) => ({
    from: file,
    to: to.startsWith('.') ? normalize(join(dirname(file), to)).replaceAll('\\', '/') : to,
    isType: names.startsWith('type '),
  }))
}

const files = sourcesUnder('src')
const imports = files.flatMap(importsOf)

/**
 * From the top down: a file imports from its own room and from those below it. A room is a folder of `src`; `slack` and
 * `features` are made of several. The files that stand by themselves in `src` are rooms too.
 */
const layers: readonly (readonly string[])[] = [
  ['main'],
  ['server'],
  ['app'],
  readdirSync('src/features').map((name) => `features/${name}`),
  ['services'],
  ['slack/routing'],
  ['slack/deliver'],
  ['slack/forms'],
  ['slack/inbound', 'slack/access'],
  ['slack/api'],
  ['slack/blocks'],
  ['jobs', 'metrics'],
  ['http'],
  ['grammar'],
  ['store', 'telephony'],
  ['log', 'time'],
  ['config'],
  ['util'],
]

function roomOf(file: string): string {
  const [, first = '', second = ''] = file.split('/')
  if (!file.slice('src/'.length).includes('/')) return first.replace(/\.ts$/, '')
  return first === 'slack' || first === 'features' ? `${first}/${second}` : first
}

/** Features import each other only along these arrows. */
const featureArrows: Readonly<Record<string, readonly string[]>> = {
  reports: ['calls', 'subscriptions'],
  export: ['calls'],
  agents: ['calls'],
  lines: ['calls'],
  alerts: ['calls', 'subscriptions'],
  billing: ['subscriptions'],
  setup: ['alerts', 'lines', 'calls'],
}
const importsAllFeatures = ['home', 'slackbot']

function isFeatureArrow(from: string, to: string): boolean {
  const [, importer = ''] = /^features\/(.+)/.exec(from) ?? []
  const [, imported = ''] = /^features\/(.+)/.exec(to) ?? []
  if (importer === '' || imported === '' || importsAllFeatures.includes(imported)) return false
  return importsAllFeatures.includes(importer) || (featureArrows[importer] ?? []).includes(imported)
}

const floorOf = (room: string) => layers.findIndex((rooms) => rooms.includes(room))

describe('src', () => {
  it('has a place for every room', () => {
    const rooms = new Set(files.map(roomOf))
    expect(rooms.size).toBeGreaterThan(15)
    expect([...rooms].filter((room) => floorOf(room) === -1)).toEqual([])
    expect(readdirSync('src').filter((name) => statSync(join('src', name)).isDirectory())).not.toContain(
      'dev',
    )
  })

  it('imports downwards only, and between features only along named arrows', () => {
    const own = imports.filter(({ to }) => to.startsWith('src/'))
    const wrong = own.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)]
      return room !== other && floorOf(room) >= floorOf(other) && !isFeatureArrow(room, other)
    })
    expect(own.length).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  })

  it('imports nothing of dev and nothing of the tests', () => {
    expect(imports.filter(({ to }) => /^(dev|test)\//.test(to))).toEqual([])
  })

  it('takes no code of Slack into what knows nothing of Slack', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^src\/(grammar|telephony|store|jobs|time|http|util)\//.test(from) && to.startsWith('@slack/'),
    )
    expect(wrong).toEqual([])
  })

  it('gives a feature the type of the services, never the services', () => {
    const wrong = imports.filter(({ from, to, isType }) => {
      return from.startsWith('src/features/') && to === 'src/services.ts' && !isType
    })
    expect(wrong).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
    expect(readers).toEqual(['src/main.ts'])
  })

  it('imports nothing of the app before the process is prepared', () => {
    const own = imports.filter(({ from, to }) => from === 'src/main.ts' && !to.startsWith('node:'))
    expect(own).toEqual([])
  })

  it('declares each top-level name once', () => {
    const declaration =
      /^(?:export )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
    const places = files.flatMap((file) =>
      [...new Set([...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name = '']) => name))].map(
        (name) => ({ name, file }),
      ),
    )
    const repeated = [...Map.groupBy(places, ({ name }) => name)].filter(([, found]) => found.length > 1)
    expect(repeated.map(([name, found]) => [name, ...found.map(({ file }) => file)])).toEqual([])
  })

  it('has files that are read in one go', () => {
    const lines = [...files, ...sourcesUnder('dev')].map((file) => ({
      file,
      lines: readFileSync(file, 'utf8').split('\n').length - 1,
    }))
    expect(lines.filter((one) => one.lines > 400)).toEqual([])
  })
})

/** Every file that can be reached from itself, with the way. */
function circles(all: readonly Import[]): string[][] {
  const next = Map.groupBy(all, ({ from }) => from)
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file)
    if (at !== -1) found.push([...path.slice(at), file])
    if (at !== -1 || done.has(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return found
}

it('no file of src or dev comes back to itself', () => {
  const own = [...files, ...sourcesUnder('dev')]
    .flatMap(importsOf)
    .filter(({ to }) => /^(src|dev)\//.test(to))
  expect(circles([...own, { from: 'src/a.ts', to: 'src/a.ts', isType: false }])).toEqual([
    ['src/a.ts', 'src/a.ts'],
  ])
})

it('the page runs in a browser: it takes from the rest what has no code in it', () => {
  const page = sourcesUnder('dev/demo/page')
  const outside = page
    .flatMap(importsOf)
    .filter(({ to }) => /^(src|dev)\//.test(to) && !to.startsWith('dev/demo/page/'))
    .map(({ to, isType }) => `${isType ? 'type' : 'code'} ${to}`)
  expect(page.length).toBeGreaterThan(20)
  expect(new Set(outside)).toEqual(new Set(['type dev/demo/api-types.ts']))
})
