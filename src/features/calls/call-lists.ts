import { randomUUID } from 'node:crypto'
import { CallStateReader } from '../../query/call-states.ts'
import { findAgentNames, withAgentName } from '../../query/directory.ts'
import { isSearch } from '../../query/filters/call-filters.ts'
import { type ListQuery, toReadQueries, withSearchedDays } from '../../query/query.ts'
import * as search from '../../query/search.ts'
import { requestText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { getCallTime } from '../../store/missed-calls.ts'
import { type Account, countCallPages } from '../../telephony/types.ts'
import { type RangeRequest, toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { paginate } from '../../util/paging.ts'
import { countNoun } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import { CallPages } from './call-pages.ts'
import type { CallsView } from './columns.ts'
import { getShareLabel, type SharedPage } from './sharing.ts'
import * as unreached from './unreached.ts'
import { renderPrivateList, renderSharedList, renderThreadAnswer } from './view.ts'

interface LoadOptions {
  /** Whether to take calls that were read for an earlier page: for paging and sharing. */
  readonly allowCached?: boolean
}

export class CallLists {
  readonly #services
  readonly #search
  readonly #pages
  readonly #states

  constructor(services: Services) {
    this.#services = services
    this.#search = new search.CallSearch(services)
    this.#pages = new CallPages(services)
    this.#states = new CallStateReader(services)
  }

  async list(interaction: Interaction, query: ListQuery, options?: LoadOptions): Promise<Answer> {
    return renderPrivateList(await this.load(interaction, query, options))
  }

  async listAlert(interaction: Interaction, messageId: string): Promise<Answer> {
    const { store, workspaces } = this.#services
    const { actor, tenant, channel } = interaction
    const [message, { zone }] = await Promise.all([
      store.alertMessages.get(tenant, messageId),
      workspaces.findZone(tenant, channel, actor.person),
    ])
    if (!message) return textAnswer('This alert is too old to list its calls. Try `/calls missed`.')
    // Older calls of the message aren't among its ids.
    const times = [message.firstAt, ...message.calls.map((callId) => getCallTime(callId))]
    const from = localDay(zone, new Date(Math.min(...times)))
    const to = localDay(zone, new Date(Math.max(...times)))
    const missed = { direction: 'incoming', status: 'missed' } as const
    return this.list(interaction, { ...missed, from, to, alert: messageId, page: 1 })
  }

  async buildSharedPage(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const view = await this.load(interaction, query, { allowCached: true })
    const answer = renderSharedList(view, interaction.actor.person)
    return { answer, what: countNoun(view.page.calls.length, 'call') }
  }

  /** Builds the answer about a number, for the thread of the message that contains it. */
  async buildThreadAnswer(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const view = await this.load(interaction, { ...query, page: 1 }, { allowCached: true })
    const answer = renderThreadAnswer(view, interaction.actor.person)
    return { answer, what: 'an answer about a number', thread: query.thread }
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError} */
  load(interaction: Interaction, query: ListQuery, options?: LoadOptions): Promise<CallsView> {
    const makeOffers = () => ({
      retry: callsActions.retry.button('Try again', query),
      filter: callsActions.filter.button('Filter…', query),
    })
    return offerOnFailure(makeOffers, this.#load(interaction, query, options))
  }

  async #load(interaction: Interaction, requested: ListQuery, options?: LoadOptions): Promise<CallsView> {
    const { config, guards } = this.#services
    const { actor, tenant, channel } = interaction
    // A list that was filtered in a modal has no channel, so it can't be answered in the thread.
    const thread = channel === '' ? undefined : requested.thread
    const { account, namedQuery, context } = await this.#readContext(interaction, { ...requested, thread })
    const query = withSearchedDays(namedQuery, context.today)
    // Added to the offers of `load`, because the text needs the names of lines.
    const makeOffers = () => ({ request: requestText(query, context.today, context.lines) })
    const reading = this.#readPage(interaction, account, { ...context, query }, options)
    const { page, found } = await offerOnFailure(makeOffers, reading)
    const { calls } = page
    const hasLogins = calls.some(({ answered: login }) => login)
    const [agentNames, states, mayListen] = await Promise.all([
      hasLogins ? findAgentNames(this.#services, account) : new Map<string, string>(),
      this.#states.read(tenant, actor.person.id, calls),
      config.recordingsBaseUrl !== undefined && guards.may(actor, 'recordings'),
    ])
    const recordingsBaseUrl = mayListen ? config.recordingsBaseUrl : undefined
    const shareLabel = getShareLabel(interaction)
    return { ...context, query, page, found, agentNames, states, recordingsBaseUrl, shareLabel }
  }

  async #readPage(
    interaction: Interaction,
    account: Account,
    { query, zone, now }: Pick<CallsView, 'query' | 'zone' | 'now'>,
    { allowCached = false }: LoadOptions = {},
  ): Promise<Pick<CallsView, 'page' | 'found'>> {
    const range = toRangeRequest(zone, query, now)
    const readQueries = toReadQueries(query, range)
    const options = { allowCached, onProgress: interaction.announce }
    const filter = await this.#findFilter(interaction, query, range, zone)
    if (filter) {
      const found = await this.#search.find(account, filter, readQueries, options)
      const page = search.slicePage(found, query.page)
      // Without `found`, the calls of an alert are shown as a plain list, not as a search.
      return query.alert === undefined ? { page, found } : { page }
    }
    // The only one: both directions take a search.
    const [readQuery] = readQueries
    const page = await this.#pages.get(account, { ...readQuery, page: query.page }, options)
    const { next } = countCallPages(page)
    if (next !== undefined)
      interaction.afterwards(async () => this.#pages.prefetch(account, { ...readQuery, page: next }))
    return { page }
  }

  /** Returns undefined if the service can select the calls itself. */
  async #findFilter({ tenant }: Interaction, query: ListQuery, range: RangeRequest, zone: Zone) {
    if (query.alert !== undefined) {
      const message = await this.#services.store.alertMessages.get(tenant, query.alert)
      // If the message was deleted, all missed calls of its days are listed.
      if (message) return search.createAlertFilter(query.alert, new Set(message.calls))
    }
    // Around a clock change, the days that the service lists aren't the channel's.
    if (isSearch(query) || !range.isExact) return search.createSearchFilter(query, range, zone)
    return undefined
  }

  async listUnreached(interaction: Interaction, query: ListQuery): Promise<Answer> {
    const view = await this.loadUnreached(interaction, query)
    return unreached.renderUnreached(view, unreached.buildUnreachedFooter(view))
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError} */
  loadUnreached(interaction: Interaction, query: ListQuery): Promise<unreached.UnreachedView> {
    const retry = callsActions.unreached.named('retry')
    const makeOffers = () => ({ retry: retry.button('Try again', query), request: 'your outgoing calls' })
    return offerOnFailure(makeOffers, this.#loadUnreached(interaction, query))
  }

  async #loadUnreached(interaction: Interaction, requested: ListQuery): Promise<unreached.UnreachedView> {
    const { account, namedQuery: query, context } = await this.#readContext(interaction, requested)
    const { zone, now, today } = context
    // Calls after the days may have reached a number.
    const untilNow = toRangeRequest(zone, { from: query.from, to: today }, now)
    const options = { allowCached: query.page > 1, onProgress: interaction.announce }
    const filter = search.createRangeFilter(untilNow)
    const found = await this.#search.find(account, filter, toReadQueries(query, untilNow), options)
    const numbers = unreached.findUnreached(found.calls, toRangeRequest(zone, query, now))
    return { ...context, query, found, numbers: paginate(numbers, query.page, unreached.NUMBERS_PER_PAGE) }
  }

  /** Reads what every list needs. `namedQuery` has the agent's name, which menus don't store. */
  async #readContext({ actor, tenant, channel }: Interaction, requested: ListQuery) {
    const { workspaces } = this.#services
    const [namedQuery, account, { zone }, lines] = await Promise.all([
      withAgentName(this.#services, tenant, requested),
      workspaces.getAccount(tenant),
      workspaces.findZone(tenant, channel, actor.person),
      workspaces.getLineNames(tenant),
    ])
    const now = new Date(this.#services.now())
    const nonce = randomUUID().slice(0, 8)
    return { namedQuery, account, context: { zone, lines, now, today: localDay(zone, now), nonce } }
  }
}
