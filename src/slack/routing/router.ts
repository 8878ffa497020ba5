import {
  type AnyMiddlewareArgs,
  App,
  type Receiver,
  type SlackEventMiddlewareArgs,
  type SlackViewMiddlewareArgs,
  type ViewSubmitAction,
} from '@slack/bolt'
import type { z } from 'zod'
import { type Log, slackLogger } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { matchesAction } from '../blocks/action.ts'
import type { Option } from '../blocks/inputs.ts'
import { ForgedValueError, readOrigin } from '../blocks/values.ts'
import type { Modals } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import {
  eventPayload,
  parsePayload,
  type ShortcutPayload,
  shortcutPayload,
  suggestionPayload,
  teamOf,
} from '../inbound/payloads.ts'
import { actionKind } from './actions.ts'
import { commandKind } from './commands.ts'
import type { Interactions, Kind } from './interactions.ts'
import {
  type EventRoute,
  type Guarded,
  given,
  type OptionsRoute,
  type Routes,
  type ShortcutRoute,
} from './routes.ts'
import { submissionKind } from './submissions.ts'

interface RouterServices {
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
  readonly log: Log
}

/**
 * Hands what the receiver receives to the routes, by Bolt: one middleware for what comes often, since every listener costs
 * on every request that reaches the listeners.
 */
export function connectRoutes(receiver: Receiver, routes: Routes, services: RouterServices): void {
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
  const handleCommand = interactions.handler(commandKind(routes.commands, services))
  const handleAction = interactions.handler(actionKind(routes, services))
  const handleShortcut = interactions.handler(shortcutKind(routes.shortcuts, services))
  const handleSubmission = interactions.handler(submissionKind(routes.submissions, services))
  const handleEvent = eventHandler(routes.events, interactions)
  app.use(async (payload) => {
    if ('command' in payload) return handleCommand(payload)
    if ('action' in payload && payload.body.type === 'block_actions') return handleAction(payload)
    if ('shortcut' in payload && payload.body.type === 'message_action') return handleShortcut(payload)
    if ('event' in payload) return handleEvent(payload)
    if (isSubmission(payload)) return handleSubmission(payload)
    return payload.next()
  })
  app.options(/.*/, interactions.handler(optionsKind(routes.options)))
}

const isSubmission = (args: AnyMiddlewareArgs): args is SlackViewMiddlewareArgs<ViewSubmitAction> =>
  'view' in args && args.body.type === 'view_submission'

/** The shortcuts in messages' menus, each answered in a modal: the message is somebody else's. */
const shortcutKind = (
  routes: readonly ShortcutRoute[],
  { replies, modals }: RouterServices,
): Kind<ShortcutPayload, Guarded<readonly []>> => ({
  what: 'shortcut',
  schema: shortcutPayload,
  acknowledged: 'at once',
  find({ callback_id: id, message }) {
    const route = routes.find((one) => one.shortcut === id)
    return route ? { name: `shortcut ${id}`, route: given(route, message) } : { name: id, route }
  },
  origin(payload) {
    const { message, enterprise, user, channel, trigger_id: triggerId } = payload
    // Where Slack doesn't say where it was chosen, as in an organisation, the workspace that the message is of.
    const ofMessage = message.team ? { enterpriseId: enterprise?.id, teamId: message.team } : undefined
    const team = teamOf(payload) ?? ofMessage
    if (!team) throw new ForgedValueError('a shortcut that names no workspace')
    return { team, userId: user.id, channel: channel.id, channelName: channel.name, triggerId }
  },
  async answer({ route, origin, run }) {
    await modals.answer(run.modalTarget(origin), run.attempt(route, origin), false)
  },
  async refuse(apology, { response_url: responseUrl }) {
    if (responseUrl !== undefined) await replies.refuse(apology, responseUrl)
  },
})

interface MenuOptions {
  readonly options: Option[]
}

/** What is typed into the menus that ask the app for their options; they have no place for an apology, and stay empty. */
const optionsKind = (
  routes: readonly OptionsRoute[],
): Kind<z.infer<typeof suggestionPayload>, OptionsRoute, MenuOptions> => ({
  what: 'menu',
  schema: suggestionPayload,
  acknowledged: { nothing: { options: [] } },
  find({ action_id: id }) {
    const route = routes.find((one) => matchesAction(one.action, id))
    return { name: route ? `options ${route.action}` : id, route }
  },
  origin(payload) {
    const { view, user } = payload
    const { team, channel } = view ? readOrigin(view) : { team: teamOf(payload), channel: '' }
    if (!team) throw new ForgedValueError('a menu that names no workspace')
    return { team, channel, userId: user.id }
  },
  async answer({ payload, route, origin, run, ack }) {
    let options: readonly Option[] = []
    try {
      options = await route.handle(await run.admit(origin, route.needs), payload.value)
    } catch (error) {
      run.apologize(error)
    }
    await ack({ options: [...options] })
  },
  refuse: (_apology, _payload, ack) => ack({ options: [] }),
})

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
