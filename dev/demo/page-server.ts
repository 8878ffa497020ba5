import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { loopbackOnly } from '../listen.ts'
import { actionSchema } from './action-schema.ts'
import type { Gallery } from './gallery/gallery.ts'
import type { PageFiles } from './page-build.ts'
import type { System } from './system.ts'

const CONTENT_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** Serves the page and its data. A server-sent event without content tells the page to fetch its state. */
export function pageServer(parts: {
  readonly files: PageFiles
  readonly gallery: Gallery
  readonly changes: EventEmitter<{ change: [] }>
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
  app.get('/api/changes', (c) =>
    streamSSE(c, async (stream) => {
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
    }),
  )
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
