import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { HttpRoute, HttpServer } from './http-server.ts'

function tell(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** `/healthz`: the process is up. `/readyz`: the store answers, and the process is not stopping. */
export function healthRoutes(http: HttpServer, store: Store, log: Log): readonly HttpRoute[] {
  return [
    { path: '/healthz', handle: (_request, response) => tell(response, 200, 'ok') },
    {
      path: '/readyz',
      handle(_request, response) {
        if (http.isStopping) return tell(response, 503, 'stopping')
        store.ready().then(
          () => tell(response, 200, 'ready'),
          (error: unknown) => {
            log.warn({ err: error }, 'not ready')
            tell(response, 503, 'the store does not answer')
          },
        )
      },
    },
  ]
}
