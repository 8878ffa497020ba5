import type { Log } from '../../log.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/store.ts'
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
  readonly #store: Pick<Store, 'connection' | 'credentials'>
  readonly #log: Log
  readonly #now: () => EpochMs
  readonly #observations: BoundedMap<Observation>

  constructor({ store, telephony, log, now }: Pick<Services, 'store' | 'telephony' | 'log' | 'now'>) {
    this.#store = store
    this.#log = log
    this.#now = now
    this.#observations = new BoundedMap({ max: 10_000, ttlMs: storeEveryMs, now })
    telephony.on('outcome', (outcome) => this.#observe(outcome))
    store.on('tenant-deleted', (tenant) => this.#observations.delete(tenant))
  }

  /** To the second where this process asked the service, to the hour otherwise. @throws {StoreError} */
  async of(tenant: TenantKey): Promise<ConnectionRecord | undefined> {
    const stored = await this.#store.connection.get(tenant)
    const observed = this.#observations.get(tenant)?.record
    if (!stored || !observed) return observed ?? stored
    // Another process may know better.
    const success = Math.max(stored.lastSuccess ?? 0, observed.lastSuccess ?? 0)
    const isObservedLater = (observed.lastFailure?.at ?? 0) >= (stored.lastFailure?.at ?? 0)
    return {
      lastSuccess: success === 0 ? undefined : success,
      lastFailure: isObservedLater ? observed.lastFailure : stored.lastFailure,
    }
  }

  #observe({ tenant, outcome, status }: OperationOutcome): void {
    if (!isTenantKey(tenant)) return
    const at = this.#now()
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
      this.#log.warn({ err: error }, 'the connection was not noted')
    })
  }

  /** Of an account that is connected by now: an answer may come after everything of the workspace was deleted. */
  async #write(tenant: TenantKey, change: ConnectionRecord): Promise<void> {
    const record = { ...(await this.#store.connection.get(tenant)), ...change }
    if (await this.#store.credentials.has(tenant)) await this.#store.connection.set(record, tenant)
    // What is tried before it is kept is noted by the next answer.
    else this.#observations.delete(tenant)
  }
}
