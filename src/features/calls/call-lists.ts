import { hash, randomUUID } from 'node:crypto'
import { findAgentNames, withAgentName } from '../../query/agents.ts'
import { CallStateReader } from '../../query/call-states.ts'
import { isSearch } from '../../query/filters/call-filters.ts'
import { type ListQuery, toReadQueries, withSearchedDays } from '../../query/query.ts'
import {
  alertFilter,
  type CallFilter,
  CallSearch,
  type FoundCalls,
  rangeFilter,
  searchFilter,
  slicePage,
} from '../../query/search.ts'
import { callCount, requestText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { isDirectConversation } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { OnProgress } from '../../slack/deliver/exchange.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { getCallTime } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { joinPages, ListPart } from '../../telephony/joined-list.ts'
import {
  type Account,
  type CallPage,
  type CallQuery,
  countCallPages,
  getCallIdentity,
  isShort,
  ListNotContinuedError,
  PAGE_SIZE,
  RateLimitedError,
  ServiceUnavailableError,
} from '../../telephony/types.ts'
import { type RangeRequest, splitRange, toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { callsActions } from './actions.ts'
import type { CallsView } from './columns.ts'
import { renderThreadAnswer } from './number-answer.ts'
import { getShareLabel, type SharedPage } from './sharing.ts'
import { renderPrivateList, renderSharedList } from './view.ts'

const MAX_PAGE_BYTES = 10_000_000
const PAGE_TTL_MS: Milliseconds = 60_000
const LATEST_PAGE_TTL_MS: Milliseconds = 10 * minuteMs
const PREFETCH_BACKOFF_MS: Milliseconds = 30_000

interface LoadOptions {
  /** Set for paging and sharing. */
  readonly allowCached?: boolean
}

interface LoadedList {
  readonly view: CallsView
  prefetchNext(): Promise<void>
}

interface SearchOptions {
  readonly allowCached: boolean
  readonly onProgress: OnProgress
}

interface RequestedList {
  readonly query: ListQuery
  readonly readQueries: ReturnType<typeof toReadQueries>
  /** Selects calls that the service can't select. */
  readonly filter: CallFilter | undefined
  readonly range: RangeRequest
  readonly zone: Zone
  readonly at: Date
}

interface ReadResult {
  readonly page: CallPage
  readonly found?: FoundCalls
  /** Whether the page has exactly the calls that were asked for. */
  readonly isFiltered: boolean
}

export class CallLists {
  readonly #services
  readonly #search
  readonly #pages: AccountCache<CallPage>
  /** Tells whether the next page repeats the one before; holds hashes only. */
  readonly #latestPages: Cache<{ readonly page: number; readonly content: string }>
  readonly #prefetchPaused: Cache<true>
  readonly #states

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#search = new CallSearch(services)
    this.#states = new CallStateReader(services)
    this.#pages = new AccountCache(store, { maxBytes: MAX_PAGE_BYTES, ttlMs: PAGE_TTL_MS, now })
    this.#latestPages = createCache({ max: 5000, ttlMs: LATEST_PAGE_TTL_MS, now })
    this.#prefetchPaused = createCache({ max: 1000, ttlMs: PREFETCH_BACKOFF_MS, now })
  }

  async list(interaction: Interaction, query: ListQuery, options?: LoadOptions): Promise<Answer> {
    const { view, prefetchNext } = await this.load(interaction, query, options)
    interaction.afterwards(prefetchNext)
    return renderPrivateList(view)
  }

  /** Lists the calls of an alert's message. */
  async listAlert(interaction: Interaction, alert: string): Promise<Answer> {
    const { store, workspaces } = this.#services
    const { actor, tenant, channel } = interaction
    const [message, { zone }] = await Promise.all([
      store.alertMessages.get(tenant, alert),
      workspaces.zone(tenant, channel, actor.person),
    ])
    if (!message) return textAnswer('This alert is too old to list its calls. Try `/calls missed`.')
    const times = message.calls.map(getCallTime)
    const from = localDay(zone, new Date(Math.min(message.firstAt, ...times)))
    const to = localDay(zone, new Date(Math.max(message.firstAt, ...times)))
    return this.list(interaction, { direction: 'incoming', status: 'missed', page: 1, from, to, alert })
  }

  async buildSharedPage(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await this.load(interaction, query, { allowCached: true })
    const answer = renderSharedList(view, interaction.actor.person)
    return { answer, what: callCount(view.page.calls.length) }
  }

  /** Builds the reply in the thread of the message with the number. */
  async buildThreadAnswer(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await this.load(interaction, { ...query, page: 1 }, { allowCached: true })
    const answer = renderThreadAnswer(view, interaction.actor.person)
    return { answer, what: 'an answer about a number', thread: query.thread }
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError} */
  load(interaction: Interaction, query: ListQuery, options: LoadOptions = {}): Promise<LoadedList> {
    const makeOffers = () => ({
      retry: callsActions.retry.button('Try again', query),
      filter: callsActions.filter.button('Filter…', query),
    })
    return offerOnFailure(makeOffers, this.#load(interaction, query, options))
  }

  async #load(
    interaction: Interaction,
    requested: ListQuery,
    { allowCached = false }: LoadOptions,
  ): Promise<LoadedList> {
    const { config, workspaces, guards, now } = this.#services
    const { actor, tenant, channel } = interaction
    const at = new Date(now())
    const [namedQuery, account, { zone }, lines, mayListen] = await Promise.all([
      withAgentName(this.#services, tenant, requested),
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
      config.recordingsBaseUrl !== undefined && guards.may(actor, 'recordings'),
    ])
    const today = localDay(zone, at)
    const query = withSearchedDays(namedQuery, today)
    const range = toRangeRequest(zone, query, at)
    const readQueries = toReadQueries(query, range)
    const filter = await this.#findFilter(tenant, query, range, zone)
    const options = { allowCached, onProgress: interaction.announce }
    const reading = this.#read(account, { query, readQueries, filter, range, zone, at }, options)
    const makeOffers = () => ({ request: requestText(query, today, lines) })
    const { found, page, isFiltered } = await offerOnFailure(makeOffers, reading)
    const hasAgents = page.calls.some(({ answered }) => answered)
    const [agentNames, states] = await Promise.all([
      hasAgents ? findAgentNames(this.#services, account) : new Map<string, string>(),
      this.#states.read(tenant, actor.person.id, page.calls),
    ])
    const isDirect = isDirectConversation(channel, interaction.channelName)
    const view: CallsView = {
      query,
      page,
      // The calls of an alert are shown like a list.
      found: isSearch(query) ? found : undefined,
      isUnfiltered: !isFiltered && !range.isExact,
      zone,
      now: at,
      today,
      lines,
      agentNames,
      states,
      recordingsBaseUrl: mayListen ? config.recordingsBaseUrl : undefined,
      nonce: randomUUID().slice(0, 8),
      shareLabel: getShareLabel(interaction),
      hasThread: query.thread !== undefined && channel !== '' && !isDirect,
    }
    const next = isFiltered ? undefined : countCallPages(page).next
    const prefetchNext = async () => {
      if (next !== undefined) this.#prefetch(account, { ...readQueries[0], page: next })
    }
    return { view, prefetchNext }
  }

  async #read(account: Account, list: RequestedList, options: SearchOptions): Promise<ReadResult> {
    const { query, readQueries, filter, range, zone, at } = list
    if (filter) {
      const found = await this.#search.find(account, filter, readQueries, options)
      return { found, page: slicePage(found, query.page), isFiltered: true }
    }
    if (!range.isExact) {
      const joined = await this.#readJoinedPage(account, query, splitRange(zone, query, at), options)
      if (joined) return { page: joined, isFiltered: true }
    }
    const pageQuery = { ...readQueries[0], page: query.page }
    return { page: await this.#getPage(account, pageQuery, options.allowCached), isFiltered: false }
  }

  /** A deleted alert has no filter, so all calls are listed. */
  async #findFilter(
    tenant: TenantKey,
    query: ListQuery,
    range: RangeRequest,
    zone: Zone,
  ): Promise<CallFilter | undefined> {
    const { alert } = query
    if (alert === undefined) return isSearch(query) ? searchFilter(query, range, zone) : undefined
    const message = await this.#services.store.alertMessages.get(tenant, alert)
    return message && alertFilter(alert, new Set(message.calls))
  }

  /** Returns undefined if the service doesn't count its calls, or a day with a clock change has too many to read. */
  async #readJoinedPage(
    account: Account,
    query: ListQuery,
    ranges: readonly RangeRequest[],
    options: SearchOptions,
  ): Promise<CallPage | undefined> {
    const parts: ListPart[] = []
    for (const range of ranges) {
      const [readQuery] = toReadQueries(query, range)
      if (range.isExact) {
        const read = (page: number) => this.#getPage(account, { ...readQuery, page }, options.allowCached)
        parts.push(new ListPart(read))
        continue
      }
      const found = await this.#search.find(account, rangeFilter(range), [readQuery], options)
      if (found.timedOutAfterMs !== undefined) return undefined
      parts.push(new ListPart(async (page) => slicePage(found, page)))
    }
    return joinPages(parts, query.page)
  }

  #getPage(account: Account, query: CallQuery, allowCached: boolean): Promise<CallPage> {
    const { config, metrics } = this.#services
    if (!allowCached || !config.fetchAhead) return this.#fetch(account, query)
    const cached = this.#pages.get(account, query)
    metrics.count('cache_lookups_total', { cache: 'page', result: cached ? 'hit' : 'miss' })
    return cached ? Promise.resolve(cached) : this.#fetch(account, query)
  }

  #prefetch(account: Account, query: CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#prefetchPaused.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#pages.get(account, query)) return
    this.#fetch(account, query).catch((error: unknown) => {
      const isServiceFailure = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
      if (isServiceFailure) this.#prefetchPaused.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  /** @throws {ListNotContinuedError} if another page of the list, read a while ago, had the same calls */
  #checkContinued({ tenant }: Account, { page, ...list }: CallQuery, { calls, total }: CallPage): void {
    const [first] = calls
    const last = calls.at(-1)
    if (!first || !last || calls.length < PAGE_SIZE) return
    // New calls move others to later pages, and change the total. Its ends identify a page; all of it would take 20 µs.
    const ends = JSON.stringify([total, getCallIdentity(first), getCallIdentity(last)])
    const content = hash('sha256', ends, 'base64url')
    const key = JSON.stringify([tenant, list])
    const other = this.#latestPages.get(key)
    if (other && other.page !== page && other.content === content)
      throw new ListNotContinuedError(list.direction)
    this.#latestPages.set(key, { page, content })
  }

  async #fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const read = async () => {
      // Destructured, because the page parses its calls lazily and the cache needs their size.
      const { calls, page, total } = await this.#services.telephony.calls(account, query)
      const fetched = { calls, page, total }
      this.#checkContinued(account, query, fetched)
      // The service counts calls and returns none of them.
      if (calls.length === 0 && isShort(fetched))
        throw new ServiceUnavailableError(query.direction, 'envelope')
      return fetched
    }
    return this.#services.config.fetchAhead ? this.#pages.keep(account, query, read()) : read()
  }
}
