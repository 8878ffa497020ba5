import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { Milliseconds } from '../util/units.ts'
import type { HttpRoute, HttpServer } from './http-server.ts'

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** Anyone may ask, and each check queries the database. */
const CHECK_INTERVAL_MS: Milliseconds = 1000

class DatabaseCheck {
  readonly #store
  readonly #log
  #checkedAt = Number.NEGATIVE_INFINITY
  #isReady = Promise.resolve(false)

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Returns whether the database answered within the last second. Never rejects. */
  isReady(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#checkedAt < CHECK_INTERVAL_MS) return this.#isReady
    this.#checkedAt = now
    this.#isReady = this.#store.ready().then(
      () => true,
      (error: unknown) => {
        this.#log.warn({ err: error }, 'not ready')
        return false
      },
    )
    return this.#isReady
  }
}

/** Serves `/healthz` (the process runs) and `/readyz` (the database answers and the process isn't stopping). */
export function healthRoutes(http: HttpServer, store: Store, log: Log): readonly HttpRoute[] {
  const database = new DatabaseCheck(store, log)
  return [
    { path: '/healthz', handle: (_request, response) => answer(response, 200, 'ok') },
    {
      path: '/readyz',
      handle(_request, response) {
        if (http.isStopping) return answer(response, 503, 'stopping')
        void database
          .isReady()
          .then((ready) =>
            ready ? answer(response, 200, 'ready') : answer(response, 503, 'the store does not answer'),
          )
      },
    },
  ]
}
