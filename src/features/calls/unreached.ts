import { randomUUID } from 'node:crypto'
import { withAgentName } from '../../query/agents.ts'
import { listCommand, type QueryParser } from '../../query/command.ts'
import { from, range, to } from '../../query/filters/day-filters.ts'
import { agent, own, page } from '../../query/filters/filters.ts'
import { type ListQuery, SEARCHED_DAYS, toListQuery, toReadQueries } from '../../query/query.ts'
import { CallSearch, rangeFilter } from '../../query/search.ts'
import { requestText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { lineKey } from '../../telephony/lines.ts'
import type { Call } from '../../telephony/types.ts'
import { lastDays } from '../../time/days.ts'
import { isInRange, type RangeRequest, toRangeRequest } from '../../time/range-requests.ts'
import { localDay } from '../../time/zones.ts'
import { unreachedActions } from './actions.ts'
import {
  buildUnreachedFooter,
  renderUnreached,
  type UnreachedNumber,
  type UnreachedView,
} from './unreached-view.ts'

/** Parses the words of `/calls unreached`: days, today by default, and an agent. */
export const unreachedParser: QueryParser<ListQuery> = {
  ...listCommand({ typed: '/calls unreached', show: unreachedActions.show }),
  grammar: {
    filters: [range, from, to, own, agent, page],
    conflict: ({ line }) => (line === undefined ? undefined : "Outgoing calls aren't tied to a line."),
  },
  complete(filters, today) {
    const to = filters.to ?? today
    const usualFrom = filters.to === undefined ? today : lastDays(SEARCHED_DAYS, to).from
    return { ...toListQuery(filters), from: filters.from ?? usualFrom, to, direction: 'outgoing' }
  },
}

/**
 * Returns the numbers that were tried on these days and haven't been reached since.
 * @param calls of the days and since then, newest first
 */
function findUnreached(calls: readonly Call[], days: RangeRequest): readonly UnreachedNumber[] {
  const reached = new Set<string>()
  const tries = new Map<string, Call[]>()
  for (const call of calls) {
    const key = lineKey(call.number)
    if (call.status === 'answered') reached.add(key)
    if (call.status !== 'missed' || reached.has(key)) continue
    const later = tries.get(key)
    if (later) later.push(call)
    else tries.set(key, [call])
  }
  const numbers: UnreachedNumber[] = []
  for (const [last, ...others] of tries.values()) {
    if (!last || ![last, ...others].some(({ at }) => isInRange(days, at))) continue
    numbers.push({ number: last.number, lastAt: last.at, tries: 1 + others.length })
  }
  return numbers
}

/** Lists the numbers that were dialed without an answer and not reached since: whom to call back. */
export class UnreachedNumbers {
  readonly #services
  readonly #search

  constructor(services: Services) {
    this.#services = services
    this.#search = new CallSearch(services)
  }

  async list(interaction: Interaction, query: ListQuery): Promise<Answer> {
    const view = await this.load(interaction, query)
    return renderUnreached(view, buildUnreachedFooter(view))
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError} */
  load(interaction: Interaction, query: ListQuery): Promise<UnreachedView> {
    const makeOffers = () => ({ retry: unreachedActions.show.named('retry').button('Try again', query) })
    return offerOnFailure(makeOffers, this.#load(interaction, query))
  }

  async #load(interaction: Interaction, requested: ListQuery): Promise<UnreachedView> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const at = new Date(now())
    const [query, account, { zone }, lines] = await Promise.all([
      withAgentName(this.#services, tenant, requested),
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    const today = localDay(zone, at)
    // Later calls may have reached a number.
    const untilNow = toRangeRequest(zone, { from: query.from, to: today }, at)
    const options = { allowCached: query.page > 1, onProgress: interaction.announce }
    const readQueries = toReadQueries(query, untilNow)
    const reading = this.#search.find(account, rangeFilter(untilNow), readQueries, options)
    const found = await offerOnFailure(() => ({ request: requestText(query, today) }), reading)
    const numbers = findUnreached(found.calls, toRangeRequest(zone, query, at))
    const nonce = randomUUID().slice(0, 8)
    return { query, numbers, found, zone, now: at, today, lines, nonce }
  }
}
