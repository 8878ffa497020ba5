import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { Act, AlertMessageRecord } from '../../store/alerts.ts'
import { recentLabel } from '../../time/labels.ts'
import { Alerts, type ShardJob, type SlowJob, shardQueue, slowQueue } from './alerts.ts'
import { AlertDelivery } from './delivery.ts'
import { MAX_LABEL_LENGTH, messageActions } from './message.ts'
import { AlertNotices } from './notices.ts'
import { Poller } from './poller.ts'

const SHARDS_AT_A_TIME = 8
const SLOW_ACCOUNTS_AT_A_TIME = 25

const tooOldText = 'This alert is too old for that.'
const undoneText = 'Someone has released or reopened it since.'
const notShownText = 'Saved. Slack will show it with the next update.'
/** Applies a click to a message; returns undefined if another click came first. */
type MessageChange<Value> = (
  message: AlertMessageRecord,
  act: Act,
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

  /** The first click wins, in any process. */
  button<Value extends { readonly id: string }>(change: MessageChange<Value>): ActionHandler<Value> {
    const { store, now } = this.#services
    return {
      needs: 'member',
      replacesOriginal: false,
      handle: async (interaction, value, { message: clickedTs }) => {
        const { actor, tenant, channel } = interaction
        const act: Act = { person: actor.person.id, name: actor.person.name, at: now() }
        const changed = await store.alertMessages.change(tenant, value.id, (message) => {
          // If the process ended before it stored where the message is, the click tells.
          const { ts = clickedTs, conversation = channel } = message
          return change({ ...message, ts, conversation }, act, value)
        })
        if (!changed) return this.#refuse(interaction, value.id)
        const shown = await this.#delivery.update(actor, value.id)
        return shown === 'gone' || shown.kind !== 'sent' ? textAnswer(notShownText) : undefined
      },
    }
  }

  async #refuse({ tenant }: Interaction, id: string): Promise<Answer> {
    const { store, workspaces, now } = this.#services
    const message = await store.alertMessages.get(tenant, id)
    if (!message) return textAnswer(tooOldText)
    const { taken, done, channel } = message
    const act = done ?? taken
    if (!act) return textAnswer(undoneText)
    const { zone } = await workspaces.zone(tenant, channel)
    const at = recentLabel(zone, new Date(act.at), new Date(now()))
    const name = escapeText(cut(act.name, MAX_LABEL_LENGTH))
    return textAnswer(`Already ${done ? 'done' : 'taken'} by ${name} at ${at}.`)
  }
}

/** Polls for missed calls, posts them, and handles clicks on these messages. */
export function missedCallPolling(services: Services): FeatureRoutes {
  const { store, workspaces, enqueueShardsEveryMs, log } = services
  const alerts = new Alerts(services)
  const notices = new AlertNotices(services)
  const delivery = new AlertDelivery(services, notices)
  const poller = new Poller(services, alerts, delivery, notices)
  const clicks = new MessageClicks(services, delivery)
  workspaces.on('connect', (tenant) => alerts.retry(tenant))
  store.on('malformed-row', (kind, value) => {
    if (kind !== 'alerts') return
    notices.tellUnreadable(value).catch((error: unknown) => {
      log.error({ err: error }, 'owner of an unreadable alert could not be told')
    })
  })

  async function keepPolling(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await alerts.restoreJobs()
      await sleep(enqueueShardsEveryMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  return {
    actions: bind(messageActions, {
      take: clicks.button((message, taken) =>
        message.taken || message.done ? undefined : { ...message, taken },
      ),
      done: clicks.button((message, done) => (message.done ? undefined : { ...message, done })),
      release: clicks.button((message, _, { at }) =>
        message.done || message.taken?.at !== at ? undefined : { ...message, taken: undefined },
      ),
      reopen: clicks.button((message, _, { at }) =>
        message.done?.at === at ? { ...message, done: undefined } : undefined,
      ),
    }),
    jobs: [
      {
        queue: shardQueue,
        concurrency: SHARDS_AT_A_TIME,
        handle: (job: Job<ShardJob>, ending) => poller.runShard(job, ending),
      },
      {
        queue: slowQueue,
        concurrency: SLOW_ACCOUNTS_AT_A_TIME,
        handle: (job: Job<SlowJob>, ending) => poller.runSlow(job, ending),
      },
    ],
    background: [keepPolling],
  }
}
