import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { Milliseconds } from '../util/units.ts'
import type { HttpRoute, HttpServer } from './http-server.ts'

/** Anyone may send requests, and each check queries the database. */
const CHECK_INTERVAL_MS: Milliseconds = 1000

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** @param findProblem returns another reason for not being ready, or `''` */
export function healthRoutes(
  http: HttpServer,
  { store, log }: { store: Store; log: Log },
  findProblem: () => Promise<string>,
): readonly HttpRoute[] {
  let check = { at: Number.NEGATIVE_INFINITY, problem: Promise.resolve('') }
  const onFailure = (error: unknown) => {
    log.warn({ err: error }, 'not ready')
    return 'the store does not answer'
  }
  return [
    { path: '/healthz', handle: async (_request, response) => answer(response, 200, 'ok') },
    {
      path: '/readyz',
      async handle(_request, response) {
        const now = performance.now()
        if (now >= check.at + CHECK_INTERVAL_MS)
          check = { at: now, problem: store.ready().then(findProblem, onFailure) }
        const problem = http.isDraining ? 'stopping' : await check.problem
        answer(response, problem === '' ? 200 : 503, problem || 'ready')
      },
    },
  ]
}
