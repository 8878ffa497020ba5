import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Files by path. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly body: string | Uint8Array }>

/** Builds the page in memory; nothing is written to the disk. */
export async function buildPage(): Promise<PageFiles> {
  const result = await build({
    root: fileURLToPath(new URL('./page', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      target: 'es2023',
      // The oldest browsers with light-dark(): its polyfill ignores elements with their own color scheme.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    },
  })
  if (Array.isArray(result) || !('output' in result))
    throw new Error('Vite built something else than one page')
  return new Map(
    result.output.map((file) => {
      const extension = file.fileName.split('.').at(-1) ?? ''
      const body = file.type === 'chunk' ? file.code : file.source
      return [`/${file.fileName}`, { type: types[extension] ?? 'application/octet-stream', body }]
    }),
  )
}
