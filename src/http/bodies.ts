import type { IncomingMessage } from 'node:http'
import { RefusedRequestError } from './refusals.ts'

/** Slack's largest are a tenth of it. */
const largestBody = 1024 * 1024
/** Of all that has arrived of bodies that are not whole yet. */
const mostInFlight = 32 * 1024 * 1024

interface Body {
  size: number
  readonly refuse: (error: RefusedRequestError) => void
}

/**
 * Reads requests' bodies, and holds no more of them than it should: where there are too many bytes in flight, the largest
 * body gives way. Slack's are small and arrive at once, so that whoever fills the memory stands in his own way alone.
 */
export class Bodies {
  readonly #inFlight = new Set<Body>()
  #size = 0

  /**
   * The whole body. Listeners cost a third of what iterating over the stream does.
   * @throws {RefusedRequestError} where it is too large, has to give way, or does not arrive
   */
  async read(request: IncomingMessage): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > largestBody)
      throw new RefusedRequestError(413, 'too-large')
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
        if (body.size > largestBody) refuse(new RefusedRequestError(413, 'too-large'))
        else if (this.#size > mostInFlight)
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
