import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Answer, ApologyOffers } from '../../slack/deliver/answer.ts'
import { countText, type SharedPage, sharePlaceOf } from '../../slack/deliver/sharing.ts'
import { withAgentName } from '../../slack/routing/query-command.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { nextPage } from '../../telephony/types.ts'
import { localDay } from '../../time/zones.ts'
import { callsActions } from './actions.ts'
import { CallPages } from './call-pages.ts'
import { NumberSearch, pageOf } from './number-search.ts'
import { type ListQuery, toScanQueries, withDays } from './query.ts'
import { type CallsView, callsMessage, sharedCalls } from './view.ts'
import { requestText } from './words.ts'

interface Loading {
  /** Whether a page or a search that was read for somebody a short while ago will do, as it does to whoever pages. */
  readonly allowCached?: boolean
}

export type CallLists = ReturnType<typeof callLists>

/** The lists of calls, with all that they say. */
export function callLists(services: Services) {
  const { config, workspaces, guards, now } = services
  const pages = new CallPages(services)
  const search = new NumberSearch(services)

  /** The page that the query asks for; a number's is a page of all that was found, any other one the service's. */
  async function load(
    interaction: Interaction,
    listed: ListQuery,
    { allowCached = false }: Loading = {},
  ): Promise<{ readonly view: CallsView; readonly fetchAhead: (page: number) => void }> {
    const { actor, tenant, channel, onProgress } = interaction
    const sharePlace = sharePlaceOf(interaction)
    const fallback: ApologyOffers = {
      retry: callsActions.retry.button('Try again', listed),
      filter: callsActions.filter.button('Filter…', listed),
    }
    interaction.fallback = fallback
    // A menu's block id leaves the agent's name out where it has no room for it.
    const query = await withAgentName(services, tenant, listed)
    const at = new Date(now())
    const [account, { zone }, lines, mayListen] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
      config.recordingsBaseUrl !== undefined &&
        guards.areas(actor).then((areas) => areas.includes('recordings')),
    ])
    // Whoever may not listen sees that there is a recording, with no link to it.
    const recordingsBaseUrl = mayListen ? config.recordingsBaseUrl : undefined
    const today = localDay(zone, at)
    interaction.fallback = { ...fallback, request: requestText(query, today, lines) }
    const queries = toScanQueries(withDays(query, today), zone, at)
    const { number } = query
    const found = number && (await search.find(account, number, queries, { allowCached, onProgress }))
    const asked = { ...queries[0], page: query.page }
    const page = found ? pageOf(found, query.page) : await pages.get(account, asked, allowCached)
    const nonce = randomUUID().slice(0, 8)
    const setting = { zone, now: at, recordingsBaseUrl, lines, nonce, sharePlace }
    return {
      view: { query, page, ...(found ? { found } : {}), ...setting },
      fetchAhead: (next) => {
        if (!found) pages.fetchAhead(account, { ...asked, page: next })
      },
    }
  }

  /** The asking person's. */
  async function list(interaction: Interaction, query: ListQuery, loading?: Loading): Promise<Answer> {
    const { view, fetchAhead } = await load(interaction, query, loading)
    const next = nextPage(view.page)
    const answer = callsMessage(view)
    return next === undefined ? answer : { ...answer, afterwards: async () => fetchAhead(next) }
  }

  /** What everyone in the channel sees. */
  async function shared(interaction: Interaction, query: ListQuery): Promise<SharedPage> {
    const { view } = await load(interaction, query, { allowCached: true })
    const what = countText({ noun: 'call', count: view.page.calls.length })
    return { answer: sharedCalls(view, interaction.actor.person), what }
  }

  return { load, list, shared }
}
