import { App, type Receiver, type ViewSubmitAction } from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import { Router, type RouterServices, UnhandledEventError } from './router.ts'
import type { Routes } from './routes.ts'

/** Registers one listener of Bolt for each kind of request; the routes are found by the router. */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  { log, ...services }: RouterServices & { readonly log: Log },
): void {
  const { interactions } = services
  const router = new Router(routes, services)
  const app = new App({
    receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // The guards look up the installation, because they can answer the person.
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    if (error.original instanceof UnhandledEventError) throw error.original
    log.error({ err: error }, 'a listener failed')
  })
  // Slack nests `team_access_revoked` once more, so `app.event` would not recognize it.
  app.use(async ({ body, next }) => {
    if (body.type === 'event_callback') return router.onEvent(body)
    return next()
  })
  app.command(/./, (request) =>
    interactions.run('command', (exchange) => router.onCommand(exchange, request), request.body),
  )
  app.action({ type: 'block_actions' }, (request) =>
    interactions.run('click', (exchange) => router.onClick(exchange, request), request.body),
  )
  app.shortcut({ type: 'message_action' }, (request) =>
    interactions.run('shortcut', (exchange) => router.onShortcut(exchange, request), request.body),
  )
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (request) =>
    interactions.run('submission', (exchange) => router.onSubmission(exchange, request)),
  )
  app.options(/.*/, (request) => interactions.run('menu', (exchange) => router.onOptions(exchange, request)))
}
