import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { close, listen } from '../../../dev/listen.ts'

/** A received request, parsed as far as these tests need. */
interface Received {
  readonly headers: IncomingMessage['headers']
  /** The fields of a command, or the parsed `payload` of an interaction, or a JSON body. */
  readonly payload: z.infer<typeof anything>
}

export interface TinyResponse {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
}

const anything = z.record(z.string(), z.unknown())

/** A minimal app without Bolt, whose responses are set by the test. */
export class TinyApp {
  url = ''
  readonly received: Received[] = []
  respond: (received: Received) => TinyResponse | Promise<TinyResponse> = () => ({})
  readonly #server = createServer((request, response) => this.#handle(request, response))

  async start(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}`
    return this
  }

  close(): Promise<void> {
    return close(this.#server)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = ''
    for await (const chunk of request) raw += String(chunk)
    const received = { headers: request.headers, payload: readPayload(raw) }
    this.received.push(received)
    const { status = 200, json, text = '' } = await this.respond(received)
    response.writeHead(status, { 'content-type': json === undefined ? 'text/plain' : 'application/json' })
    response.end(json === undefined ? text : JSON.stringify(json))
  }
}

function readPayload(raw: string): z.infer<typeof anything> {
  if (raw.startsWith('{')) return anything.parse(JSON.parse(raw))
  const form = new URLSearchParams(raw)
  const payload = form.get('payload')
  return payload === null ? Object.fromEntries(form) : anything.parse(JSON.parse(payload))
}
