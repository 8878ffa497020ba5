import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ValueAction } from '../../slack/blocks/action.ts'
import { countText } from '../../slack/blocks/share-buttons.ts'
import type { Answer, Fallback } from '../../slack/deliver/answer.ts'
import { channelNameOf, type SharedPage } from '../../slack/deliver/sharing.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { nextPage } from '../../telephony/paging.ts'
import type { Account, CallPage, CallQuery } from '../../telephony/types.ts'
import { rangeClockChanges } from '../../time/ranges.ts'
import { localDay } from '../../time/zones.ts'
import { callsActions } from './actions.ts'
import type { CallPages } from './call-pages.ts'
import { type FoundCalls, pageOf } from './found-calls.ts'
import type { NumberSearch } from './number-search.ts'
import { directionsOf, type ListQuery, toCallQuery, withDays } from './query.ts'
import { requestText } from './summary.ts'
import { type CallsView, callsMessage, sharedCalls } from './view.ts'

/** Where its calls come from: the service's page, or for a number all of a range. */
interface Source {
  readonly page: CallPage
  readonly found?: FoundCalls
  /** What the service was asked for; not of a number, whose pages are there. */
  readonly callQuery?: CallQuery
}

interface Loading {
  /** A page that was read a while ago will do. */
  readonly mayBeKept?: boolean
  /** The button that asks again, where something fails: one in the message unless it is said. */
  readonly retry?: Pick<Interaction['fallback'], 'isInModal'> & { readonly action: ValueAction<ListQuery> }
}

/** What an apology offers, should the list not come. */
export const fallbackFor = (query: ListQuery): Fallback => ({
  retry: callsActions.retry.button('Try again', query),
  filter: callsActions.filter.button('Filter…', query),
})

export type CallLists = ReturnType<typeof callLists>

/** The lists of calls, with all that they say. */
export function callLists({
  config,
  workspaces,
  guards,
  now,
  pages,
  search,
}: Pick<Services, 'config' | 'workspaces' | 'guards' | 'now'> & {
  readonly pages: CallPages
  readonly search: NumberSearch
}) {
  /** @param queries one for each direction */
  async function read(
    account: Account,
    { number, page }: ListQuery,
    queries: readonly CallQuery[],
    { mayBeKept, onProgress }: { readonly mayBeKept: boolean } & Pick<Interaction, 'onProgress'>,
  ): Promise<Source> {
    const [callQuery] = queries
    if (number === undefined && callQuery)
      return { page: await pages.get(account, callQuery, { mayBeKept }), callQuery }
    const searched = { number: number ?? '', queries: queries.map(({ page: _, ...query }) => query) }
    const found = await search.find(account, searched, { mayBeKept, onProgress })
    return { page: pageOf(found, page), found }
  }

  /** The page that the query asks for, with all that its message says. */
  async function load(
    interaction: Interaction,
    query: ListQuery,
    { mayBeKept = false, retry }: Loading = {},
  ) {
    const { actor, tenant, channel } = interaction
    const channelName = channelNameOf(interaction)
    const { action = callsActions.retry, isInModal = false } = retry ?? {}
    const fallback = { ...fallbackFor(query), retry: action.button('Try again', query), isInModal }
    interaction.fallback = fallback
    const at = new Date(now())
    const [account, { zone }, lines, mayListen] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
      config.recordingsBaseUrl !== undefined &&
        guards.areas(actor).then((areas) => areas.includes('recordings')),
    ])
    // For everybody else a recording shows as present.
    const recordingsBaseUrl = mayListen ? config.recordingsBaseUrl : undefined
    const today = localDay(zone, at)
    interaction.fallback = { ...fallback, request: requestText(query, today) }
    const days = withDays(query, today)
    const queries = directionsOf(query).map((direction) => toCallQuery(days, direction, zone, at))
    const { onProgress } = interaction
    const { page, found, callQuery } = await read(account, query, queries, { mayBeKept, onProgress })
    const clockChanges = rangeClockChanges(zone, days, at)
    const nonce = randomUUID().slice(0, 8)
    const setting = { zone, now: at, clockChanges, recordingsBaseUrl, lines, nonce, channelName }
    const view: CallsView = { query, page, found, ...setting }
    return { account, callQuery, view }
  }

  /** The asking person's. */
  async function list(interaction: Interaction, query: ListQuery, loading?: Loading): Promise<Answer> {
    const { account, callQuery, view } = await load(interaction, query, loading)
    const next = nextPage(view.page)
    const answer = callsMessage(view)
    if (next === undefined || callQuery === undefined) return answer
    return { ...answer, afterwards: async () => pages.fetchAhead(account, { ...callQuery, page: next }) }
  }

  /** What everyone in the channel sees. */
  async function shared(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await load(interaction, query, { mayBeKept: true })
    const what = countText({ noun: 'call', count: view.page.calls.length })
    return { answer: sharedCalls(view, interaction.actor.person), what }
  }

  return { load, list, shared }
}
