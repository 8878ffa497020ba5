import type { SlackShortcutMiddlewareArgs } from '@slack/bolt'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { ForgedValueError } from '../blocks/values.ts'
import type { Modals } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { parsePayload, type ShortcutPayload, shortcutPayload, teamOf } from '../inbound/payloads.ts'
import type { Interactions } from './interactions.ts'
import type { ShortcutRoute } from './routes.ts'

/** The workspace where it was chosen; where Slack doesn't say, as in an organisation, the one that the message is of. */
function workspaceOf(payload: ShortcutPayload): Tenant | undefined {
  const { message, enterprise } = payload
  const ofMessage = message.team ? { enterpriseId: enterprise?.id, teamId: message.team } : undefined
  return teamOf(payload) ?? ofMessage
}

/** Answers the shortcuts in messages' menus, each in a modal: the message is somebody else's. */
export function shortcutHandler(
  routes: readonly ShortcutRoute[],
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
) {
  const { interactions, replies, modals, log } = services
  return async ({ body, ack }: SlackShortcutMiddlewareArgs): Promise<void> => {
    await ack()
    const payload = parsePayload(shortcutPayload, body, 'shortcut')
    const { callback_id: shortcut, response_url: responseUrl } = payload
    const route = routes.find((one) => one.shortcut === shortcut)
    if (!route) {
      log.warn({ shortcut: shortcut.slice(0, 100) }, 'a shortcut has no route')
      return
    }
    await interactions.run(`shortcut ${shortcut}`, async (run) => {
      const team = workspaceOf(payload)
      if (!team) {
        const refusal = run.apologize(new ForgedValueError('a shortcut that names no workspace'))
        if (responseUrl !== undefined) await replies.refuse(refusal, responseUrl)
        return
      }
      const { user, channel, trigger_id: triggerId } = payload
      const trigger = { team, userId: user.id, channel: channel.id, channelName: channel.name, triggerId }
      await modals.answer(run.modalTarget(trigger), run.attempt(route, trigger, payload.message), false)
    })
  }
}
