import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Unused modules: Bolt's receivers, their body parser, OAuth state in a JWT, undici's HTTP/2 and experimental parser. */
const unusedModules: Plugin = {
  name: 'unused-modules',
  load: {
    filter: {
      id: /@slack[\\/]bolt[\\/]dist[\\/]receivers[\\/](AwsLambda|Express|HTTP|SocketMode)Receiver\.js$|node_modules[\\/](raw-body|jsonwebtoken|undici[\\/]lib[\\/]milo)[\\/]|undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
    },
    handler: () => 'exports.default = class {}',
  },
}

/** Bundles only undici's `Agent`. Its index also loads fetch, WebSocket and caches. */
const onlyAgent: Plugin = {
  name: 'only-agent',
  resolveId: {
    filter: { id: /^undici$/ },
    handler: (_, importer) => (importer?.includes('send-request') ? '\0undici-agent' : null),
  },
  load: {
    filter: { id: /^\0undici-agent$/ },
    handler: () => `export { default as Agent } from 'undici/lib/dispatcher/agent.js'`,
  },
}

/** date-fns-tz tries whether the runtime knows `hourCycle`, as Node does. The try loads the data of locales at the start. */
const knownHourCycle: Plugin = {
  name: 'known-hour-cycle',
  load: {
    filter: { id: /date-fns-tz[\\/].*tzTokenizeDate/ },
    handler(id) {
      const code = readFileSync(id, 'utf8')
      const known = code.replace(/const testDate.*?const (hourCycleSupported) =.*?;/s, 'const $1 = true;')
      if (known === code) throw new Error('date-fns-tz has no test of hourCycle any more')
      return known
    },
  },
}

/** Gets these modules without an import statement, which would read all exports and load streams, workers and Node's own undici. */
const builtInModules: Plugin = {
  name: 'built-in-modules',
  resolveId: {
    filter: { id: /^(node:)?(crypto|fs|http|util)$/ },
    handler: (id) => `\0${id.replace(/^(node:)?/, 'node:')}`,
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = process.getBuiltinModule('${id.slice(1)}')`,
  },
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Keeps all code that is loaded at the start in one file, including code shared with later chunks. */
function startChunk() {
  const started = new Set<string>()
  const add = (id: string, modules: Modules) => {
    if (started.has(id)) return
    started.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported, modules)
  }
  return (id: string, modules: Modules) => {
    if (started.size === 0) add(join(root, 'src/server.ts'), modules)
    return started.has(id) ? 'server' : null
  }
}

/** The commit of the build. Heroku's build has no repository, but this variable. */
function commit(): string {
  const { SOURCE_VERSION: version } = process.env
  if (version) return version.slice(0, 7)
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** Returns the folder of the package that contains a module. */
function getPackageFolder(id: string): string | undefined {
  const place = id.lastIndexOf(`node_modules${sep}`)
  if (place === -1) return undefined
  const [scopeOrName = '', name = ''] = id.slice(place).split(sep).slice(1)
  const folder = scopeOrName.startsWith('@') ? join(scopeOrName, name) : scopeOrName
  return join(id.slice(0, place), 'node_modules', folder)
}

function readLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** Keeps the first place of each line of a source: the app parses a map for the first stack trace, in a quarter of the time. */
function keepLines(mappings: string): string {
  const kept = decode(mappings).map((segments) =>
    segments.filter(([, source, line], index) => {
      const [, sourceBefore, lineBefore] = segments[index - 1] ?? []
      return index === 0 || source !== sourceBefore || line !== lineBefore
    }),
  )
  return encode(kept)
}

/**
 * Bundles src/main.ts with its dependencies. Code that only some installations need (PostgreSQL, metrics, phone
 * numbers) is in chunks that are loaded on demand.
 * @returns the size of each chunk in bytes, by name
 */
export async function build(dist: string): Promise<ReadonlyMap<string, number>> {
  rmSync(dist, { recursive: true, force: true })
  const bundle = await rolldown({
    input: join(root, 'dev/scripts/build-entry.ts'),
    cwd: root,
    platform: 'node',
    // pg looks for its optional native part, which isn't installed.
    external: ['pg-native'],
    plugins: [unusedModules, onlyAgent, knownHourCycle, builtInModules],
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    // Names are kept for errors, logs and profiles. In memory, ASCII takes one byte per character.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true },
      codegen: true,
    },
    charset: 'ascii',
    sourcemap: true,
    sourcemapPathTransform: (path, map) => relative(root, resolve(dirname(map), path)).replaceAll(sep, '/'),
    entryFileNames: 'main.mjs',
    chunkFileNames: '[name]-[hash].mjs',
    codeSplitting: { groups: [{ debugName: 'server', name: startChunk() }] },
  })
  await bundle.close()

  for (const { fileName } of output.filter(({ fileName }) => fileName.endsWith('.map'))) {
    const { version, sources, mappings } = JSON.parse(readFileSync(join(dist, fileName), 'utf8'))
    const map = { version, sources, names: [], mappings: keepLines(mappings) }
    writeFileSync(join(dist, fileName), JSON.stringify(map))
  }

  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  const packages = new Set(
    chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => getPackageFolder(id) ?? [])),
  )
  const licenses = [...packages].map(readLicense).sort()
  writeFileSync(join(dist, 'LICENSES.txt'), `${licenses.join('\n\n----\n\n')}\n`)
  writeFileSync(join(dist, 'build.json'), `${JSON.stringify({ commit: commit() })}\n`)
  return new Map(chunks.map(({ fileName }) => [fileName, statSync(join(dist, fileName)).size]))
}

if (import.meta.main) {
  for (const [file, bytes] of await build(join(root, 'dist')))
    console.log(`dist/${file}  ${Math.round(bytes / 1000)} kB`)
}
