import type { SlackActionMiddlewareArgs } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Modals } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { matchesAction } from '../blocks/action-ids.ts'
import { readTeam } from '../blocks/message-team.ts'
import { ForgedValueError, readOrigin } from '../blocks/values.ts'
import { type BlockActionsPayload, blockActionsPayload, parsePayload, teamOf } from '../inbound/payloads.ts'
import type { Interactions, Trigger } from './interactions.ts'
import type { ActionRoute } from './routes.ts'

/** @throws {ForgedValueError} for a click in a view that this app did not make, or of no workspace */
function triggerOf(payload: BlockActionsPayload, blockTeam: Tenant | undefined): Trigger {
  const { view, channel, container, user, trigger_id: triggerId } = payload
  if (view) return { ...readOrigin(view), userId: user.id, triggerId }
  // A message of an older version says none: then Slack's word is what there is.
  const team = blockTeam ?? teamOf(payload)
  if (!team) throw new ForgedValueError('a click that names no workspace')
  const channelId = channel?.id ?? container?.channel_id ?? ''
  return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
}

/** Answers clicks on buttons and menus, in messages and in views. */
export function actionHandler(
  routes: readonly ActionRoute[],
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
) {
  const { interactions, replies, modals, log } = services
  return async ({ body, ack }: SlackActionMiddlewareArgs): Promise<void> => {
    await ack()
    const payload = parsePayload(blockActionsPayload, body, 'action')
    const [{ block_id, ...rest }] = payload.actions
    const { team: blockTeam, blockId } = readTeam(block_id)
    const action = { ...rest, block_id: blockId }
    const chosen = action.selected_option?.value
    const route = routes.find(
      (one) => matchesAction(one.action, action.action_id) && (one.option ?? chosen) === chosen,
    )
    if (!route) {
      log.warn({ action: action.action_id.slice(0, 100) }, 'a click has no route')
      return
    }
    await interactions.run(route.action, async (interaction) => {
      let trigger: Trigger
      try {
        trigger = triggerOf(payload, blockTeam)
      } catch (error) {
        const refusal = interaction.apologize(error)
        if (payload.response_url !== undefined) await replies.refuse(refusal, payload.response_url)
        return
      }
      const place = {
        responseUrl: payload.response_url,
        message: payload.container?.message_ts ?? '',
        actionTs: action.action_ts,
        viewId: payload.view?.id,
      }
      const attempt = () => interaction.attempt(route, trigger, action, place)
      if (payload.view) {
        const isCertain = route.handle !== undefined
        return modals.answerClick(payload.view, interaction.modalTarget(trigger), attempt(), isCertain)
      }
      const { team, channel, userId: user } = trigger
      const answer = async () => {
        const answered = await attempt()
        return answered && route.isPublic ? { ...answered, place: 'below' as const } : answered
      }
      await replies.click({ ...place, team, tenant: tenantKey(team), channel, user }, answer)
    })
  }
}
