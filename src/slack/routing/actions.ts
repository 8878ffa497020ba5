import { tenantKey } from '../../store/tenant.ts'
import { matchesAction } from '../blocks/action.ts'
import { isCommandButton, readCommandButton } from '../blocks/command-button.ts'
import { ForgedValueError, readOrigin, readTeam } from '../blocks/values.ts'
import type { OnProgress } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import type { Modals } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import {
  type ActionPayload,
  type BlockActionsPayload,
  blockActionsPayload,
  teamOf,
} from '../inbound/payloads.ts'
import { findCommand } from './commands.ts'
import type { Kind } from './interactions.ts'
import { type Guarded, given, type Routes } from './routes.ts'

type ActionRoutes = Pick<Routes, 'actions' | 'commands'>

interface FoundAction {
  readonly route: Guarded<readonly []>
  readonly place: ClickPlace
  readonly answersBelow: boolean
  /** Whether what it answers, clicked on the home tab, goes to the Messages tab. */
  readonly isCommand: boolean
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

function findAction({ actions, commands }: ActionRoutes, action: ActionPayload, place: ClickPlace) {
  const { action_id: name } = action
  if (isCommandButton(name)) {
    const command = readCommandButton(action.value)
    const found = command && findCommand(command, commands)
    if (!found?.route) return { name, route: undefined }
    const route = { route: given(found.route, found.words), place, answersBelow: false, isCommand: true }
    return { name: found.name, route }
  }
  const chosen = action.selected_option?.value
  const own = actions.find((one) => matchesAction(one.action, name) && (one.option ?? chosen) === chosen)
  if (!own) return { name, route: undefined }
  const answersBelow = own.answersBelow === true
  return {
    name: own.action,
    route: { route: given(own, action, place), place, answersBelow, isCommand: false },
  }
}

export const actionKind = (
  routes: ActionRoutes,
  { replies, modals }: { readonly replies: Replies; readonly modals: Modals },
): Kind<BlockActionsPayload, FoundAction> => ({
  what: 'click',
  schema: blockActionsPayload,
  acknowledged: 'at once',
  find(payload) {
    const [action] = payload.actions
    const { blockId } = readTeam(action.block_id)
    const clicked = { ...action, block_id: blockId, view: payload.view ?? undefined }
    return findAction(routes, clicked, placeOf(payload))
  },
  origin(payload) {
    const { view, channel, container, user, trigger_id: triggerId } = payload
    if (view) {
      const modalId = view.type === 'modal' ? view.id : undefined
      return { ...readOrigin(view), userId: user.id, triggerId, modalId }
    }
    // A message that is not ours says none: then Slack's word is what there is.
    const team = readTeam(payload.actions[0].block_id).team ?? teamOf(payload)
    if (!team) throw new ForgedValueError('a click that names no workspace')
    const channelId = channel?.id ?? container?.channel_id ?? ''
    return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
  },
  async answer({ payload: { view }, route: { route, place, answersBelow, isCommand }, origin, run }) {
    const { team, channel, userId: user } = origin
    const target = run.modalTarget(origin)
    const make = (onProgress?: OnProgress) => run.attempt(route, origin, onProgress)
    if (view?.type === 'home' && isCommand && route.handle)
      return modals.followDirect(target, run.answerDirectly(replies, origin, make))
    if (view) return modals.answer(target, make(), route.handle !== undefined)
    const click = { ...place, team, tenant: tenantKey(team), channel, user }
    await replies.click(click, make, { isBelow: answersBelow })
  },
  async refuse(apology, { response_url: responseUrl }) {
    if (responseUrl !== undefined) await replies.refuse(apology, responseUrl)
  },
})
