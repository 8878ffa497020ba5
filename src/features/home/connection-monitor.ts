import type { Services } from '../../services.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import type { ConnectionRecord } from '../../store/workspaces.ts'
import type { RequestOutcome } from '../../telephony/errors.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

const storeEveryMs: Milliseconds = 60 * 60_000

/** What this process has observed, and when and with which outcome it last went to the store. */
interface Observation {
  readonly record: ConnectionRecord
  readonly storedAt: EpochMs
  readonly storedOutcome: RequestOutcome
}

/**
 * Keeps for admins how the service has responded. In memory, and in the store once an hour and when it changes: a write for
 * each request made an interaction of one among 10,000 workspaces half as dear again.
 */
export class ConnectionMonitor {
  readonly #services
  readonly #observations: BoundedMap<Observation>

  constructor(services: Pick<Services, 'store' | 'telephony' | 'log' | 'now'>) {
    const { telephony, store, now } = services
    this.#services = services
    this.#observations = new BoundedMap({ max: 10_000, ttlMs: storeEveryMs, now })
    telephony.on('outcome', ({ tenant, outcome }) => this.#observe(tenant, outcome))
    store.on('tenant-deleted', (tenant) => this.#observations.delete(tenant))
  }

  /** To the second where this process asked the service, to the hour otherwise. @throws {StoreError} */
  async of(tenant: TenantKey): Promise<ConnectionRecord | undefined> {
    const stored = await this.#services.store.connection.get(tenant)
    const observed = this.#observations.get(tenant)?.record
    return observed === undefined ? stored : latest(stored, observed)
  }

  #observe(tenant: string, outcome: RequestOutcome): void {
    if (!isTenantKey(tenant)) return
    const at = this.#services.now()
    const previous = this.#observations.get(tenant)
    const change: ConnectionRecord = outcome === 'ok' ? { lastSuccess: at } : { lastFailure: { at, outcome } }
    const record = { ...previous?.record, ...change }
    if (previous?.storedOutcome === outcome && at - previous.storedAt < storeEveryMs) {
      this.#observations.set(tenant, { ...previous, record })
      return
    }
    this.#observations.set(tenant, { record, storedAt: at, storedOutcome: outcome })
    this.#write(tenant, change).catch((error: unknown) => {
      this.#services.log.warn({ err: error }, 'the connection was not noted')
    })
  }

  async #write(tenant: TenantKey, change: ConnectionRecord): Promise<void> {
    const { connection } = this.#services.store
    await connection.set({ ...(await connection.get(tenant)), ...change }, tenant)
  }
}

/** Another process may know better. */
function latest(stored: ConnectionRecord | undefined, observed: ConnectionRecord): ConnectionRecord {
  const success = Math.max(stored?.lastSuccess ?? 0, observed.lastSuccess ?? 0)
  const isObservedLater = (observed.lastFailure?.at ?? 0) >= (stored?.lastFailure?.at ?? 0)
  return {
    lastSuccess: success === 0 ? undefined : success,
    lastFailure: isObservedLater ? observed.lastFailure : stored?.lastFailure,
  }
}
