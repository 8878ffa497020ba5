import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { type Account, CredentialsRejectedError } from '../../telephony/types.ts'
import { rangeOffset } from '../../time/ranges.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'

/** The phone service's reply to the Home tab's own request. */
export type ServiceReply =
  /** Today's incoming calls; no figures if the service sent no totals. */
  | {
      readonly kind: 'ok'
      readonly figures?: { readonly calls: number; readonly missed: number } | undefined
    }
  | { readonly kind: 'rejected' | 'unavailable' }

const MAX_AGE_WHEN_OPENED_MS = minuteMs
const CACHE_TTL_MS = 10 * minuteMs
const MAX_CACHE_BYTES = 1_000_000

/** Counts today's calls for the Home tab. */
export class TodayReader {
  readonly #services
  readonly #cache: AccountCache<{ readonly reply: ServiceReply; readonly readAt: EpochMs }>

  constructor(services: Pick<Services, 'store' | 'telephony' | 'log' | 'now'>) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_CACHE_BYTES, ttlMs: CACHE_TTL_MS, now })
  }

  /**
   * Returns a reply that is at most a minute old if the person opened the tab. For a redraw, returns only a cached one of the
   * last ten minutes, or `undefined`.
   */
  async read(account: Account, zone: Zone, isOpened: boolean): Promise<ServiceReply | undefined> {
    const { telephony, log, now } = this.#services
    const at = new Date(now())
    const day = localDay(zone, at)
    const range = { from: day, to: day }
    const query = { direction: 'incoming', offset: rangeOffset(zone, range, at), ...range, page: 1 } as const
    const cached = this.#cache.get(account, query)
    if (!isOpened || (cached && at.getTime() - cached.readAt < MAX_AGE_WHEN_OPENED_MS)) return cached?.reply
    const reading = Promise.all([
      telephony.calls(account, query),
      telephony.calls(account, { ...query, status: 'missed' }),
    ]).then(([{ total: calls }, { total: missed }]) => {
      const figures = calls === undefined || missed === undefined ? undefined : { calls, missed }
      return { reply: { kind: 'ok' as const, figures }, readAt: now() }
    })
    try {
      return (await this.#cache.keep(account, query, reading)).reply
    } catch (error) {
      log.info({ err: error }, "reading today's calls failed")
      return { kind: error instanceof CredentialsRejectedError ? 'rejected' : 'unavailable' }
    }
  }
}
