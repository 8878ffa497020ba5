import type { Services } from '../../services.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import type { ConnectionRecord } from '../../store/workspaces.ts'
import type { OperationOutcome } from '../../telephony/client.ts'
import type { RequestOutcome } from '../../telephony/errors.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

const storeEveryMs: Milliseconds = 60 * 60_000

/** What this process has observed, and when and with which outcome it last went to the store. */
interface Observation {
  readonly record: ConnectionRecord
  readonly storedAt: EpochMs
  /** The outcome that went there, with its HTTP status. */
  readonly stored: string
}

/** Nothing was sent: it says nothing of the service, and would hide what did. */
const isOurOwn = (outcome: RequestOutcome, { lastSuccess = 0, lastFailure }: ConnectionRecord): boolean =>
  outcome === 'busy' || (outcome === 'resting' && (lastFailure?.at ?? 0) > lastSuccess)

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
    telephony.on('outcome', (told) => this.#observe(told))
    store.on('tenant-deleted', (tenant) => this.#observations.delete(tenant))
  }

  /** To the second where this process asked the service, to the hour otherwise. @throws {StoreError} */
  async of(tenant: TenantKey): Promise<ConnectionRecord | undefined> {
    const stored = await this.#services.store.connection.get(tenant)
    const observed = this.#observations.get(tenant)?.record
    return observed === undefined ? stored : latest(stored, observed)
  }

  #observe({ tenant, outcome, status }: OperationOutcome): void {
    if (!isTenantKey(tenant)) return
    const at = this.#services.now()
    const previous = this.#observations.get(tenant)
    if (isOurOwn(outcome, previous?.record ?? {})) return
    const change: ConnectionRecord =
      outcome === 'ok' ? { lastSuccess: at } : { lastFailure: { at, outcome, status } }
    const record = { ...previous?.record, ...change }
    const stored = `${outcome} ${status ?? ''}`
    if (previous?.stored === stored && at - previous.storedAt < storeEveryMs) {
      this.#observations.set(tenant, { ...previous, record })
      return
    }
    this.#observations.set(tenant, { record, storedAt: at, stored })
    this.#write(tenant, change).catch((error: unknown) => {
      this.#services.log.warn({ err: error }, 'the connection was not noted')
    })
  }

  /** Of an account that is connected by now: an answer may come after everything of the workspace was deleted. */
  async #write(tenant: TenantKey, change: ConnectionRecord): Promise<void> {
    const { connection, credentials } = this.#services.store
    const record = { ...(await connection.get(tenant)), ...change }
    const isConnected = await credentials.has(tenant)
    if (isConnected) await connection.set(record, tenant)
    // What is tried before it is kept is noted by the next answer.
    if (!isConnected) this.#observations.delete(tenant)
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
