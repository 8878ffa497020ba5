import type { App } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Modals } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { matchesAction } from '../blocks/action-ids.ts'
import { readOrigin } from '../blocks/values.ts'
import {
  type ActionPayload,
  type BlockActionsPayload,
  blockActionsPayload,
  parsePayload,
  teamOf,
} from '../inbound/payloads.ts'
import type { Clicks } from './clicks.ts'
import type { Interactions, Origin } from './interactions.ts'
import type { ActionRoute, ClickPlace } from './routes.ts'

/** @throws {ForgedValueError} for a click in a view that this app did not make */
function originOf({ view, channel, container, user, ...payload }: BlockActionsPayload): Origin {
  if (view) return { ...readOrigin(view), userId: user.id }
  const channelId = channel?.id ?? container?.channel_id ?? ''
  return { team: teamOf({ ...payload, user }), userId: user.id, channel: channelId }
}

const placeOf = (payload: BlockActionsPayload, action: ActionPayload): ClickPlace => ({
  responseUrl: payload.response_url,
  message: payload.container?.message_ts ?? '',
  actionTs: action.action_ts,
  viewId: payload.view?.id,
})

/** Answers clicks on buttons and menus, in messages and in views. */
export function handleActions(
  app: App,
  routes: readonly ActionRoute[],
  parts: { interactions: Interactions; clicks: Clicks; replies: Replies; modals: Modals; log: Log },
): void {
  const { interactions, clicks, replies, modals, log } = parts

  app.action(/.*/, async ({ body, ack }) => {
    await ack()
    const payload = parsePayload(blockActionsPayload, body, 'action')
    const [action] = payload.actions
    const route = routes.find((one) => matchesAction(one.action, action.action_id))
    if (!route) {
      log.warn({ action: action.action_id.slice(0, 100) }, 'a click has no route')
      return
    }
    await interactions.run(route.action, async (interaction) => {
      const origin = originOf(payload)
      const place = placeOf(payload, action)
      const request = {
        origin,
        triggerId: payload.trigger_id,
        needs: route.needs,
        handle: route.handle && ((own) => route.handle(own, action, place)),
        openModal: route.openModal && ((own) => route.openModal(own, action, place)),
      } satisfies Parameters<typeof interaction.attempt>[0]
      if (payload.view) {
        const isCertain = route.handle !== undefined
        const target = interaction.modalTarget(request)
        return modals.answerClick(payload.view, target, interaction.attempt(request), isCertain)
      }
      const tenant = tenantKey(origin.team)
      const click = { ...place, tenant, channel: origin.channel, user: origin.userId }
      if (!(await clicks.isNewest(click))) return
      const answer = await interaction.attempt(request)
      const { responseUrl } = place
      if (!answer || responseUrl === undefined) return
      await clicks.inOrder(click, () => replies.replace(answer, { tenant, responseUrl }))
    })
  })
}
