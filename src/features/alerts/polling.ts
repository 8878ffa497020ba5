import { setTimeout as sleep } from 'node:timers/promises'
import { POLL_QUEUE } from '../../alerts/alerts.ts'
import { longestIntervalMs } from '../../alerts/poll-times.ts'
import { createPoller } from '../../alerts/poller.ts'
import type { Services } from '../../services.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { AlertRecord, AlertTrouble } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import { alertDelivery } from './delivery.ts'
import { MessageSender } from './message-sender.ts'
import { noNewsNotice } from './words.ts'

/** Shards that a process polls at the same time. */
const shardsAtATime = 8

/** Accounts are polled for missed calls, which are posted. */
export function alertPolling({
  config,
  store,
  alerts,
  telephony,
  workspaces,
  guards,
  channels,
  delivery,
  notices,
  metrics,
  backgroundWebApi,
  log,
  now,
}: Services): FeatureRoutes {
  const sending = { store, guards, channels, delivery, workspaces, metrics, backgroundWebApi }
  const deliver = alertDelivery({ store, workspaces, notices, metrics, now }, new MessageSender(sending))
  const { alertEveryMs: everyMs } = config
  const polling = { store, alerts, telephony, workspaces, metrics, log, now }
  const poll = createPoller({ ...polling, deliver, notifyOwners, everyMs })
  workspaces.on('connect', (tenant) => alerts.pollAgain(tenant))
  // Hours and days are those of the zone.
  workspaces.on('zone', (tenant) => alerts.pollAgain(tenant))

  /** Each of them, and a channel of theirs where a direct message reaches none. */
  async function notifyOwners(own: readonly AlertRecord[], { since, why }: AlertTrouble): Promise<void> {
    const [first] = own
    if (!first) return
    const tenant = tenantKey(first.tenant)
    const { zone } = await workspaces.zone(tenant, '')
    const owners = own.map(({ owner }) => owner)
    const places = [...new Set(own.map(({ channel }) => channel))]
    const notice = noNewsNotice(places, why, recentLabel(zone, new Date(since), new Date(now())))
    const noticeId = `alerts${tenant}/${since}/${why.length}`
    await notices.notify(first.tenant, owners, noticeId, notice, first.channel)
  }

  /** Whatever becomes of a shard's job, or of the clock that said when it is due: its accounts are polled before long. */
  async function keepPolling(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await alerts.pollAll()
      await sleep(longestIntervalMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  return {
    jobs: [
      {
        queue: POLL_QUEUE,
        concurrency: shardsAtATime,
        handle: poll,
      },
    ],
    catchUps: [keepPolling],
  }
}
