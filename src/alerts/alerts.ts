import { randomUUID } from 'node:crypto'
import type { Jobs } from '../jobs/jobs.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import type { AlertRecord, AlertTrouble, WatchRecord } from '../store/alerts.ts'
import type { Generation } from '../store/generations.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching } from './alert-state.ts'
import { phaseOf } from './pace.ts'

/** An alert, and what has become of it so far. */
export interface AlertWithState {
  readonly alert: AlertRecord
  /** The channel's. */
  readonly zone: Zone
  /** When the service was last asked for it and answered; none: not yet. */
  readonly lookedAt: EpochMs | undefined
  /** When it last sent a message; none: never yet. */
  readonly postedAt: EpochMs | undefined
  /** Why it says nothing at present, though nobody paused it. */
  readonly trouble: AlertTrouble | undefined
}

const newId = () => randomUUID().slice(0, 8)

/** The queue of the jobs that watch. */
export const WATCH_QUEUE = 'alert-watches'
const enqueuedAtATime = 500
/** A process may be killed between the change of an alert and the word of it. */
const rememberedForMs: Milliseconds = 10 * 60_000

const sameAgents = (one: AlertRecord, other: AlertRecord) =>
  one.agents.length === other.agents.length &&
  one.agents.every(({ id }) => other.agents.some((agent) => agent.id === id))

/** The alerts of all tenants, and that their accounts are watched. Every method @throws {StoreError}. */
export class Alerts {
  readonly #services
  /** By tenant, as of a version. */
  readonly #read: BoundedMap<{ readonly version: string; readonly alerts: readonly AlertRecord[] }>
  /** By tenant: when this process looked last, and the service answered. */
  readonly #looked: BoundedMap<EpochMs>

  constructor(services: {
    store: Pick<Store, 'alerts' | 'alertStates' | 'watches' | 'credentials' | 'generations' | 'on'>
    workspaces: Workspaces
    jobs: Jobs
    everyMs: Milliseconds
    now: () => EpochMs
  }) {
    const { store, now } = services
    this.#services = services
    this.#read = new BoundedMap({ max: 20_000, ttlMs: rememberedForMs, now })
    this.#looked = new BoundedMap({ max: 20_000, now })
    store.on('tenant-deleted', (tenant) => {
      this.#read.delete(tenant)
      this.#looked.delete(tenant)
    })
  }

  /**
   * Keeps an alert that a person made or changed, and watches its account.
   * @returns `false` where the tenant was deleted meanwhile, and nothing is kept
   */
  async keep(alert: AlertRecord): Promise<boolean> {
    const { store, now } = this.#services
    const tenant = tenantKey(alert.tenant)
    const generation = await store.generations.of(tenant)
    const [before, state] = await Promise.all([
      store.alerts.get(tenant, alert.id),
      store.alertStates.get(tenant, alert.id),
    ])
    // What was seen was seen of the agents that it had.
    const isOfOthers = before !== undefined && !sameAgents(before, alert)
    const since = isOfOthers ? Math.max(alert.since, now()) : alert.since
    if (!state) await store.alertStates.set(generation, alert.id, { alertId: alert.id })
    if (!(await store.alerts.set(generation, alert.id, { ...alert, since }))) return false
    await this.watch(alert.tenant, generation)
    return true
  }

  /** The tenant's, in the order in which they were made. */
  async list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const { store, workspaces } = this.#services
    const [alerts, watch] = await Promise.all([store.alerts.all(tenant), store.watches.get(tenant)])
    const lookedAt = this.lookedAt(tenant, watch)
    return Promise.all(
      alerts.map(async (alert) => {
        const [{ zone }, state] = await Promise.all([
          workspaces.zone(tenant, alert.channel),
          store.alertStates.get(tenant, alert.id),
        ])
        const trouble = state?.trouble ?? watch?.trouble
        return { alert, zone, lookedAt, postedAt: state?.postedAt, trouble }
      }),
    )
  }

  /** What `TenantRows.change` does; whoever watches knows of it at the next look. */
  async change(
    tenant: TenantKey,
    id: string,
    change: (alert: AlertRecord) => AlertRecord | undefined,
  ): Promise<AlertRecord | undefined> {
    const { store } = this.#services
    const changed = await store.alerts.change(tenant, id, change)
    if (changed) await this.watch(changed.tenant, await store.generations.of(tenant))
    return changed
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const { store } = this.#services
    await store.alertStates.delete(tenant, id)
    const isDeleted = await store.alerts.delete(tenant, id)
    await store.watches.change(tenant, (watch) => ({ ...watch, version: newId() }))
    return isDeleted
  }

  /** The tenant's as they were at that version of its watch. */
  async ofVersion(tenant: TenantKey, version = ''): Promise<readonly AlertRecord[]> {
    const known = this.#read.get(tenant)
    if (known?.version === version) return known.alerts
    const alerts = await this.#services.store.alerts.all(tenant)
    this.#read.set(tenant, { version, alerts })
    return alerts
  }

  /** To the second where this process looked, to a few minutes otherwise. */
  lookedAt(tenant: TenantKey, watch: WatchRecord | undefined): EpochMs | undefined {
    const latest = Math.max(watch?.lookedAt ?? 0, this.#looked.get(tenant) ?? 0)
    return latest === 0 ? undefined : latest
  }

  noteLook(tenant: TenantKey, at: EpochMs): void {
    this.#looked.set(tenant, at)
  }

  /** Has the tenant's account looked at now, and from then on; whatever job did so ends at its next turn. */
  async watch(team: Tenant, generation: Generation): Promise<void> {
    const { store, jobs, now } = this.#services
    const run = newId()
    // What failed may do better now.
    const begun = { run, version: newId(), due: now(), failing: undefined }
    const tenant = generation.key
    const changed = await store.watches.change(tenant, (watch) => ({ ...watch, ...begun }))
    if (!changed) await store.watches.setIn(generation, begun)
    await jobs.enqueue(WATCH_QUEUE, `${tenant}/${run}`, { tenant: team, run }, new Date(now()))
  }

  /** The same where the tenant has alerts: what they go by has changed. */
  async watchAgain(tenant: TenantKey): Promise<void> {
    const { store } = this.#services
    const [first] = await store.alerts.all(tenant)
    if (first) await this.watch(first.tenant, await store.generations.of(tenant))
  }

  /** Enqueues a job for each account that is to be watched, unless there is one, for what an ended process left undone. */
  async watchAll(): Promise<void> {
    const { store, jobs, everyMs, now } = this.#services
    const enqueue = async (teams: ReadonlyMap<TenantKey, Tenant>) => {
      const found = await Promise.all([...teams].map(([key, team]) => this.#jobOf(key, team)))
      const spread = (tenant: TenantKey) => new Date(now() + phaseOf(tenant, everyMs))
      await jobs.enqueueAll(
        WATCH_QUEUE,
        found.map(({ tenant, ...job }) => ({ ...job, at: spread(tenant) })),
      )
    }
    let teams = new Map<TenantKey, Tenant>()
    for await (const alert of store.alerts.scan()) {
      const key = tenantKey(alert.tenant)
      if (!teams.has(key) && teams.size >= enqueuedAtATime) {
        await enqueue(teams)
        teams = new Map()
      }
      if (isWatching(alert)) teams.set(key, alert.tenant)
    }
    await enqueue(teams)
  }

  async #jobOf(tenant: TenantKey, team: Tenant) {
    const { store } = this.#services
    const watch = await store.watches.get(tenant)
    let { run } = watch ?? {}
    if (run === undefined) {
      const generation = await store.generations.of(tenant)
      const own = { run: newId() }
      // Another process may be at the same.
      const changed = await store.watches.change(tenant, (current) => ({ ...own, ...current }))
      if (!changed) await store.watches.setIn(generation, own)
      run = changed?.run ?? own.run
    }
    return { tenant, id: `${tenant}/${run}`, data: { tenant: team, run } }
  }
}
