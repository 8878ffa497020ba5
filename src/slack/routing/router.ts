import {
  type AnyMiddlewareArgs,
  App,
  type Receiver,
  type SlackEventMiddlewareArgs,
  type SlackViewMiddlewareArgs,
  type types,
  type ViewResponseAction,
  type ViewSubmitAction,
} from '@slack/bolt'
import type { z } from 'zod'
import { type Log, slackLogger } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { matchesAction } from '../blocks/action.ts'
import { isCommandButton, readCommandButton } from '../blocks/command-button.ts'
import type { Option } from '../blocks/inputs.ts'
import { ForgedValueError, readOrigin, readTeam } from '../blocks/values.ts'
import type { Answer } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import { noticeModal, waitingText } from '../deliver/modals.ts'
import {
  type BlockActionsPayload,
  blockActionsPayload,
  eventPayload,
  parsePayload,
  type ShortcutPayload,
  shortcutPayload,
  suggestionPayload,
  teamOf,
  type ViewPayload,
  viewSubmissionPayload,
} from '../inbound/payloads.ts'
import { commandKind, routeOfCommand } from './commands.ts'
import type { Interactions, Kind } from './interactions.ts'
import {
  type EventRoute,
  type Guarded,
  given,
  type OptionsRoute,
  type Routes,
  type ShortcutRoute,
  type SubmissionResult,
  type SubmissionRoute,
} from './routes.ts'

/** How long a submission may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/**
 * Hands what the receiver receives to the routes, by Bolt: one middleware for what comes often, since every listener costs
 * on every request that reaches the listeners.
 */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  { interactions, log }: { readonly interactions: Interactions; readonly log: Log },
): void {
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
  const handleCommand = interactions.handler(commandKind(routes.commands))
  const handleAction = interactions.handler(actionKind(routes))
  const handleShortcut = interactions.handler(shortcutKind(routes.shortcuts))
  const handleSubmission = interactions.handler(submissionKind(routes.submissions))
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
const shortcutKind = (routes: readonly ShortcutRoute[]): Kind<ShortcutPayload, Guarded<readonly []>> => ({
  what: 'shortcut',
  schema: shortcutPayload,
  acknowledged: 'at once',
  find({ callback_id: id, message }) {
    const route = routes.find((one) => one.shortcut === id)
    return route ? { name: `shortcut ${id}`, route: given(route, () => [message]) } : { name: id, route }
  },
  origin(payload) {
    const { message, enterprise, user, channel, trigger_id: triggerId } = payload
    // Where Slack doesn't say where it was chosen, as in an organisation, the workspace that the message is of.
    const ofMessage = message.team ? { enterpriseId: enterprise?.id, teamId: message.team } : undefined
    const team = teamOf(payload) ?? ofMessage
    if (!team) throw new ForgedValueError('a shortcut that names no workspace')
    const place = { channel: channel.id, channelName: channel.name, isInView: true }
    return { team, userId: user.id, ...place, triggerId }
  },
  answer: ({ route, origin, run, modals }) =>
    modals.answer(run.modalTarget(origin), run.attemptOf(route, origin), false),
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

interface FoundAction {
  readonly route: Guarded<readonly []>
  readonly replacesOriginal: boolean
}

const placeOf = ({
  response_url: responseUrl,
  container,
  view,
  actions: [action],
}: BlockActionsPayload): ClickPlace => ({
  responseUrl,
  message: container?.message_ts ?? '',
  actionTs: action.action_ts,
  viewId: view?.id,
})

/** Clicks on buttons and menus, in messages and in views. */
const actionKind = ({
  actions,
  commands,
}: Pick<Routes, 'actions' | 'commands'>): Kind<BlockActionsPayload, FoundAction> => ({
  what: 'click',
  schema: blockActionsPayload,
  acknowledged: 'at once',
  find(payload) {
    const [action] = payload.actions
    const { action_id: id } = action
    if (isCommandButton(id)) {
      const command = readCommandButton(action.value)
      const { name, route } = command ? routeOfCommand(command, commands) : { name: id }
      return { name, route: route && { route, replacesOriginal: true } }
    }
    const chosen = action.selected_option?.value
    const own = actions.find((one) => matchesAction(one.action, id) && (one.option ?? chosen) === chosen)
    if (!own) return { name: id, route: undefined }
    const { blockId } = readTeam(action.block_id)
    const clicked = { ...action, block_id: blockId, view: payload.view ?? undefined }
    const route = own.routeFor(clicked, placeOf(payload))
    return { name: own.action, route: { route, replacesOriginal: own.replacesOriginal } }
  },
  origin(payload) {
    const { view, channel, container, user, trigger_id: triggerId } = payload
    if (view) {
      const modalId = view.type === 'modal' ? view.id : undefined
      return { ...readOrigin(view), userId: user.id, triggerId, modalId, isInView: true }
    }
    // A message that is not ours says none: then Slack's word is what there is.
    const team = readTeam(payload.actions[0].block_id).team ?? teamOf(payload)
    if (!team) throw new ForgedValueError('a click that names no workspace')
    const channelId = channel?.id ?? container?.channel_id ?? ''
    return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
  },
  async answer({ payload, route: { route, replacesOriginal }, origin, run, modals }) {
    const { view } = payload
    const place = placeOf(payload)
    // Nobody would see what it answers.
    if (!view && route.handle && place.responseUrl === undefined)
      throw new ForgedValueError('a click without a response_url')
    const make = run.attemptOf(route, origin)
    if (!view) return run.answerClick(origin, place, make, replacesOriginal)
    const isCertain = route.handle !== undefined && view.type === 'home'
    return modals.answer(run.modalTarget(origin), make, isCertain)
  },
})

type Outcome = SubmissionResult | { readonly apology: Answer }

const inItsPlace = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

function acknowledgement(outcome: Outcome): ViewResponseAction | undefined {
  if ('apology' in outcome) return inItsPlace(noticeModal(outcome.apology.message.text))
  if ('errors' in outcome) return { response_action: 'errors', errors: { ...outcome.errors } }
  return 'view' in outcome ? inItsPlace(outcome.view) : undefined
}

/** What an outcome shows in place of the modal that asked for patience: no input can have an error below it any more. */
function lateView(outcome: Outcome, title: string): types.ModalView {
  if ('view' in outcome) return outcome.view
  if ('apology' in outcome) return noticeModal(outcome.apology.message.text, { title })
  const text =
    'errors' in outcome
      ? Object.values(outcome.errors).join('\n')
      : 'Done. The answer is where you opened this.'
  return noticeModal(text, { title })
}

/** Below the first field of a modal: Slack would not show what it comes to. */
const outdated = ({ state }: ViewPayload): Outcome => ({
  errors: {
    [Object.keys(state?.values ?? {})[0] ?? '']: 'This form has expired. Close it and open it again.',
  },
})

/** Modals that are submitted. One whose outcome takes longer than its acknowledgement may says so in its own place. */
function submissionKind(
  routes: readonly SubmissionRoute[],
): Kind<z.infer<typeof viewSubmissionPayload>, SubmissionRoute, ViewResponseAction> {
  return {
    what: 'submission',
    schema: viewSubmissionPayload,
    acknowledged: {},
    find({ view: { callback_id: id } }) {
      const route = routes.find((one) => one.view === id)
      return { name: route ? `view ${id}` : id, route }
    },
    origin: ({ user, view }) => ({ ...readOrigin(view), userId: user.id }),
    async answer({ payload: { view }, route, origin, run, replies, modals, ack }) {
      const { needs, waiting = waitingText } = route
      const title = view.title?.text ?? 'Callboard'
      const working = run
        .admit(origin, needs)
        .then((interaction) => route.handle(interaction, view))
        .catch((error: unknown): Outcome => ({ apology: run.apologize(error) }))
      const isLate = (await withTimeout(working, acknowledgeWithinMs)) === timedOut
      if (isLate) await ack(inItsPlace(noticeModal(waiting, { title })))
      const outcome = await working
      const onMessage = 'view' in outcome ? outcome.beside : 'place' in outcome ? outcome : undefined
      const make = run.answerOf(async () => onMessage?.answer())
      if ('place' in outcome && outcome.place.responseUrl === undefined) {
        // It was opened where there is no message: the answer takes its place.
        if (!isLate) await ack(inItsPlace(noticeModal(waiting, { title })))
        return modals.answer({ ...run.modalTarget(origin), modalId: view.id }, make, true)
      }
      const isAnswerable = onMessage !== undefined && replies.isAnswerable(onMessage.place)
      const shown = 'place' in outcome && !isAnswerable ? outdated(view) : outcome
      const update = async (next: types.ModalView) =>
        modals.tryUpdate(await run.installation(origin.team), view.id, next)
      if (isLate) await update(lateView(shown, title))
      else await ack(acknowledgement(shown))
      if (!isAnswerable) return
      await run.answerClick(origin, onMessage.place, make, onMessage.replacesOriginal ?? true)
    },
    refuse: (apology, ack) => ack(acknowledgement({ apology })),
  }
}
