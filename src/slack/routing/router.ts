import {
  App,
  type Receiver,
  type SlackEventMiddlewareArgs,
  type SlackOptionsMiddlewareArgs,
} from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { matchesAction } from '../blocks/action.ts'
import type { Option } from '../blocks/inputs.ts'
import { ForgedValueError, readOrigin } from '../blocks/values.ts'
import type { Modals } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { eventPayload, parsePayload, suggestionPayload, teamOf } from '../inbound/payloads.ts'
import { actionHandler } from './actions.ts'
import { commandHandler } from './commands.ts'
import type { Interactions } from './interactions.ts'
import type { EventRoute, OptionsRoute, Routes } from './routes.ts'
import { shortcutHandler } from './shortcuts.ts'
import { submissionHandler } from './submissions.ts'

/**
 * Hands what the receiver receives to the routes, by Bolt: one middleware for what comes often, since every listener costs
 * on every request that reaches the listeners.
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
  const handleCommand = commandHandler(routes.commands, services)
  const handleAction = actionHandler(routes, services)
  const handleShortcut = shortcutHandler(routes.shortcuts, services)
  const handleSubmission = submissionHandler(routes.submissions, services)
  const handleEvent = eventHandler(routes.events, interactions)
  app.use(async (payload) => {
    if ('command' in payload) return handleCommand(payload)
    if ('action' in payload && payload.body.type === 'block_actions') return handleAction(payload)
    if ('shortcut' in payload && payload.body.type === 'message_action') return handleShortcut(payload)
    if ('event' in payload) return handleEvent(payload)
    if ('view' in payload && payload.body.type === 'view_submission') return handleSubmission(payload)
    return payload.next()
  })
  app.options(/.*/, optionsHandler(routes.options, interactions))
}

/** Answers what is typed into the menus that ask the app for their options. */
function optionsHandler(routes: readonly OptionsRoute[], interactions: Interactions) {
  return async ({ body, ack }: SlackOptionsMiddlewareArgs<'block_suggestion'>): Promise<void> => {
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
  }
}

/** Hands over what Slack's Events API tells; Bolt acknowledges events by itself. */
function eventHandler(routes: readonly EventRoute[], interactions: Interactions) {
  return async ({ body }: SlackEventMiddlewareArgs): Promise<void> => {
    const payload = parsePayload(eventPayload, body, 'event')
    const { team_id, enterprise_id, event, event_time, authorizations } = payload
    const route = routes.find((one) => one.event === event.type)
    if (!route) return
    const [authorization] = authorizations
    // An organisation's id is no team's.
    const organisation = team_id?.startsWith('E') ? team_id : undefined
    const team: Tenant = {
      enterpriseId: enterprise_id ?? authorization?.enterprise_id ?? organisation,
      teamId: organisation === undefined ? (team_id ?? '') : '',
    }
    const isOrganisation = authorization?.is_enterprise_install ?? team.teamId === ''
    await interactions.run(`event ${route.event}`, () =>
      route.handle({ team, isOrganisation, at: event_time * 1000, event }),
    )
  }
}
