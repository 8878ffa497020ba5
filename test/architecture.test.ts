import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

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
  alerts: ['subscriptions'],
  billing: ['subscriptions'],
  calls: ['alerts'],
  setup: ['access'],
}
const importsAllFeatures = ['home']

function isFeatureArrow(from: string, to: string): boolean {
  const [, importer = ''] = /^features\/(.+)/.exec(from) ?? []
  const [, imported = ''] = /^features\/(.+)/.exec(to) ?? []
  if (importer === '' || imported === '' || importsAllFeatures.includes(imported)) return false
  return importsAllFeatures.includes(importer) || (featureArrows[importer] ?? []).includes(imported)
}

/** Ids and schemas of a feature's buttons: every module may show them. */
const isActionsFile = (file: string) => /^src\/features\/[\w-]+\/actions\.ts$/.test(file)

const getLayer = (module: string) => layers.findIndex((modules) => modules.includes(module))

const isIn = (folders: string, file: string) => new RegExp(`^(${folders})/`).test(file)

/** An import upwards, or across features without an arrow. */
function isAgainstLayers({ from, to }: Import): boolean {
  const importer = getModule(from)
  const imported = getModule(to)
  if (!isIn('src', to) || importer === imported || isActionsFile(to)) return false
  return getLayer(importer) >= getLayer(imported) && !isFeatureArrow(importer, imported)
}

const isServicesValue = ({ from, to, isType }: Import) =>
  isIn('src/features', from) && to === 'src/services.ts' && !isType

it.each<[what: string, isWrong: (one: Import) => boolean]>([
  ['a higher layer, or a feature without an arrow', isAgainstLayers],
  ['a feature into the actions of one', ({ from, to }) => isActionsFile(from) && isIn('src/features', to)],
  ['dev or test', ({ to }) => isIn('dev|test', to)],
  [
    "Slack's packages where Slack isn't known",
    ({ from, to }) => isIn('src/(telephony|store|jobs|time|http|util)', from) && to.startsWith('@slack/'),
  ],
  ['the services into a feature, except their type', isServicesValue],
  [
    'app code before the process is prepared',
    ({ from, to }) => from === 'src/main.ts' && !to.startsWith('node:'),
  ],
])('src never imports %s', (_, isWrong) => {
  expect(imports.length).toBeGreaterThan(300)
  expect(imports.filter(isWrong)).toEqual([])
})

it('every module has a layer', () => {
  const modules = new Set(files.map(getModule))
  expect(modules.size).toBeGreaterThan(15)
  expect([...modules].filter((module) => getLayer(module) === -1)).toEqual([])
  expect(files.filter(isActionsFile).length).toBeGreaterThan(2)
})

it('src reads the environment in one place', () => {
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('process.env'))).toEqual(['src/main.ts'])
})

it('src declares each top-level name once', () => {
  const declaration =
    /^(?:export )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
  const places = new Map<string, Set<string>>()
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(declaration))
      places.set(name, new Set([...(places.get(name) ?? []), file]))
  expect(places.size).toBeGreaterThan(1000)
  expect([...places].filter(([, found]) => found.size > 1)).toEqual([])
})

it('src and dev have no file over 400 lines', () => {
  const countLines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
  expect([...files, ...listSources('dev')].filter((file) => countLines(file) > 400)).toEqual([])
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
