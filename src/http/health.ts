import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'
import type { HttpRoute } from './http-server.ts'

function tell(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** Anybody may ask, and each time the store writes. */
const checkEvery: Milliseconds = 1000

class Readiness {
  readonly #ready: () => Promise<void>
  readonly #log: Pick<Log, 'warn'>
  #checkedAt = Number.NEGATIVE_INFINITY
  #isReady = Promise.resolve(false)

  constructor({ ready, log }: { ready: () => Promise<void>; log: Pick<Log, 'warn'> }) {
    this.#ready = ready
    this.#log = log
  }

  /** As it is now, or was within the last second. Rejects never. */
  check(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#checkedAt < checkEvery) return this.#isReady
    this.#checkedAt = now
    this.#isReady = this.#ready().then(
      () => true,
      (error: unknown) => {
        this.#log.warn({ err: error }, 'not ready')
        return false
      },
    )
    return this.#isReady
  }
}

/**
 * `/healthz`: the process is up. `/readyz`: the store keeps what it is given, and the process is not stopping.
 * @param options.ready rejects where the store does not
 */
export function healthRoutes(options: {
  ready: () => Promise<void>
  isStopping: () => boolean
  log: Log
}): readonly HttpRoute[] {
  const readiness = new Readiness(options)
  return [
    { path: '/healthz', handle: (_request, response) => tell(response, 200, 'ok') },
    {
      path: '/readyz',
      handle(_request, response) {
        if (options.isStopping()) return tell(response, 503, 'stopping')
        void readiness.check().then((isReady) => {
          if (isReady) tell(response, 200, 'ready')
          else tell(response, 503, 'the store does not answer')
        })
      },
    },
  ]
}
