import type { App, ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import { type Modals, noticeModal } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import { SubmissionReply, update } from '../answers/submission-reply.ts'
import { readOrigin } from '../blocks/values.ts'
import { parsePayload, viewSubmissionPayload } from '../inbound/payloads.ts'
import type { Clicks } from './clicks.ts'
import type { InteractionRun, Interactions, Origin } from './interactions.ts'
import type { LaterAnswer, SubmissionRoute } from './routes.ts'

/** Answers modals that are submitted. */
export function handleSubmissions(
  app: App,
  routes: readonly SubmissionRoute[],
  parts: { interactions: Interactions; clicks: Clicks; replies: Replies; modals: Modals; log: Log },
): void {
  const { interactions, clicks, replies, modals, log } = parts

  app.view(/.*/, async ({ body, ack }) => {
    const { user, view } = parsePayload(viewSubmissionPayload, body, 'view')
    const route = routes.find((one) => one.view === view.callback_id)
    if (!route) {
      log.warn({ view: view.callback_id.slice(0, 100) }, 'a submission has no route')
      return ack()
    }
    await interactions.run(`view ${route.view}`, async (interaction) => {
      const origin = { ...readOrigin(view), userId: user.id }
      const acknowledge = async (answer?: ViewResponseAction) => (answer === undefined ? ack() : ack(answer))
      const reply = new SubmissionReply({ ack: acknowledge, modals, log })
      try {
        const later = await route.handle(await interaction.admit(origin, route.needs), view, reply)
        if (later) await answerLater(interaction, origin, later)
      } catch (error) {
        // Later than the acknowledgement, what there is to say has been said.
        if (reply.isAcknowledged) throw error
        await reply.ack(update(noticeModal(interaction.apologize(error).message.text)))
      }
    })
  })

  /** As a click on the message would be answered that the modal was opened from. */
  async function answerLater(interaction: InteractionRun, origin: Origin, { place, work }: LaterAnswer) {
    const tenant = tenantKey(origin.team)
    const { responseUrl } = place
    const click = { ...place, tenant, channel: origin.channel, user: origin.userId }
    if (responseUrl === undefined || !(await clicks.isNewest(click))) return
    const answer = await work().catch((error: unknown) => interaction.apologize(error))
    if (answer) await clicks.inOrder(click, () => replies.replace(answer, { tenant, responseUrl }))
  }
}
