import { z } from 'zod'
import type { Queue } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { type AlertRecord, type Failing, WATCH_ID, type WatchRecord } from '../../store/alerts.ts'
import { getShard, SHARDS } from '../../store/engine/rows.ts'
import { type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import type { Zone } from '../../time/zones.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { isNotable } from './failing.ts'

const shardJobSchema = z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() })
export type ShardJob = z.infer<typeof shardJobSchema>
/** Polls all accounts of a shard. */
export const shardQueue: Queue<ShardJob> = { name: 'alert-polls', schema: shardJobSchema }

const slowJobSchema = z.object({ tenant: tenantRecord })
export type SlowJob = z.infer<typeof slowJobSchema>
/** Polls one account that is too slow for its shard. */
export const slowQueue: Queue<SlowJob> = { name: 'slow-alert-polls', schema: slowJobSchema }

export interface AlertWithState {
  readonly alert: AlertRecord
  /** Time zone of the channel. */
  readonly zone: Zone
  readonly postedAt: EpochMs | undefined
  /** Why nothing is posted at present, if people should know. */
  readonly failing: Failing | undefined
  /** True if `failing` is the account's, which can't be polled; false if it is the alert's own. */
  readonly isAccountFailing: boolean
}

/** Returns the shard's first tick after an instant; the ticks of all shards are spread over the interval. */
export function getNextTick(shard: number, intervalMs: Milliseconds, after: EpochMs): EpochMs {
  const phase = Math.floor((shard * intervalMs) / SHARDS)
  return (Math.floor((after - phase) / intervalMs) + 1) * intervalMs + phase
}

/** Alerts of all tenants, the jobs that poll for them, and each tenant's watch: the stored state of its polling. */
export class Alerts {
  readonly #services
  readonly #store

  constructor(
    services: Pick<Services, 'workspaces' | 'jobs' | 'now'> & {
      readonly store: Pick<Services['store'], 'alerts' | 'watches'>
      readonly config: Pick<Services['config'], 'alertEveryMs'>
    },
  ) {
    this.#services = services
    this.#store = services.store
  }

  get(tenant: TenantKey, id: string): Promise<AlertRecord | undefined> {
    return this.#store.alerts.get(tenant, id)
  }

  all(tenant: TenantKey): Promise<readonly AlertRecord[]> {
    return this.#store.alerts.all(tenant)
  }

  countMalformed(tenant: TenantKey): Promise<number> {
    return this.#store.alerts.countMalformed(tenant)
  }

  async list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const [all, watch] = await Promise.all([this.all(tenant), this.#store.watches.get(tenant, WATCH_ID)])
    const { workspaces } = this.#services
    const now = this.#services.now()
    return Promise.all(
      all.map(async (alert) => {
        const { zone } = await workspaces.zone(tenant, alert.channel)
        const state = watch?.alerts[alert.id]
        const failing = [state?.failing, watch?.failing].find((one) => one && isNotable(one, now))
        const isAccountFailing = failing !== undefined && failing === watch?.failing
        return { alert, zone, postedAt: state?.message?.postedAt, failing, isAccountFailing }
      }),
    )
  }

  async add(alert: AlertRecord): Promise<AlertRecord> {
    const tenant = tenantKey(alert.tenant)
    await this.#store.alerts.set(tenant, alert.id, alert)
    if (!(await this.#store.watches.get(tenant, WATCH_ID)))
      await this.#store.watches.set(tenant, WATCH_ID, {
        tenant: alert.tenant,
        since: alert.since,
        alerts: {},
      })
    await this.enqueueShard(getShard(tenant))
    return alert
  }

  /** Changes an alert; if it or its account was failing, the next poll tries again. */
  async change(
    tenant: TenantKey,
    id: string,
    change: (alert: AlertRecord) => AlertRecord | undefined | Promise<AlertRecord | undefined>,
  ): Promise<AlertRecord | undefined> {
    const changed = await this.#store.alerts.change(tenant, id, change)
    if (!changed) return undefined
    await this.retry(tenant)
    await this.enqueueShard(getShard(tenant))
    return changed
  }

  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const isDeleted = await this.#store.alerts.delete(tenant, id)
    await this.#store.watches.change(tenant, WATCH_ID, ({ alerts: { [id]: _, ...others }, ...watch }) => ({
      ...watch,
      alerts: others,
    }))
    return isDeleted
  }

  /** Lets the next poll retry at once, because the cause of a failure may be fixed. */
  async retry(tenant: TenantKey): Promise<void> {
    const now = this.#services.now()
    const retryNow = <T extends Pick<WatchRecord, 'failing'>>(failed: T): T =>
      failed.failing ? { ...failed, failing: { ...failed.failing, retryAt: now } } : failed
    await this.#store.watches.change(tenant, WATCH_ID, (watch) => {
      const states = Object.entries(watch.alerts)
      if (!watch.failing && states.every(([, { failing }]) => !failing)) return undefined
      return {
        ...retryNow(watch),
        alerts: Object.fromEntries(states.map(([id, state]) => [id, retryNow(state)])),
      }
    })
  }

  /**
   * Enqueues the shard's next run; repeated calls enqueue it only once.
   * @param tick of the current run; still in the future if the database's clock is ahead and started it early
   */
  enqueueShard(shard: number, tick = 0): Promise<void> {
    const { jobs, config } = this.#services
    const now = this.#services.now()
    const isEarly = tick > now && tick <= now + config.alertEveryMs
    const at = getNextTick(shard, config.alertEveryMs, isEarly ? tick : now)
    return jobs.enqueue(shardQueue, `${shard}/${at}`, { shard, at }, new Date(at))
  }

  async enqueueSlow(tenant: SlowJob['tenant']): Promise<void> {
    const { jobs, now } = this.#services
    await jobs.enqueue(slowQueue, tenantKey(tenant), { tenant }, new Date(now()))
  }

  /** Enqueues the next run of each shard with alerts; writes nothing if it is already enqueued. */
  async restoreJobs(): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1)
      if ((await this.#store.alerts.inShard(shard)).length > 0) await this.enqueueShard(shard)
  }
}
