import { randomUUID } from 'node:crypto'
import type { Jobs } from '../jobs/jobs.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import type { AlertRecord, AlertTrouble, WatchRecord } from '../store/alerts.ts'
import { whereWellFormed } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { Watches } from './watches.ts'

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

/** A process may be killed between the change of an alert and the word of it. */
const rememberedForMs: Milliseconds = 10 * 60_000

const sameAgents = (one: AlertRecord, other: AlertRecord) =>
  one.agents.length === other.agents.length &&
  one.agents.every(({ id }) => other.agents.some((agent) => agent.id === id))

/** The alerts of all tenants, and that their accounts are watched. Every method @throws {StoreError}. */
export class Alerts {
  readonly #services
  readonly #watches
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
    this.#watches = new Watches(services)
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
      // A change of the alert mends it.
      whereWellFormed(store.alertStates.get(tenant, alert.id)),
    ])
    // What was seen was seen of the agents that it had.
    const isOfOthers = before !== undefined && !sameAgents(before, alert)
    const since = isOfOthers ? Math.max(alert.since, now()) : alert.since
    if (!state) await store.alertStates.set(generation, alert.id, { alertId: alert.id })
    if (!(await store.alerts.set(generation, alert.id, { ...alert, since }))) return false
    await this.#watches.begin(alert.tenant, generation)
    return true
  }

  /** The tenant's, in the order in which they were made. */
  async list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const { store, workspaces } = this.#services
    const [alerts, watch] = await Promise.all([
      store.alerts.all(tenant),
      whereWellFormed(store.watches.get(tenant)),
    ])
    const lookedAt = this.lookedAt(tenant, watch)
    return Promise.all(
      alerts.map(async (alert) => {
        const [{ zone }, state] = await Promise.all([
          workspaces.zone(tenant, alert.channel),
          whereWellFormed(store.alertStates.get(tenant, alert.id)),
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
    if (changed) await this.#watches.begin(changed.tenant, await store.generations.of(tenant))
    return changed
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const { store } = this.#services
    const isDeleted = await store.alerts.delete(tenant, id)
    // After it: a look that is under way makes no row for an alert that is not there.
    await store.alertStates.delete(tenant, id)
    await store.watches.change(tenant, (watch) => ({ ...watch, version: randomUUID() }))
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

  /** Has the tenant's account looked at, now unless said otherwise, if it has alerts: what they go by has changed. */
  async watchAgain(tenant: TenantKey, at?: EpochMs): Promise<void> {
    const { store } = this.#services
    const [first] = await store.alerts.all(tenant)
    if (first) await this.#watches.begin(first.tenant, await store.generations.of(tenant), at)
  }

  /** Sees to it that there is the job that the account's row names. */
  enqueueWatch(team: Tenant, run: string): Promise<void> {
    return this.#watches.enqueue(team, run)
  }

  /** Sees to it that each account that is to be watched is, for what an ended process left undone. */
  watchAll(): Promise<void> {
    return this.#watches.beginAll()
  }
}
