import type { Log } from '../log.ts'
import type { Route } from '../slack/inbound/http-receiver.ts'
import type { Store } from '../store/store.ts'

/** `/healthz`: the process is up. `/readyz`: the store answers, and the process is not stopping. */
export function healthRoutes(deps: {
  store: Pick<Store, 'ready'>
  isStopping: () => boolean
  log: Log
}): Readonly<Record<string, Route>> {
  const say = (response: Parameters<Route>[1], status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(`${text}\n`)
  }
  return {
    '/healthz': (_request, response) => say(response, 200, 'ok'),
    '/readyz': (_request, response) => {
      if (deps.isStopping()) {
        say(response, 503, 'stopping')
        return
      }
      deps.store.ready().then(
        () => say(response, 200, 'ready'),
        (error: unknown) => {
          deps.log.warn({ err: error }, 'not ready')
          say(response, 503, 'the store does not answer')
        },
      )
    },
  }
}
