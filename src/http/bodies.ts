import type { IncomingMessage } from 'node:http'
import { type RefusalReason, RefusedRequestError } from './refusals.ts'

/** Five times Slack's largest bodies. */
const MAX_BODY_BYTES = 512_000
/** Limits the total of all arriving bodies. */
const MAX_BYTES_IN_FLIGHT = 32_000_000

interface Body {
  size: number
  readonly refuse: (reason: RefusalReason) => void
}

/** Refuses the oldest body at the limit: Slack's bodies are small and arrive at once, so attackers only displace each other. */
export class Bodies {
  readonly #inFlight = new Set<Body>()
  #size = 0

  /** @throws {RefusedRequestError} if the body is too large, is displaced, or doesn't arrive */
  async read(request: IncomingMessage): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      throw new RefusedRequestError('too-large')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let chunks: Buffer[] = []
    const settle = () => {
      if (this.#inFlight.delete(body)) this.#size -= body.size
    }
    const refuse = (reason: RefusalReason) => {
      settle()
      chunks = []
      reject(new RefusedRequestError(reason))
    }
    const body: Body = { size: 0, refuse }
    this.#inFlight.add(body)
    // Listeners take a third of the time that iterating over the stream takes.
    request.on('data', (chunk: Buffer) => {
      if (!this.#inFlight.has(body)) return
      chunks.push(chunk)
      body.size += chunk.length
      this.#size += chunk.length
      const [oldest = body] = this.#inFlight
      if (body.size > MAX_BODY_BYTES) refuse('too-large')
      else if (this.#size > MAX_BYTES_IN_FLIGHT) oldest.refuse('crowded')
    })
    request.once('end', () => {
      settle()
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    request.once('error', () => refuse('cut'))
    return promise
  }
}
