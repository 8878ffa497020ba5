import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { type Account, CredentialsRejectedError, type ReadQuery } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'

export interface ServiceReply {
  readonly state: 'ok' | 'rejected' | 'unavailable'
  /** Today's incoming calls; undefined if the service's figure isn't a number. */
  readonly calls?: number | undefined
  readonly missed?: number | undefined
  /** Outgoing calls without an answer. */
  readonly unanswered?: number | undefined
}

const MAX_REPLY_AGE_MS = minuteMs

/** Counts today's calls. */
export class TodayCounts {
  readonly #services
  readonly #cache: AccountCache<ServiceReply & { readonly readAt: EpochMs }>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: 1_000_000, ttlMs: 10 * minuteMs, now })
  }

  /** Makes no request. */
  getCached(account: Account, zone: Zone): ServiceReply | undefined {
    return this.#cache.get(account, this.#createQuery(zone))
  }

  /** Makes a request only if the cached reply is more than a minute old. */
  async read(account: Account, zone: Zone): Promise<ServiceReply> {
    const { log, now } = this.#services
    const query = this.#createQuery(zone)
    const cached = this.#cache.get(account, query)
    if (cached && now() - cached.readAt < MAX_REPLY_AGE_MS) return cached
    try {
      return await this.#cache.keep(account, query, this.#count(account, query))
    } catch (error) {
      log.info({ err: error }, "reading today's calls failed")
      return { state: error instanceof CredentialsRejectedError ? 'rejected' : 'unavailable' }
    }
  }

  #createQuery(zone: Zone): ReadQuery {
    const at = new Date(this.#services.now())
    const day = localDay(zone, at)
    const { requested } = toRangeRequest(zone, { from: day, to: day }, at)
    return { direction: 'incoming', ...requested }
  }

  async #count(account: Account, query: ReadQuery) {
    const { telephony, now } = this.#services
    const [calls, missed, unanswered] = await Promise.all([
      telephony.count(account, query),
      telephony.count(account, { ...query, status: 'missed' }),
      telephony.count(account, { ...query, direction: 'outgoing', status: 'missed' }),
    ])
    return { state: 'ok', calls, missed, unanswered, readAt: now() } as const
  }
}
