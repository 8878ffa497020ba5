import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const listSources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => normalize(join(folder, file)).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))

function readImports(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export) ([^'";]*?)from '([^']+)'/gm)
  return [...statements].map(([, names = '', to = '']) => ({
    from: file,
    to: to.startsWith('.') ? normalize(join(dirname(file), to)).replaceAll('\\', '/') : to,
    isType: names.startsWith('type '),
  }))
}

const files = listSources('src')
const imports = files.flatMap(readImports)

/**
 * Modules from top to bottom: a file imports from its own module and from lower layers. A module is a folder of `src`, a
 * subfolder of `slack` or `features`, or a file directly in `src`.
 */
const layers: readonly (readonly string[])[] = [
  ['main'],
  ['server'],
  ['app'],
  readdirSync('src/features').map((name) => `features/${name}`),
  ['query'],
  ['services'],
  ['slack/routing'],
  ['slack/deliver'],
  ['slack/forms'],
  ['slack/inbound', 'slack/access'],
  ['slack/api'],
  ['slack/blocks'],
  ['jobs', 'metrics'],
  ['http'],
  ['store', 'telephony'],
  ['log', 'time'],
  ['config'],
  ['util'],
]

function getModule(file: string): string {
  const [, first = '', second = ''] = file.split('/')
  if (!file.slice('src/'.length).includes('/')) return first.replace(/\.ts$/, '')
  return first === 'slack' || first === 'features' ? `${first}/${second}` : first
}

/** Features import each other only along these arrows, besides each other's actions. */
const featureArrows: Readonly<Record<string, readonly string[]>> = {
  reports: ['calls', 'subscriptions'],
  agents: ['calls'],
  alerts: ['calls', 'subscriptions'],
  billing: ['subscriptions'],
  setup: ['access'],
}
const importsAllFeatures = ['home', 'slackbot']

function isFeatureArrow(from: string, to: string): boolean {
  const [, importer = ''] = /^features\/(.+)/.exec(from) ?? []
  const [, imported = ''] = /^features\/(.+)/.exec(to) ?? []
  if (importer === '' || imported === '' || importsAllFeatures.includes(imported)) return false
  return importsAllFeatures.includes(importer) || (featureArrows[importer] ?? []).includes(imported)
}

/** Ids and schemas of a feature's buttons: every module may show them. */
const isActionsFile = (file: string) => /^src\/features\/[\w-]+\/actions\.ts$/.test(file)

const getLayer = (module: string) => layers.findIndex((modules) => modules.includes(module))

describe('src', () => {
  it('assigns a layer to every module', () => {
    const modules = new Set(files.map(getModule))
    expect(modules.size).toBeGreaterThan(15)
    expect([...modules].filter((module) => getLayer(module) === -1)).toEqual([])
    expect(readdirSync('src').filter((name) => statSync(join('src', name)).isDirectory())).not.toContain(
      'dev',
    )
  })

  it('imports only lower layers, and other features only along the listed arrows', () => {
    const own = imports.filter(({ to }) => to.startsWith('src/'))
    const wrong = own.filter(({ from, to }) => {
      const [module, other] = [getModule(from), getModule(to)]
      return (
        module !== other &&
        !isActionsFile(to) &&
        getLayer(module) >= getLayer(other) &&
        !isFeatureArrow(module, other)
      )
    })
    expect(own.length).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  })

  it('declares actions without importing a feature', () => {
    const wrong = imports.filter(({ from, to }) => isActionsFile(from) && to.startsWith('src/features/'))
    expect(files.filter(isActionsFile).length).toBeGreaterThan(2)
    expect(wrong).toEqual([])
  })

  it("doesn't import dev or test", () => {
    expect(imports.filter(({ to }) => /^(dev|test)\//.test(to))).toEqual([])
  })

  it("keeps Slack packages out of modules that don't know Slack", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^src\/(telephony|store|jobs|time|http|util)\//.test(from) && to.startsWith('@slack/'),
    )
    expect(wrong).toEqual([])
  })

  it('lets features import only the type of the services', () => {
    const wrong = imports.filter(({ from, to, isType }) => {
      return from.startsWith('src/features/') && to === 'src/services.ts' && !isType
    })
    expect(wrong).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
    expect(readers).toEqual(['src/main.ts'])
  })

  it('imports no app code before the process is prepared', () => {
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

  it('has no file over 400 lines', () => {
    const lines = [...files, ...listSources('dev')].map((file) => ({
      file,
      lines: readFileSync(file, 'utf8').split('\n').length - 1,
    }))
    expect(lines.filter((one) => one.lines > 400)).toEqual([])
  })
})

/** Finds import cycles, each as a path from a file back to itself. */
function findCycles(all: readonly Import[]): string[][] {
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

it('src and dev have no import cycles', () => {
  const own = [...files, ...listSources('dev')]
    .flatMap(readImports)
    .filter(({ to }) => /^(src|dev)\//.test(to))
  expect(findCycles([...own, { from: 'src/a.ts', to: 'src/a.ts', isType: false }])).toEqual([
    ['src/a.ts', 'src/a.ts'],
  ])
})

it('the demo page imports only types from outside its folder, because it runs in a browser', () => {
  const page = listSources('dev/demo/page')
  const outside = page
    .flatMap(readImports)
    .filter(({ to }) => /^(src|dev)\//.test(to) && !to.startsWith('dev/demo/page/'))
    .map(({ to, isType }) => `${isType ? 'type' : 'code'} ${to}`)
  expect(page.length).toBeGreaterThan(15)
  expect(new Set(outside)).toEqual(new Set(['type dev/demo/api-types.ts']))
})
