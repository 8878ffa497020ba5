import type { Services } from '../../services.ts'
import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { textAnswer } from '../../slack/deliver/replies.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { type AlertMessageRecord, type Attribution, WATCH_ID } from '../../store/alerts.ts'
import { recentLabel } from '../../time/zones.ts'
import { findOpenAlerts, listOpenAlerts, openAlertActions } from '../calls/open-alerts.ts'
import { AlertDelivery } from './delivery.ts'
import { MAX_LABEL_LENGTH, messageActions } from './message.ts'
import { Poller } from './poller.ts'

/** Applies a click to a message; returns undefined if another click came first. */
type MessageChange<Value> = (
  message: AlertMessageRecord,
  attribution: Attribution,
  value: Value,
) => AlertMessageRecord | undefined

/** Handles clicks on the messages of alerts. */
class MessageClicks {
  readonly #services
  readonly #delivery

  constructor(
    services: Pick<Services, 'store' | 'workspaces' | 'now'>,
    delivery: Pick<AlertDelivery, 'update'>,
  ) {
    this.#services = services
    this.#delivery = delivery
  }

  /** Creates a button's handler. Only the first of several clicks is applied, even across processes. */
  button<Value extends { readonly id: string }>(change: MessageChange<Value>): ActionHandler<Value> {
    return {
      needs: 'member',
      replacesOriginal: false,
      handle: async (interaction, value, { message: clickedTs }) => {
        const problem = await this.apply(interaction, value.id, (message, attribution) => {
          // `ts` and `conversation` are missing if the process ended before it stored them; the click has both.
          const { ts = clickedTs, conversation = interaction.channel } = message
          return change({ ...message, ts, conversation }, attribution, value)
        })
        return problem === undefined ? undefined : textAnswer(problem)
      },
    }
  }

  /** Changes a message for everyone. Returns the problem to show, as mrkdwn; undefined on success. */
  async apply(
    interaction: Interaction,
    id: string,
    change: (message: AlertMessageRecord, attribution: Attribution) => AlertMessageRecord | undefined,
  ): Promise<string | undefined> {
    const { store, workspaces, now } = this.#services
    const { actor, tenant } = interaction
    const attribution: Attribution = { person: actor.person.id, name: actor.person.name, at: now() }
    if (await store.alertMessages.change(tenant, id, (message) => change(message, attribution))) {
      await this.#delivery.update(actor, id)
      return undefined
    }
    const latest = await store.alertMessages.get(tenant, id)
    const first = latest?.done ?? latest?.taken
    if (!latest || !first) return "Someone has released or reopened it since, or it's too old."
    const { zone } = await workspaces.zone(tenant, latest.channel)
    const at = recentLabel(zone, new Date(first.at), new Date(now()))
    return `Already ${latest.done ? 'done' : 'taken'} by ${escapeText(cut(first.name, MAX_LABEL_LENGTH))} at ${at}.`
  }
}

/** Polls for missed calls, posts them, and handles clicks on these messages. */
export function missedCallPolling(services: Services): FeatureRoutes {
  const { store, workspaces } = services
  const delivery = new AlertDelivery(services)
  const clicks = new MessageClicks(services, delivery)
  // Lets the next poll retry at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.watches.change(tenant, WATCH_ID, ({ failing: _, ...watch }) => watch)
  })

  const take = (message: AlertMessageRecord, taken: Attribution) =>
    message.taken || message.done ? undefined : { ...message, taken, released: undefined }

  /** Takes an alert from the list of open ones, which then shows the others. */
  async function takeFromList(interaction: Interaction, { id, page }: { id: string; page: number }) {
    const visible = await findOpenAlerts(services, interaction.actor)
    // Someone else may have taken it, or the person may have left the channel.
    const problem = visible.some((message) => message.id === id)
      ? await clicks.apply(interaction, id, take)
      : 'This alert is no longer waiting.'
    return listOpenAlerts(services, interaction, page, { note: problem ?? 'You took it.' })
  }

  return {
    actions: [
      ...bind({ take: openAlertActions.take }, { take: { needs: 'calls', handle: takeFromList } }),
      ...bind(messageActions, {
        take: clicks.button(take),
        done: clicks.button((message, done) => (message.done ? undefined : { ...message, done })),
        // `at`: time of the action to undo. If another person has taken or closed it since, nothing changes.
        release: clicks.button((message, released, { at }) =>
          message.done || message.taken?.at !== at ? undefined : { ...message, taken: undefined, released },
        ),
        reopen: clicks.button((message, _, { at }) =>
          message.done?.at === at ? { ...message, done: undefined } : undefined,
        ),
      }),
    ],
    ...new Poller(services, delivery).work(),
  }
}
