import type { SlackActionMiddlewareArgs } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import { matchesAction } from '../blocks/action.ts'
import { isCommandButton, readCommandButton } from '../blocks/command-button.ts'
import { readTeam } from '../blocks/message-team.ts'
import { ForgedValueError, readOrigin } from '../blocks/values.ts'
import type { Answer, OnProgress } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import type { Modals } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import {
  type ActionPayload,
  type BlockActionsPayload,
  blockActionsPayload,
  parsePayload,
  teamOf,
} from '../inbound/payloads.ts'
import { findCommand } from './commands.ts'
import type { InteractionRun, Interactions, Trigger } from './interactions.ts'
import type { ActionRoute, CommandRoute, Routes } from './routes.ts'

/** @throws {ForgedValueError} for a click in a view that this app did not make, or of no workspace */
function triggerOf(payload: BlockActionsPayload, blockTeam: Tenant | undefined): Trigger {
  const { view, channel, container, user, trigger_id: triggerId } = payload
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...readOrigin(view), userId: user.id, triggerId, modalId }
  }
  // A message that is not ours says none: then Slack's word is what there is.
  const team = blockTeam ?? teamOf(payload)
  if (!team) throw new ForgedValueError('a click that names no workspace')
  const channelId = channel?.id ?? container?.channel_id ?? ''
  return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
}

/** What a click leads to. */
interface FoundAction {
  /** For the log. */
  readonly name: string
  /** Whether it opens a modal, rather than answering. */
  readonly opensModal: boolean
  readonly answersBelow: boolean
  /** Whether what it answers, clicked on the home tab, goes to the Messages tab. */
  readonly isCommand: boolean
  attempt(run: InteractionRun, trigger: Trigger, place: ClickPlace): Promise<Answer | undefined>
}

function findAction({ actions, commands }: Pick<Routes, 'actions' | 'commands'>, action: ActionPayload) {
  if (isCommandButton(action.action_id)) return commandAction(commands, action)
  const chosen = action.selected_option?.value
  const route = actions.find(
    (one) => matchesAction(one.action, action.action_id) && (one.option ?? chosen) === chosen,
  )
  return route && routeAction(route, action)
}

const routeAction = (route: ActionRoute, action: ActionPayload): FoundAction => ({
  name: route.action,
  opensModal: route.openModal !== undefined,
  answersBelow: route.answersBelow === true,
  isCommand: false,
  attempt: (run, trigger, place) => run.attempt(route, trigger, action, place),
})

/** A button that runs a command: under the command's own route. */
function commandAction(routes: readonly CommandRoute[], { value }: ActionPayload): FoundAction | undefined {
  const command = readCommandButton(value)
  const { name = '', route, words = [] } = command ? findCommand(command, routes) : {}
  if (!route) return undefined
  return {
    name,
    opensModal: route.openModal !== undefined,
    answersBelow: false,
    isCommand: true,
    attempt: (run, trigger) => run.attempt(route, trigger, words),
  }
}

/** Answers clicks on buttons and menus, in messages and in views. */
export function actionHandler(
  routes: Pick<Routes, 'actions' | 'commands'>,
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
) {
  const { interactions, replies, modals, log } = services
  return async ({ body, ack }: SlackActionMiddlewareArgs): Promise<void> => {
    await ack()
    const payload = parsePayload(blockActionsPayload, body, 'action')
    const [{ block_id, ...rest }] = payload.actions
    const { team: blockTeam, blockId } = readTeam(block_id)
    const action = { ...rest, block_id: blockId, view: payload.view ?? undefined }
    const found = findAction(routes, action)
    if (!found) {
      log.warn({ action: action.action_id.slice(0, 100) }, 'a click has no route')
      return
    }
    await interactions.run(found.name, async (run) => {
      let trigger: Trigger
      try {
        trigger = triggerOf(payload, blockTeam)
      } catch (error) {
        const refusal = run.apologize(error)
        if (payload.response_url !== undefined) await replies.refuse(refusal, payload.response_url)
        return
      }
      const place = {
        responseUrl: payload.response_url,
        message: payload.container?.message_ts ?? '',
        actionTs: action.action_ts,
        viewId: payload.view?.id,
      }
      const make = async (onProgress: OnProgress) => {
        run.onProgress = onProgress
        const answer = await found.attempt(run, trigger, place)
        return answer && found.answersBelow ? { ...answer, place: 'below' as const } : answer
      }
      const { team, channel, userId } = trigger
      const { view } = payload
      const target = run.modalTarget(trigger)
      if (view?.type === 'home' && found.isCommand && !found.opensModal)
        return modals.followDirect(target, run.answerDirectly(replies, trigger, make))
      if (view)
        return modals.answer(
          target,
          make(() => {}),
          !found.opensModal,
        )
      await replies.click({ ...place, team, tenant: tenantKey(team), channel, user: userId }, make)
    })
  }
}
