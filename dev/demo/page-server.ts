import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { build } from 'vite'
import { loopbackOnly } from '../listen.ts'
import type { Changes } from '../slack/changes.ts'
import { actionSchema } from './action-schema.ts'
import type { Gallery } from './gallery/gallery.ts'
import type { System } from './system.ts'

const CONTENT_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** Sends an event without content at the start and after changes, until the page has gone. */
async function sendChanges(stream: SSEStreamingApi, changes: Changes): Promise<void> {
  let isDue = true
  let wake = () => {}
  const onChange = () => {
    isDue = true
    wake()
  }
  changes.on('change', onChange)
  stream.onAbort(() => {
    changes.off('change', onChange)
    wake()
  })
  while (!stream.aborted) {
    if (isDue) {
      isDue = false
      await stream.writeSSE({ data: 'changed' })
      // Batches changes.
      await stream.sleep(15)
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

/** Serves the page and its data. A server-sent event without content tells the page to fetch its state. */
export function pageServer(parts: {
  readonly files: PageFiles
  readonly gallery: Gallery
  readonly changes: Changes
  /** Returns the current system. */
  readonly system: () => System
  /** Restarts the demo. */
  readonly startOver: () => Promise<void>
}): Server {
  const { files, gallery, changes, system, startOver } = parts
  const app = new Hono()

  app.use(async (c, next) => {
    await next()
    c.header('content-security-policy', CONTENT_POLICY)
    c.header('x-content-type-options', 'nosniff')
    c.header('cache-control', 'no-store')
    return undefined
  })

  app.get('/api/state', (c) => c.json(system().stateFor(c.req.query('user') ?? '')))
  app.get('/api/gallery', async (c) => c.json(await gallery.state()))
  app.get('/api/traffic', (c) => c.json(system().traffic.latest()))
  app.post('/api/*', async (c, next) => {
    // Another site's form can't send this type without a CORS preflight.
    if (!(c.req.header('content-type') ?? '').startsWith('application/json')) return c.text('JSON only', 415)
    await next()
    return undefined
  })
  app.post('/api/start-over', async (c) => {
    await startOver()
    return c.json({})
  })
  app.post('/api/act', async (c) => {
    const parsed = actionSchema.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success)
      return c.json({ problem: "The page sent something that the demo doesn't know." }, 400)
    try {
      return c.json(await system().act(parsed.data))
    } catch (error) {
      return c.json({ problem: error instanceof Error ? error.message : 'That did not work.' }, 409)
    }
  })
  app.get('/api/changes', (c) => streamSSE(c, (stream) => sendChanges(stream, changes)))
  app.get('/files/:id', (c) => {
    const { name, content } = system().slack.files.find(({ id }) => id === c.req.param('id')) ?? {}
    if (name === undefined || content === undefined) return c.text('no such file', 404)
    return c.body(new Uint8Array(content), 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    })
  })
  app.get('*', (c) => {
    const path = new URL(c.req.url).pathname
    const file = files.get(path === '/' || path === '/gallery' ? '/index.html' : path)
    if (!file) return c.text('no such page', 404)
    const body = typeof file.body === 'string' ? file.body : Buffer.from(file.body)
    return c.body(typeof body === 'string' ? body : new Uint8Array(body), 200, { 'content-type': file.type })
  })
  return createServer(loopbackOnly(getRequestListener(app.fetch, { overrideGlobalObjects: false })))
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Files by path. */
type PageFiles = ReadonlyMap<string, { readonly type: string; readonly body: string | Uint8Array }>

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
