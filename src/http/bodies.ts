import type { IncomingMessage } from 'node:http'
import { RefusedRequestError } from './http-server.ts'

/** Slack's largest bodies have a fifth of it. */
const MAX_BODY_BYTES = 512_000
/** Total size of the bodies that are still arriving. */
const MAX_BYTES_IN_FLIGHT = 32_000_000

interface Body {
  size: number
  readonly refuse: (error: RefusedRequestError) => void
}

/**
 * Reads the bodies of requests within a limit for each, and one for all that are still arriving: beyond that, the largest
 * is refused. Slack's are small and arrive at once, so that attackers only displace each other.
 */
export class Bodies {
  readonly #inFlight = new Set<Body>()
  #size = 0

  /** @throws {RefusedRequestError} if the body is too large, is displaced, or doesn't arrive */
  async read(request: IncomingMessage): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      throw new RefusedRequestError(413, 'too-large')
    // Listeners take a third of the time that iterating over the stream takes.
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const settle = () => {
        if (this.#inFlight.delete(body)) this.#size -= body.size
      }
      const refuse = (error: RefusedRequestError) => {
        settle()
        chunks.length = 0
        reject(error)
      }
      const body: Body = { size: 0, refuse }
      this.#inFlight.add(body)
      request.on('data', (chunk: Buffer) => {
        if (!this.#inFlight.has(body)) return
        chunks.push(chunk)
        body.size += chunk.length
        this.#size += chunk.length
        if (body.size > MAX_BODY_BYTES) refuse(new RefusedRequestError(413, 'too-large'))
        else if (this.#size > MAX_BYTES_IN_FLIGHT)
          this.#largest(body).refuse(new RefusedRequestError(503, 'crowded'))
      })
      request.once('end', () => {
        settle()
        resolve(Buffer.concat(chunks).toString('utf8'))
      })
      request.once('error', () => refuse(new RefusedRequestError(408, 'cut')))
    })
  }

  #largest(body: Body): Body {
    return this.#inFlight.values().reduce((largest, one) => (one.size > largest.size ? one : largest), body)
  }
}
