import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

// Entry of the build: the app, with stack traces that name lines of its sources. `--enable-source-maps` would read all maps
// at the start, which takes 10 MB; this reads a map for the first trace that needs it.

const dist = new URL('.', import.meta.url).href
const maps = new Map<string, SourceMap>()

function readSourceMap(url: string): SourceMap {
  const known = maps.get(url)
  if (known) return known
  // An import statement would load the streams of node:fs at the start.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')))
  maps.set(url, map)
  return map
}

/** Formats a frame like V8, with its place in the sources if it is in the bundle. */
function frameText(site: NodeJS.CallSite): string {
  const text = String(site)
  const url = site.getFileName()
  const line = site.getLineNumber()
  const column = site.getColumnNumber()
  if (!url?.startsWith(dist) || line === null || column === null) return text
  try {
    const origin = readSourceMap(url).findOrigin(line, column)
    if (!('fileName' in origin)) return text
    return text.replace(`${url}:${line}:${column}`, `${origin.fileName}:${origin.lineNumber}`)
  } catch {
    // Without the map, a trace has lines of the bundle.
    return text
  }
}

Error.prepareStackTrace = (error, sites) =>
  [String(error), ...sites.map((site) => `    at ${frameText(site)}`)].join('\n')

await import('../../src/main.ts')
