import { App, type Receiver } from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Modals } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { matchesAction } from '../blocks/action-ids.ts'
import type { Option } from '../blocks/inputs.ts'
import { ForgedValueError, readOrigin } from '../blocks/values.ts'
import { eventPayload, parsePayload, suggestionPayload, teamOf } from '../inbound/payloads.ts'
import { handleActions } from './actions.ts'
import { handleCommands } from './commands.ts'
import type { Interactions } from './interactions.ts'
import type { EventRoute, OptionsRoute, Routes } from './routes.ts'
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

/** Answers what is typed into the menus that ask the app for their options. */
function handleOptions(app: App, routes: readonly OptionsRoute[], interactions: Interactions): void {
  app.options(/.*/, async ({ body, ack }) => {
    const payload = parsePayload(suggestionPayload, body, 'options')
    const route = routes.find((one) => matchesAction(one.action, payload.action_id))
    await interactions.run(`options ${route?.action ?? ''}`, async (interaction) => {
      let options: readonly Option[] = []
      try {
        const { team, channel } = payload.view
          ? readOrigin(payload.view)
          : { team: teamOf(payload), channel: '' }
        if (!team) throw new ForgedValueError('a menu that names no workspace')
        const origin = { team, channel, userId: payload.user.id }
        if (route) options = await route.handle(await interaction.admit(origin, route.needs), payload.value)
      } catch (error) {
        // A menu has no place for an apology: it stays empty.
        interaction.apologize(error)
      }
      await ack({ options: [...options] })
    })
  })
}

/** Hands over what Slack's Events API tells; Bolt acknowledges events by itself. */
function handleEvents(app: App, routes: readonly EventRoute[], interactions: Interactions): void {
  app.event(/.*/, async ({ body }) => {
    const payload = parsePayload(eventPayload, body, 'event')
    const { team_id, enterprise_id, event, event_time, authorizations } = payload
    const route = routes.find((one) => one.event === event.type)
    if (!route) return
    const [authorization] = authorizations
    const team: Tenant = {
      enterpriseId: enterprise_id ?? authorization?.enterprise_id ?? undefined,
      // An organisation's id is no team's.
      teamId: team_id?.startsWith('E') ? '' : (team_id ?? ''),
    }
    const isOrganisation = authorization?.is_enterprise_install ?? team.teamId === ''
    await interactions.run(`event ${route.event}`, () =>
      route.handle({ team, isOrganisation, at: event_time * 1000, event }),
    )
  })
}
