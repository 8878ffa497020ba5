import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ApologyOffers } from '../../slack/deliver/failures.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import {
  type Account,
  type CallPage,
  type CallQuery,
  nextPage,
  RateLimitedError,
  ServiceUnavailableError,
} from '../../telephony/types.ts'
import { localDay } from '../../time/zones.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'
import { alertFilter, type CallFilter, NumberSearch, numberFilter, slicePage } from './number-search.ts'
import { Takers } from './open-alerts.ts'
import { findAgentNames } from './own-agent.ts'
import { callsActions, type ListQuery, toScanQueries, withSearchedDays } from './query.ts'
import { withAgentName } from './query-command.ts'
import { countText, getSharePlace, type SharedPage } from './sharing.ts'
import { type CallsView, renderPrivateList, renderSharedList } from './view.ts'
import { requestText } from './words.ts'

const MAX_PAGE_BYTES = 10_000_000
const PAGE_TTL_MS: Milliseconds = 60_000
/** Pause of prefetching after a failure. */
const PREFETCH_BACKOFF_MS: Milliseconds = 30_000

/** Fetches, caches and prefetches pages of calls. Without `config.fetchAhead`, it only fetches. */
class CallPages {
  readonly #services
  readonly #pages: AccountCache<CallPage>
  /** Tenants whose prefetching is paused. */
  readonly #paused: Cache<true>

  constructor(services: Pick<Services, 'config' | 'store' | 'telephony' | 'metrics' | 'log' | 'now'>) {
    const { store, now } = services
    this.#services = services
    this.#pages = new AccountCache(store, { maxBytes: MAX_PAGE_BYTES, ttlMs: PAGE_TTL_MS, now })
    this.#paused = createCache({ max: 1000, ttlMs: PREFETCH_BACKOFF_MS, now })
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
  prefetch(account: Account, query: CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#paused.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#pages.get(account, query)) return
    this.#fetch(account, query).catch((error: unknown) => {
      const isServiceFailure = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
      if (isServiceFailure) this.#paused.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  #fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const { config, telephony } = this.#services
    const reading = telephony.calls(account, query)
    if (!config.fetchAhead) return reading
    // Copied, because the page parses its calls lazily and the cache needs their size.
    const parsed = reading.then(({ calls, page, total }) => ({ calls, page, total }))
    return this.#pages.keep(account, query, parsed)
  }
}

interface LoadOptions {
  /** Whether a cached page or search may be shown, as when paging or sharing. */
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
    const { view, prefetch } = await this.load(interaction, query, options)
    const next = nextPage(view.page)
    const answer = renderPrivateList(view)
    return next === undefined ? answer : { ...answer, afterwards: async () => prefetch(next) }
  }

  /** Builds the message that everyone in the channel sees. */
  async buildSharedPage(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await this.load(interaction, query, { allowCached: true })
    const what = countText({ noun: 'call', count: view.page.calls.length })
    return { answer: renderSharedList(view, interaction.actor.person), what }
  }

  /** Loads a page. A number search pages through all calls that it found. */
  async load(
    interaction: Interaction,
    requested: ListQuery,
    { allowCached = false }: LoadOptions = {},
  ): Promise<{ readonly view: CallsView; readonly prefetch: (page: number) => void }> {
    const { config, workspaces, guards, now } = this.#services
    const { actor, tenant, channel, onProgress } = interaction
    const fallback: ApologyOffers = {
      retry: callsActions.retry.button('Try again', requested),
      filter: callsActions.filter.button('Filter…', requested),
    }
    interaction.fallback = fallback
    const at = new Date(now())
    const [namedQuery, account, { zone }, lines, mayListen] = await Promise.all([
      // A menu may have dropped the agent's name.
      withAgentName(this.#services, tenant, requested),
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
      config.recordingsBaseUrl !== undefined &&
        guards.areas(actor).then((areas) => areas.includes('recordings')),
    ])
    // Without permission to listen, a recording is shown as present, without a link.
    const recordingsBaseUrl = mayListen ? config.recordingsBaseUrl : undefined
    const today = localDay(zone, at)
    const query = withSearchedDays(namedQuery, today)
    interaction.fallback = { ...fallback, request: requestText(query, today, lines) }
    const scanQueries = toScanQueries(query, zone, at)
    const filter = await this.#findFilter(tenant, query)
    const filtered =
      filter && (await this.#search.find(account, filter, scanQueries, { allowCached, onProgress }))
    const pageQuery = { ...scanQueries[0], page: query.page }
    const page = filtered
      ? slicePage(filtered, query.page)
      : await this.#pages.get(account, pageQuery, allowCached)
    const [agentNames, takers] = await Promise.all([
      page.calls.some(({ answered }) => answered)
        ? findAgentNames(this.#services, account)
        : new Map<string, string>(),
      this.#takers.find(actor, page.calls),
    ])
    const view: CallsView = {
      query,
      page,
      // The calls of an alert are found by reading, too, but shown like those of a list.
      found: query.number === undefined ? undefined : filtered,
      zone,
      now: at,
      lines,
      agentNames,
      takers,
      recordingsBaseUrl,
      nonce: randomUUID().slice(0, 8),
      sharePlace: getSharePlace(interaction),
    }
    const prefetch = (next: number) => {
      if (!filtered) this.#pages.prefetch(account, { ...pageQuery, page: next })
    }
    return { view, prefetch }
  }

  /**
   * Returns the filter for an alert or a number, which the service doesn't have. A deleted alert has none: all calls of its
   * days are listed.
   */
  async #findFilter(tenant: TenantKey, { alert, number }: ListQuery): Promise<CallFilter | undefined> {
    if (alert === undefined) return number === undefined ? undefined : numberFilter(number)
    const message = await this.#services.store.alertMessages.get(tenant, alert)
    return message && alertFilter(alert, new Set(message.calls.map(({ id }) => id)))
  }
}
