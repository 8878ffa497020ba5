import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { RateLimitedError, ServiceUnavailableError } from '../../telephony/errors.ts'
import type { Account, CallPage, CallQuery } from '../../telephony/types.ts'
import { BoundedMap } from '../../util/bounded-map.ts'

export interface Pages {
  /** @param options.known a page that was fetched ahead will do @throws {TelephonyError} */
  get(account: Account, query: CallQuery, options?: { known?: boolean }): Promise<CallPage>
  /** Fetches a page that will probably be asked for next, if there is nothing better to do. */
  fetchAhead(account: Account, query: CallQuery): void
  forget(tenant: string): void
}

const restMs = 30_000

/** Pages of calls, each kept for 60 s and a bounded number of them. */
export function createPages(options: {
  telephony: TelephonyClient
  now: () => number
  log: Log
  fetchAhead: boolean
  /** Whether the process has better things to do than to fetch ahead. */
  isBusy: () => boolean
  metrics: Pick<Metrics, 'lookup'>
}): Pages {
  const { telephony, now, log } = options
  const kept = new BoundedMap<CallPage>({ max: 500, ttlMs: 60_000, now })
  const resting = new BoundedMap<true>({ max: 1000, ttlMs: restMs, now })
  const keyOf = ({ tenant, credentials }: Account, query: CallQuery) =>
    `${tenant} ${credentials.key} ${JSON.stringify(query)}`

  async function fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const page = await telephony.calls(account, query)
    if (options.fetchAhead) kept.set(keyOf(account, query), page)
    return page
  }

  return {
    forget: (tenant) => kept.deleteUnder(`${tenant} `),
    async get(account, query, { known = false } = {}) {
      const ready = known && options.fetchAhead ? kept.get(keyOf(account, query)) : undefined
      if (known && options.fetchAhead) options.metrics.lookup('page', ready !== undefined)
      return ready ?? fetch(account, query)
    },

    fetchAhead(account, query) {
      if (!options.fetchAhead || options.isBusy() || resting.get(account.tenant)) return
      if (telephony.idleSlots(account.tenant) === 0 || kept.get(keyOf(account, query))) return
      fetch(account, query).catch((error: unknown) => {
        // Nobody waits for it; a service in trouble is left alone for a while.
        const isTrouble = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
        if (isTrouble) resting.set(account.tenant, true)
        log.debug(
          { cause: error instanceof Error ? error.message : 'unknown' },
          'a page was not fetched ahead',
        )
      })
    },
  }
}
