import type { Log } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import type { ConnectionRecord } from '../../store/workspaces.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { outcomeOf, type RequestOutcome, TelephonyError } from '../../telephony/errors.ts'
import type { Account } from '../../telephony/types.ts'
import { BoundedMap } from '../../util/bounded-map.ts'

export interface Connection {
  /** The client, watched. */
  readonly telephony: TelephonyClient
  /** How the service has answered a tenant of late: to the second where this process asked it, to the hour otherwise. */
  of(tenant: TenantKey): Promise<ConnectionRecord | undefined>
  forget(tenant: TenantKey): void
}

const hourMs = 60 * 60_000

/** What was seen, and whether it was good when it was last written down. */
interface Seen {
  readonly record: ConnectionRecord
  readonly writtenAt: number
  readonly writtenOutcome: RequestOutcome
}

/** Another process may know better. */
function latest(stored: ConnectionRecord | undefined, seen: ConnectionRecord): ConnectionRecord {
  const success = Math.max(stored?.lastSuccess ?? 0, seen.lastSuccess ?? 0)
  const isSeenLater = (seen.lastFailure?.at ?? 0) >= (stored?.lastFailure?.at ?? 0)
  return {
    lastSuccess: success === 0 ? undefined : success,
    lastFailure: isSeenLater ? seen.lastFailure : stored?.lastFailure,
  }
}

/**
 * Keeps for admins how the service has answered. In memory, and in the store once an hour and when it changes: a write for
 * each request made an interaction of one among 10,000 workspaces half as dear again.
 */
export function watchConnection(
  telephony: TelephonyClient,
  deps: { store: Pick<Store, 'connection'>; log: Log; now: () => number },
): Connection {
  const { store, log, now } = deps
  const known = new BoundedMap<Seen>({ max: 10_000, ttlMs: hourMs, now })

  function note(tenant: string, outcome: RequestOutcome): void {
    if (!isTenantKey(tenant)) return
    const at = now()
    const before = known.get(tenant)
    const news: ConnectionRecord = outcome === 'ok' ? { lastSuccess: at } : { lastFailure: { at, outcome } }
    const record = { ...before?.record, ...news }
    if (before?.writtenOutcome === outcome && at - before.writtenAt < hourMs) {
      known.set(tenant, { ...before, record })
      return
    }
    known.set(tenant, { record, writtenAt: at, writtenOutcome: outcome })
    write(tenant, news).catch((error: unknown) => log.warn({ err: error }, 'the connection was not noted'))
  }

  async function write(tenant: TenantKey, news: ConnectionRecord): Promise<void> {
    await store.connection.set({ ...(await store.connection.get(tenant)), ...news }, tenant)
  }

  async function watched<T>({ tenant }: Account, work: Promise<T>): Promise<T> {
    try {
      const result = await work
      note(tenant, 'ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) note(tenant, outcomeOf(error))
      throw error
    }
  }

  return {
    telephony: {
      calls: (account, query) => watched(account, telephony.calls(account, query)),
      callPages: (account, query) => telephony.callPages(account, query),
      agents: (account) => watched(account, telephony.agents(account)),
      billing: (account) => watched(account, telephony.billing(account)),
      invoices: (account, customerId) => watched(account, telephony.invoices(account, customerId)),
      idleSlots: (tenant) => telephony.idleSlots(tenant),
      get state() {
        return telephony.state
      },
    },
    forget: (tenant) => known.delete(tenant),
    async of(tenant) {
      const stored = await store.connection.get(tenant)
      const seen = known.get(tenant)?.record
      return seen === undefined ? stored : latest(stored, seen)
    },
  }
}
