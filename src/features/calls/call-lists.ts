import { randomUUID } from 'node:crypto'
import { findAgentNames, withAgentName } from '../../query/agents.ts'
import { CallStateReader } from '../../query/call-states.ts'
import { isSearch } from '../../query/filters/call-filters.ts'
import { type ListQuery, toReadQueries, withSearchedDays } from '../../query/query.ts'
import * as search from '../../query/search.ts'
import { callCount, requestText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { getCallTime } from '../../store/missed-calls.ts'
import * as phone from '../../telephony/types.ts'
import { type RangeRequest, toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { callsActions } from './actions.ts'
import { CallPages } from './call-pages.ts'
import type { CallsView } from './columns.ts'
import { renderThreadAnswer } from './number-answer.ts'
import { getShareLabel, type SharedPage } from './sharing.ts'
import { renderPrivateList, renderSharedList } from './view.ts'

interface LoadOptions {
  /** Set for paging and sharing. */
  readonly allowCached?: boolean
}

interface LoadedList {
  readonly view: CallsView
  prefetchNext(): Promise<void>
}

interface ListRequest {
  readonly account: phone.Account
  readonly query: ListQuery
  readonly range: RangeRequest
  readonly zone: Zone
  readonly allowCached: boolean
}

interface ReadList extends Pick<CallsView, 'page' | 'found'> {
  /** Undefined for the last page, and for calls that were selected here. */
  readonly nextPage?: phone.CallQuery | undefined
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
  load(interaction: Interaction, query: ListQuery, options?: LoadOptions): Promise<LoadedList> {
    const makeOffers = () => ({
      retry: callsActions.retry.button('Try again', query),
      filter: callsActions.filter.button('Filter…', query),
    })
    return offerOnFailure(makeOffers, this.#load(interaction, query, options))
  }

  async #load(
    interaction: Interaction,
    requested: ListQuery,
    { allowCached = false }: LoadOptions = {},
  ): Promise<LoadedList> {
    const { config, workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const at = new Date(now())
    // A list that was filtered in a modal has no channel, so it can't be answered in the thread.
    const thread = channel === '' ? undefined : requested.thread
    const [namedQuery, account, { zone }, lines] = await Promise.all([
      withAgentName(this.#services, tenant, { ...requested, thread }),
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    const today = localDay(zone, at)
    const query = withSearchedDays(namedQuery, today)
    const range = toRangeRequest(zone, query, at)
    const reading = this.#read(interaction, { account, query, range, zone, allowCached })
    const makeOffers = () => ({ request: requestText(query, today, lines) })
    const { nextPage, ...list } = await offerOnFailure(makeOffers, reading)
    const [agentNames, states, mayListen] = await this.#readDetails(interaction, account, list.page)
    const view: CallsView = {
      ...list,
      query,
      zone,
      now: at,
      today,
      lines,
      agentNames,
      states,
      recordingsBaseUrl: mayListen ? config.recordingsBaseUrl : undefined,
      nonce: randomUUID().slice(0, 8),
      shareLabel: getShareLabel(interaction),
    }
    const prefetchNext = async () => {
      if (nextPage) this.#pages.prefetch(account, nextPage)
    }
    return { view, prefetchNext }
  }

  /** Reads what the service doesn't say about its calls. */
  #readDetails({ actor, tenant }: Interaction, account: phone.Account, { calls }: phone.CallPage) {
    const { config, guards } = this.#services
    const hasAgents = calls.some(({ answered }) => answered)
    return Promise.all([
      hasAgents ? findAgentNames(this.#services, account) : new Map<string, string>(),
      this.#states.read(tenant, actor.person.id, calls),
      config.recordingsBaseUrl !== undefined && guards.may(actor, 'recordings'),
    ])
  }

  async #read(interaction: Interaction, request: ListRequest): Promise<ReadList> {
    const { account, query, range, allowCached } = request
    const options = { allowCached, onProgress: interaction.announce }
    const readQueries = toReadQueries(query, range)
    const filter = await this.#findFilter(interaction, request)
    if (filter) {
      const found = await this.#search.find(account, filter, readQueries, options)
      const page = search.slicePage(found, query.page)
      // The calls of an alert are shown like a list.
      return query.alert === undefined ? { page, found } : { page }
    }
    const [readQuery] = readQueries
    const page = await this.#pages.get(account, { ...readQuery, page: query.page }, options)
    const { next } = phone.countCallPages(page)
    const nextPage = next === undefined ? undefined : { ...readQuery, page: next }
    return { page, nextPage }
  }

  /** A deleted alert has no filter, so all calls are listed. */
  async #findFilter({ tenant }: Interaction, { query, range, zone }: ListRequest) {
    const { alert } = query
    if (alert !== undefined) {
      const message = await this.#services.store.alertMessages.get(tenant, alert)
      return message && search.alertFilter(alert, new Set(message.calls))
    }
    // Around a clock change, the days that the service lists aren't the channel's.
    if (isSearch(query) || !range.isExact) return search.searchFilter(query, range, zone)
    return undefined
  }
}
