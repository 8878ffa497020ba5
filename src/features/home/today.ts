import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { type Account, CredentialsRejectedError, type ReadQuery } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { minuteMs } from '../../util/units.ts'

export interface ServiceReply {
  readonly state: 'ok' | 'rejected' | 'unavailable'
  /** Today's incoming calls; undefined if the service's figure isn't a number. */
  readonly calls?: number | undefined
  readonly missed?: number | undefined
  /** Outgoing calls without an answer. */
  readonly unanswered?: number | undefined
}

/** Counts today's calls, at most once a minute. */
export class TodayCounts {
  readonly #services
  readonly #cache: AccountCache<ServiceReply>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: 1_000_000, ttlMs: minuteMs, now })
  }

  /** Makes no request. */
  getCached(account: Account, zone: Zone): ServiceReply | undefined {
    return this.#cache.get(account, this.#createQuery(zone))
  }

  async read(account: Account, zone: Zone): Promise<ServiceReply> {
    const query = this.#createQuery(zone)
    try {
      return await this.#cache.getOrRead(account, query, () => this.#count(account, query))
    } catch (error) {
      this.#services.log.info({ err: error }, "reading today's calls failed")
      return { state: error instanceof CredentialsRejectedError ? 'rejected' : 'unavailable' }
    }
  }

  #createQuery(zone: Zone): ReadQuery {
    const at = new Date(this.#services.now())
    const day = localDay(zone, at)
    const { requested } = toRangeRequest(zone, { from: day, to: day }, at)
    return { direction: 'incoming', ...requested }
  }

  async #count(account: Account, query: ReadQuery): Promise<ServiceReply> {
    const { telephony } = this.#services
    const [calls, missed, unanswered] = await Promise.all([
      telephony.count(account, query),
      telephony.count(account, { ...query, status: 'missed' }),
      telephony.count(account, { ...query, direction: 'outgoing', status: 'missed' }),
    ])
    return { state: 'ok', calls, missed, unanswered }
  }
}
