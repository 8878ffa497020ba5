import { z } from 'zod'
import type { Jobs } from '../jobs/jobs.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import { type AlertRecord, type AlertTrouble, WATCH_ID, type WatchRecord } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey, tenantRecord } from '../store/tenant.ts'
import { SHARDS, shardOf } from '../store/tenant-rows.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { nextTick } from './poll-times.ts'

/** All accounts of a shard. */
const shardJob = z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() })
export type ShardJob = z.infer<typeof shardJob>
/** Or one account, whatever it waits for. */
const pollJob = z.union([shardJob, z.object({ tenant: tenantRecord })])
export type PollJob = z.infer<typeof pollJob>

export const pollQueue = { name: 'alert-polls', schema: pollJob }

/** An alert, and what has become of it so far. */
export interface AlertWithState {
  readonly alert: AlertRecord
  /** The channel's. */
  readonly zone: Zone
  /** When the service was last asked for it and answered; none: not yet. */
  readonly polledAt: EpochMs | undefined
  /** When it last posted a message; none: never yet. */
  readonly postedAt: EpochMs | undefined
  /** Why it says nothing at present, though nobody paused it. */
  readonly trouble: AlertTrouble | undefined
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

const sameAgents = (one: AlertRecord, other: AlertRecord) =>
  one.agents.length === other.agents.length &&
  one.agents.every(({ id }) => other.agents.some((agent) => agent.id === id))

/** The alerts of all tenants, and the jobs that poll their accounts. Every method @throws {StoreError}. */
export class Alerts {
  readonly #store
  readonly #workspaces
  readonly #jobs
  readonly #everyMs
  readonly #now

  constructor(services: {
    store: Pick<Store, 'alerts' | 'watches' | 'shardPolledAt'>
    workspaces: Workspaces
    jobs: Jobs
    everyMs: Milliseconds
    now: () => EpochMs
  }) {
    this.#store = services.store
    this.#workspaces = services.workspaces
    this.#jobs = services.jobs
    this.#everyMs = services.everyMs
    this.#now = services.now
  }

  /** Keeps an alert that a person made or changed, and has its account polled. */
  async keep(alert: AlertRecord): Promise<void> {
    const { alerts, watches } = this.#store
    const tenant = tenantKey(alert.tenant)
    const [before, watch] = await Promise.all([alerts.get(tenant, alert.id), watches.get(tenant, WATCH_ID)])
    // What was seen was seen of the agents that it had.
    const isOfOthers = before !== undefined && !sameAgents(before, alert)
    const since = isOfOthers ? Math.max(alert.since, this.#now()) : alert.since
    await alerts.set(tenant, alert.id, { ...alert, since })
    if (!watch) await watches.set(tenant, WATCH_ID, { tenant: alert.tenant, since, lists: {}, alerts: {} })
    await this.pollSoon(alert.tenant)
  }

  get(tenant: TenantKey, id: string): Promise<AlertRecord | undefined> {
    return this.#store.alerts.get(tenant, id)
  }

  all(tenant: TenantKey): Promise<readonly AlertRecord[]> {
    return this.#store.alerts.all(tenant)
  }

  /** The tenant's, in the order in which they were made. */
  async list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const [all, watch, shardPolledAt] = await Promise.all([
      this.#store.alerts.all(tenant),
      this.#store.watches.get(tenant, WATCH_ID),
      this.#store.shardPolledAt(shardOf(tenant)),
    ])
    const polledAt = lastPolledAt(watch, shardPolledAt, this.#now())
    return Promise.all(
      all.map(async (alert) => {
        const { zone } = await this.#workspaces.zone(tenant, alert.channel)
        const state = watch?.alerts[alert.id]
        return { alert, zone, polledAt, postedAt: state?.postedAt, trouble: state?.trouble ?? watch?.trouble }
      }),
    )
  }

  /** What `TenantRows.change` does, and has its account polled. */
  async change(
    tenant: TenantKey,
    id: string,
    change: (alert: AlertRecord) => AlertRecord | undefined | Promise<AlertRecord | undefined>,
  ): Promise<AlertRecord | undefined> {
    const changed = await this.#store.alerts.change(tenant, id, change)
    if (changed) await this.pollSoon(changed.tenant)
    return changed
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const isDeleted = await this.#store.alerts.delete(tenant, id)
    await this.#store.watches.change(tenant, WATCH_ID, ({ alerts: { [id]: _, ...alerts }, ...watch }) => ({
      ...watch,
      alerts,
    }))
    return isDeleted
  }

  /** Has the tenant's account polled, if it has alerts: what they go by has changed. */
  async pollAgain(tenant: TenantKey): Promise<void> {
    const [first] = await this.#store.alerts.all(tenant)
    if (first) await this.pollSoon(first.tenant)
  }

  /** Whatever it waits for, and from then on with its shard. */
  async pollSoon(team: Tenant): Promise<void> {
    const [tenant, now] = [tenantKey(team), this.#now()]
    await this.#jobs.enqueue(pollQueue, `${tenant}/${now}`, { tenant: team }, new Date(now))
    await this.pollShard(shardOf(tenant))
  }

  /**
   * Has the shard's accounts polled at its next tick: once, however many ask for it.
   * @param tick the one that is being polled, which a database whose clock is ahead of this process's starts before its time
   */
  pollShard(shard: number, tick = 0): Promise<void> {
    const now = this.#now()
    const isEarly = tick > now && tick <= now + this.#everyMs
    const at = nextTick(shard, this.#everyMs, isEarly ? tick : now)
    return this.#jobs.enqueue(pollQueue, `${shard}/${at}`, { shard, at }, new Date(at))
  }

  /** After a start: a shard that has nothing to poll ends its job at its next tick. */
  async pollAll(): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1) await this.pollShard(shard)
  }
}
