import type { Jobs } from '../jobs/jobs.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import type { AlertRecord, AlertTrouble } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { type TenantKey, tenantKey } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs } from '../util/units.ts'

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

/** The alerts of all tenants, and that their accounts are watched. Every method @throws {StoreError}. */
export class Alerts {
  readonly #services

  constructor(services: {
    store: Pick<Store, 'alerts' | 'alertStates' | 'watches' | 'generations'>
    workspaces: Workspaces
    jobs: Jobs
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /**
   * Keeps an alert that a person made or changed, and watches its account.
   * @returns `false` where the tenant was deleted meanwhile, and nothing is kept
   */
  async keep(alert: AlertRecord): Promise<boolean> {
    const { store } = this.#services
    const generation = await store.generations.of(tenantKey(alert.tenant))
    return store.alerts.set(generation, alert.id, alert)
  }

  /** The tenant's, in the order in which they were made. */
  async list(tenant: TenantKey): Promise<readonly AlertWithState[]> {
    const { store, workspaces } = this.#services
    const [alerts, watch] = await Promise.all([store.alerts.all(tenant), store.watches.get(tenant)])
    return Promise.all(
      alerts.map(async (alert) => {
        const [{ zone }, state] = await Promise.all([
          workspaces.zone(tenant, alert.channel),
          store.alertStates.get(tenant, alert.id),
        ])
        return {
          alert,
          zone,
          lookedAt: watch?.lookedAt,
          postedAt: state?.postedAt,
          trouble: state?.trouble ?? watch?.trouble,
        }
      }),
    )
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const { store } = this.#services
    await store.alertStates.delete(tenant, id)
    return store.alerts.delete(tenant, id)
  }
}
