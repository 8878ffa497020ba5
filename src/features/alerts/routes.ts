import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { WATCH_ID } from '../../store/alerts.ts'
import { findOpenAlerts, listOpenAlerts, openAlertActions } from '../calls/open-alerts.ts'
import { AlertDelivery, type MessageChange } from './delivery.ts'
import { messageActions } from './message.ts'
import { Poller } from './poller.ts'

/** Polls for missed calls, and handles clicks on their messages. */
export function missedCallPolling(services: Services): FeatureRoutes {
  const { store, workspaces } = services
  const delivery = new AlertDelivery(services)
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.watches.change(tenant, WATCH_ID, ({ failing: _, ...watch }) => watch)
  })

  /** Applies only the first of several clicks, even across processes. */
  const button = <Value extends { readonly id: string }>(
    change: MessageChange<Value>,
  ): ActionHandler<Value> => ({
    needs: 'member',
    replacesOriginal: false,
    async handle({ interaction, value, click }) {
      const problem = await delivery.apply(interaction, value, change, click.replyTo.message)
      return problem === undefined ? undefined : textAnswer(problem)
    },
  })

  const take: MessageChange = (message, taken) =>
    message.taken || message.done ? undefined : { ...message, taken, released: undefined }

  async function takeFromList(
    interaction: Interaction,
    value: { id: string; page: number },
  ): Promise<Answer> {
    const visible = await findOpenAlerts(services, interaction.actor)
    // Someone else may have taken it, or the person may have left the channel.
    const problem = visible.some((message) => message.id === value.id)
      ? await delivery.apply(interaction, value, take)
      : 'This alert is no longer waiting.'
    return listOpenAlerts(services, interaction, value.page, { note: problem ?? 'You took it.' })
  }

  return {
    actions: [
      ...bind(
        { take: openAlertActions.take },
        { take: { needs: 'calls', handle: ({ interaction, value }) => takeFromList(interaction, value) } },
      ),
      ...bind(messageActions, {
        take: button(take),
        done: button((message, done) => (message.done ? undefined : { ...message, done })),
        release: button((message, released, { at }) =>
          message.done || message.taken?.at !== at ? undefined : { ...message, taken: undefined, released },
        ),
        reopen: button((message, _, { at }) =>
          message.done?.at === at ? { ...message, done: undefined } : undefined,
        ),
      }),
    ],
    ...new Poller(services, delivery).work(),
  }
}
