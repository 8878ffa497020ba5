import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'

/** What the app under test was sent, parsed as far as these tests look. */
export interface Received {
  readonly headers: IncomingMessage['headers']
  readonly raw: string
  /** The fields of a command, or the parsed `payload` of an interaction, or a JSON body. */
  readonly payload: z.infer<typeof anything>
}

export interface TinyResponse {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly delayMs?: number
}

export interface TinyApp {
  readonly url: string
  readonly received: readonly Received[]
  respond: (received: Received) => TinyResponse | Promise<TinyResponse>
  close(): Promise<void>
}

const anything = z.record(z.string(), z.unknown())

/** An app of a few lines: a test says how it responds. Nothing here knows Bolt. */
export async function startTinyApp(): Promise<TinyApp> {
  const received: Received[] = []
  const app = {
    url: '',
    received,
    respond: (_received: Received): TinyResponse | Promise<TinyResponse> => ({}),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += String(chunk)
    const one = { headers: request.headers, raw, payload: payloadOf(raw) }
    received.push(one)
    const { status = 200, json, text = '', delayMs = 0 } = await app.respond(one)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.writeHead(status, { 'content-type': json === undefined ? 'text/plain' : 'application/json' })
    response.end(json === undefined ? text : JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = z.object({ port: z.number() }).parse(server.address())
  app.url = `http://127.0.0.1:${address.port}`
  return app
}

function payloadOf(raw: string): z.infer<typeof anything> {
  if (raw.startsWith('{')) return anything.parse(JSON.parse(raw))
  const form = new URLSearchParams(raw)
  const payload = form.get('payload')
  return payload === null ? Object.fromEntries(form) : anything.parse(JSON.parse(payload))
}
