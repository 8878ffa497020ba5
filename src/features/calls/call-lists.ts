import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Answer, ApologyOffers } from '../../slack/deliver/answer.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { RateLimitedError, ServiceUnavailableError } from '../../telephony/errors.ts'
import { type Account, type CallPage, type CallQuery, nextPage } from '../../telephony/types.ts'
import { localDay } from '../../time/zones.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'
import { alertFilter, type CallFilter, NumberSearch, numberFilter, slicePage } from './number-search.ts'
import { Takers } from './open-alerts.ts'
import { findAgentNames } from './own-agent.ts'
import { callsActions, type ListQuery, toScanQueries, withSearchedDays } from './query.ts'
import { withAgentName } from './query-command.ts'
import { countText, getSharePlace, type SharedPage } from './sharing.ts'
import { type CallsView, callsMessage, sharedCalls } from './view.ts'
import { requestText } from './words.ts'

const MAX_PAGE_BYTES = 10_000_000
const PAGE_TTL_MS: Milliseconds = 60_000
/** No prefetching for so long after a failure. */
const REST_MS: Milliseconds = 30_000

/** Fetches, caches and prefetches pages of calls. */
class CallPages {
  readonly #services
  readonly #pages: AccountCache<CallPage>
  /** Tenants whose prefetching rests. */
  readonly #resting: Cache<true>

  constructor(services: Pick<Services, 'config' | 'store' | 'telephony' | 'metrics' | 'log' | 'now'>) {
    const { store, now } = services
    this.#services = services
    this.#pages = new AccountCache(store, { maxBytes: MAX_PAGE_BYTES, ttlMs: PAGE_TTL_MS, now })
    this.#resting = createCache({ max: 1000, ttlMs: REST_MS, now })
  }

  /** @param allowCached whether to use a page of the last minute */
  async get(account: Account, query: CallQuery, allowCached: boolean): Promise<CallPage> {
    const { config, metrics } = this.#services
    if (!allowCached || !config.fetchAhead) return this.#fetch(account, query)
    const page = this.#pages.get(account, query)
    metrics.count('cache_lookups_total', { cache: 'page', result: page === undefined ? 'miss' : 'hit' })
    return page ?? this.#fetch(account, query)
  }

  /** Prefetches a page if the account has nothing else to do. */
  fetchAhead(account: Account, query: CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#resting.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#pages.get(account, query)) return
    this.#fetch(account, query).catch((error: unknown) => {
      const isTrouble = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
      if (isTrouble) this.#resting.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  #fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const { config, telephony } = this.#services
    const reading = telephony.calls(account, query)
    if (!config.fetchAhead) return reading
    // Parsed now, so that the cache knows the page's size.
    const parsed = reading.then(({ calls, page, total }) => ({ calls, page, total }))
    return this.#pages.keep(account, query, parsed)
  }
}

interface LoadOptions {
  /** Whether a recent page or search is recent enough, as for paging. */
  readonly allowCached?: boolean
}

/** Loads lists of calls and builds their messages. */
export class CallLists {
  readonly #services
  readonly #pages
  readonly #search
  readonly #takers

  constructor(services: Services) {
    this.#services = services
    this.#pages = new CallPages(services)
    this.#search = new NumberSearch(services)
    this.#takers = new Takers(services)
  }

  /** Builds the reply that only the caller sees. */
  async list(interaction: Interaction, query: ListQuery, options?: LoadOptions): Promise<Answer> {
    const { view, fetchAhead } = await this.load(interaction, query, options)
    const next = nextPage(view.page)
    const answer = callsMessage(view)
    return next === undefined ? answer : { ...answer, afterwards: async () => fetchAhead(next) }
  }

  /** Builds the message that everyone in the channel sees. */
  async shared(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await this.load(interaction, query, { allowCached: true })
    const what = countText({ noun: 'call', count: view.page.calls.length })
    return { answer: sharedCalls(view, interaction.actor.person), what }
  }

  /** Loads a page. A number search pages through all calls that it found. */
  async load(
    interaction: Interaction,
    listed: ListQuery,
    { allowCached = false }: LoadOptions = {},
  ): Promise<{ readonly view: CallsView; readonly fetchAhead: (page: number) => void }> {
    const { config, workspaces, guards, now } = this.#services
    const { actor, tenant, channel, onProgress } = interaction
    const fallback: ApologyOffers = {
      retry: callsActions.retry.button('Try again', listed),
      filter: callsActions.filter.button('Filter…', listed),
    }
    interaction.fallback = fallback
    const at = new Date(now())
    const [named, account, { zone }, lines, mayListen] = await Promise.all([
      // A menu may have dropped the agent's name.
      withAgentName(this.#services, tenant, listed),
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
      config.recordingsBaseUrl !== undefined &&
        guards.areas(actor).then((areas) => areas.includes('recordings')),
    ])
    // Without permission to listen, a recording is shown as present, without a link.
    const recordingsBaseUrl = mayListen ? config.recordingsBaseUrl : undefined
    const today = localDay(zone, at)
    const query = withSearchedDays(named, today)
    interaction.fallback = { ...fallback, request: requestText(query, today, lines) }
    const queries = toScanQueries(query, zone, at)
    const filter = await this.#findFilter(tenant, query)
    const found = filter && (await this.#search.find(account, filter, queries, { allowCached, onProgress }))
    const pageQuery = { ...queries[0], page: query.page }
    const page = found ? slicePage(found, query.page) : await this.#pages.get(account, pageQuery, allowCached)
    const nonce = randomUUID().slice(0, 8)
    const [agentNames, takers] = await Promise.all([
      page.calls.some(({ answered }) => answered)
        ? findAgentNames(this.#services, account)
        : new Map<string, string>(),
      this.#takers.find(actor, page.calls),
    ])
    const shown = { query, page, found: query.number === undefined ? undefined : found, zone, now: at }
    const names = { lines, agentNames, takers }
    return {
      view: { ...shown, ...names, recordingsBaseUrl, nonce, sharePlace: getSharePlace(interaction) },
      fetchAhead: (next) => {
        if (!found) this.#pages.fetchAhead(account, { ...pageQuery, page: next })
      },
    }
  }

  /** Returns a filter that the service doesn't have. The calls of an alert that is gone are those of its days. */
  async #findFilter(tenant: TenantKey, { alert, number }: ListQuery): Promise<CallFilter | undefined> {
    if (alert === undefined) return number === undefined ? undefined : numberFilter(number)
    const message = await this.#services.store.alertMessages.get(tenant, alert)
    return message && alertFilter(alert, new Set(message.calls.map(({ id }) => id)))
  }
}
