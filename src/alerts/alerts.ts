import { z } from 'zod'
import type { Jobs } from '../jobs/jobs.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import { type AlertRecord, type AlertTrouble, WATCH_ID, type WatchRecord } from '../store/alerts.ts'
import { SHARDS, shardOf } from '../store/engine/rows.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey, tenantRecord } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching } from './alert-state.ts'
import { nextTick } from './poll-times.ts'

/** All accounts of a shard. */
const shardJob = z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() })
export type ShardJob = z.infer<typeof shardJob>
/** Or one account, whatever it waits for. */
const pollJob = z.union([shardJob, z.object({ tenant: tenantRecord })])
export type PollJob = z.infer<typeof pollJob>

export const pollQueue = { name: 'alert-polls', schema: pollJob }

export interface AlertWithState {
  readonly alert: AlertRecord
  /** The channel's. */
  readonly zone: Zone
  readonly polledAt: EpochMs | undefined
  readonly postedAt: EpochMs | undefined
  /** Why it says nothing at present, though nobody paused it. */
  readonly trouble: AlertTrouble | undefined
  /** What that keeps it from: Slack takes no message, or the service doesn't tell what was missed. */
  readonly troubleWith: 'posting' | 'checking'
}

/**
 * When an account was asked last and answered: its shard's turn says it of all but those whose rows say that they failed, or
 * wait. What a clock has written that was ahead counts as nothing.
 */
export function lastPolledAt(
  watch: WatchRecord | undefined,
  shardPolledAt: EpochMs,
  now: EpochMs,
): EpochMs | undefined {
  const { polledAt, failing, notBefore } = watch ?? {}
  const isWithShard = polledAt !== undefined && !failing && notBefore === undefined
  const times = [polledAt ?? Number.NaN, isWithShard ? shardPolledAt : Number.NaN]
  const past = times.filter((at) => at <= now)
  return past.length === 0 ? undefined : Math.max(...past)
}

/** What failed may do better now. @returns `undefined` where nothing waits for another try */
function withoutRetries(watch: WatchRecord): WatchRecord | undefined {
  const states = Object.entries(watch.alerts)
  if (states.every(([, { retryAt }]) => retryAt === undefined)) return undefined
  const alerts = states.map(([id, { retryAt: _, failing: _failing, ...state }]) => [id, state] as const)
  return { ...watch, alerts: Object.fromEntries(alerts) }
}

/** The alerts of all tenants, and the jobs that poll their accounts. Every function @throws {StoreError}. */
export function createAlerts({
  store,
  workspaces,
  jobs,
  everyMs,
  now,
}: {
  store: Pick<Store, 'alerts' | 'watches' | 'shardPolledAt'>
  workspaces: Workspaces
  jobs: Jobs
  everyMs: Milliseconds
  now: () => EpochMs
}) {
  const { alerts, watches } = store

  async function add(alert: AlertRecord): Promise<AlertRecord> {
    const { id, since } = alert
    const tenant = tenantKey(alert.tenant)
    await alerts.set(tenant, id, alert)
    if (!(await watches.get(tenant, WATCH_ID)))
      await watches.set(tenant, WATCH_ID, { tenant: alert.tenant, since, lists: {}, alerts: {} })
    await enqueueAccount(alert.tenant)
    return alert
  }

  async function list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const [all, watch, shardPolledAt] = await Promise.all([
      alerts.all(tenant),
      watches.get(tenant, WATCH_ID),
      store.shardPolledAt(shardOf(tenant)),
    ])
    const polledAt = lastPolledAt(watch, shardPolledAt, now())
    return Promise.all(
      all.map(async (alert) => {
        const { zone } = await workspaces.zone(tenant, alert.channel)
        const state = watch?.alerts[alert.id]
        const trouble = state?.trouble ?? watch?.trouble ?? state?.unread
        const troubleWith = state?.trouble ? 'posting' : 'checking'
        return { alert, zone, polledAt, postedAt: state?.postedAt, trouble, troubleWith }
      }),
    )
  }

  async function change(...what: Parameters<typeof alerts.change>): Promise<AlertRecord | undefined> {
    const changed = await alerts.change(...what)
    if (changed) await enqueueAccount(changed.tenant)
    return changed
  }

  async function deleteAlert(tenant: TenantKey, id: string): Promise<boolean> {
    const isDeleted = await alerts.delete(tenant, id)
    await watches.change(tenant, WATCH_ID, ({ alerts: { [id]: _, ...others }, ...watch }) => ({
      ...watch,
      alerts: others,
    }))
    return isDeleted
  }

  /** Has the tenant's account polled, if it has alerts: what they go by has changed. */
  async function pollAgain(tenant: TenantKey): Promise<void> {
    const [first] = await alerts.all(tenant)
    if (first) await enqueueAccount(first.tenant)
  }

  /** Whatever it waits for, and from then on with its shard. */
  async function enqueueAccount(team: Tenant): Promise<void> {
    const [tenant, at] = [tenantKey(team), now()]
    await watches.change(tenant, WATCH_ID, withoutRetries)
    await jobs.enqueue(pollQueue, `${tenant}/${at}`, { tenant: team }, new Date(at))
    await enqueueShard(shardOf(tenant))
  }

  /**
   * Has the shard's accounts polled at its next tick: once, however many ask for it.
   * @param tick of the job that runs now, if one does: its next tick is the one after, also where a database whose clock is
   * ahead of this process's started the job early
   */
  function enqueueShard(shard: number, tick = 0): Promise<void> {
    const isEarly = tick > now() && tick <= now() + everyMs
    const at = nextTick(shard, everyMs, isEarly ? tick : now())
    return jobs.enqueue(pollQueue, `${shard}/${at}`, { shard, at }, new Date(at))
  }

  /** Restores the job of every shard that has something to poll. */
  async function enqueueAll(): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1)
      if ((await alerts.inShard(shard)).some(isWatching)) await enqueueShard(shard)
  }

  return {
    get: (tenant: TenantKey, id: string) => alerts.get(tenant, id),
    all: (tenant: TenantKey) => alerts.all(tenant),
    countMalformed: (tenant: TenantKey) => alerts.countMalformed(tenant),
    add,
    list,
    change,
    delete: deleteAlert,
    pollAgain,
    enqueueShard,
    enqueueAll,
  }
}
