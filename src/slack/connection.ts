import { BoundedMap } from '../bounded-map.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/open.ts'
import { asKey } from '../store/tenant.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { outcomeOf, type RequestOutcome, TelephonyError } from '../telephony/errors.ts'
import type { Account } from '../telephony/types.ts'

/** Not oftener than this is the same news written down. */
const everyMs = 60_000

/** How the service answered last is known to admins; what is noted costs one write a minute and workspace at most. */
export function watchConnection(
  telephony: TelephonyClient,
  deps: { store: Pick<Store, 'connection'>; log: Log; now: () => number },
): TelephonyClient {
  const { store, log, now } = deps
  const noted = new BoundedMap<RequestOutcome>({ max: 10_000, ttlMs: everyMs, now })

  async function note(tenant: string, outcome: RequestOutcome): Promise<void> {
    if (!asKey(tenant) || noted.get(tenant) === outcome) return
    noted.set(tenant, outcome)
    const before = await store.connection.get(tenant)
    const at = now()
    await store.connection.set(
      outcome === 'ok' ? { ...before, lastSuccess: at } : { ...before, lastFailure: { at, outcome } },
      tenant,
    )
  }

  async function watched<T>({ tenant }: Account, work: Promise<T>): Promise<T> {
    const noteSoon = (outcome: RequestOutcome) => {
      note(tenant, outcome).catch((error: unknown) =>
        log.warn({ err: error }, 'the connection was not noted'),
      )
    }
    try {
      const result = await work
      noteSoon('ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) noteSoon(outcomeOf(error))
      throw error
    }
  }

  return {
    calls: (account, query) => watched(account, telephony.calls(account, query)),
    callPages: (account, query) => telephony.callPages(account, query),
    agents: (account) => watched(account, telephony.agents(account)),
    billing: (account) => watched(account, telephony.billing(account)),
    invoices: (account, customerId) => watched(account, telephony.invoices(account, customerId)),
    idleSlots: (tenant) => telephony.idleSlots(tenant),
    get state() {
      return telephony.state
    },
  }
}
