import { App, type Receiver } from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import type { Modals } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { handleActions } from './actions.ts'
import { handleCommands } from './commands.ts'
import { handleEvents } from './events.ts'
import type { Interactions } from './interactions.ts'
import { handleOptions } from './options.ts'
import type { Routes } from './routes.ts'
import { handleSubmissions } from './submissions.ts'

/**
 * Hands what the receiver receives to the routes, by Bolt: one listener for each kind of payload, since every listener
 * costs on every request.
 */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
): void {
  const { interactions, log } = services
  const app = new App({
    receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // Hands Bolt no token and asks nobody: the installation is looked up by a guard that answers the person.
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    log.error({ err: error }, 'a listener failed')
  })
  handleCommands(app, routes.commands, services)
  handleActions(app, routes.actions, services)
  handleSubmissions(app, routes.submissions, services)
  handleOptions(app, routes.options, interactions)
  handleEvents(app, routes.events, interactions)
}
