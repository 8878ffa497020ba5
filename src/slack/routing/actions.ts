import type { App } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Modals } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { matchesAction } from '../blocks/action-ids.ts'
import { readOrigin } from '../blocks/values.ts'
import { type BlockActionsPayload, blockActionsPayload, parsePayload, teamOf } from '../inbound/payloads.ts'
import type { Interactions, Trigger } from './interactions.ts'
import type { ActionRoute } from './routes.ts'

/** @throws {ForgedValueError} for a click in a view that this app did not make */
function triggerOf(payload: BlockActionsPayload): Trigger {
  const { view, channel, container, user, trigger_id: triggerId } = payload
  if (view) return { ...readOrigin(view), userId: user.id, triggerId }
  const channelId = channel?.id ?? container?.channel_id ?? ''
  const channelName = channel?.name ?? ''
  return { team: teamOf(payload), userId: user.id, channel: channelId, channelName, triggerId }
}

/** Answers clicks on buttons and menus, in messages and in views. */
export function handleActions(
  app: App,
  routes: readonly ActionRoute[],
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
): void {
  const { interactions, replies, modals, log } = services
  app.action(/.*/, async ({ body, ack }) => {
    await ack()
    const payload = parsePayload(blockActionsPayload, body, 'action')
    const [action] = payload.actions
    const chosen = action.selected_option?.value
    const route = routes.find(
      (one) => matchesAction(one.action, action.action_id) && (one.option ?? chosen) === chosen,
    )
    if (!route) {
      log.warn({ action: action.action_id.slice(0, 100) }, 'a click has no route')
      return
    }
    await interactions.run(route.action, async (interaction) => {
      const trigger = triggerOf(payload)
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
      await replies.click({ ...place, tenant: tenantKey(team), channel, user }, attempt)
    })
  })
}
