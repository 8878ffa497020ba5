import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { HttpRoute } from './http-server.ts'

function tell(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/**
 * `/healthz`: the process is up. `/readyz`: the store answers, and the process is not stopping.
 * @param options.ready rejects where the store does not answer
 */
export function healthRoutes(options: {
  ready: () => Promise<void>
  isStopping: () => boolean
  log: Log
}): readonly HttpRoute[] {
  return [
    { path: '/healthz', handle: (_request, response) => tell(response, 200, 'ok') },
    {
      path: '/readyz',
      handle(_request, response) {
        if (options.isStopping()) return tell(response, 503, 'stopping')
        options.ready().then(
          () => tell(response, 200, 'ready'),
          (error: unknown) => {
            options.log.warn({ err: error }, 'not ready')
            tell(response, 503, 'the store does not answer')
          },
        )
      },
    },
  ]
}
