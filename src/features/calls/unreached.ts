import { createCallsCommand, type QueryCommand } from '../../query/command.ts'
import * as dayFilters from '../../query/filters/day-filters.ts'
import * as filters from '../../query/filters/filters.ts'
import { type ListQuery, SEARCHED_DAYS, toListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import { getAgentText, titleDaysText } from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/buttons.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { type Column, fillTable } from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { toLineKey } from '../../telephony/lines.ts'
import { type Call, formatOrRaw } from '../../telephony/types.ts'
import { lastDays } from '../../time/days.ts'
import { isInRange, type RangeRequest, toRangeRequest } from '../../time/range-requests.ts'
import { recentLabel } from '../../time/zones.ts'
import { type Paginated, positionText } from '../../util/paging.ts'
import { countNoun } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import type { ListContext } from './columns.ts'
import { listAnswer } from './view.ts'
import { describeDays, timeoutText } from './words.ts'

export const NUMBERS_PER_PAGE = 20

interface UnreachedNumber {
  readonly lastTry: Call
  readonly tryCount: number
}

/** Numbers that were dialed without an answer and not reached since: whom to call back. */
export interface UnreachedView extends ListContext {
  readonly query: ListQuery
  readonly numbers: Paginated<UnreachedNumber>
  /** All outgoing calls of the days and since then. */
  readonly found: FoundCalls
}

/** Parses the words of `/calls unreached`: an agent, and days, which are today by default, or the 30 days until `to:DAY`. */
export const unreachedCommand: QueryCommand<ListQuery> = {
  ...createCallsCommand({ name: '/calls unreached', show: callsActions.unreached }),
  grammar: [dayFilters.range, dayFilters.from, dayFilters.to, filters.own, filters.agent, filters.page],
  // A name without a key may be a line's.
  conflict: ({ line }) => (line === undefined ? undefined : "Outgoing calls aren't tied to a line."),
  complete(parsed, today) {
    const { from, to } = parsed
    const usualFrom = to === undefined ? today : lastDays(SEARCHED_DAYS, to).from
    return { ...toListQuery(parsed), from: from ?? usualFrom, to: to ?? today, direction: 'outgoing' }
  },
  alternative: (understood) =>
    callsActions.unreached.named('understood').button('Unreached numbers', understood),
}

/** Returns the numbers tried on these days and not reached since. @param calls of the days and since then, newest first */
export function findUnreached(calls: readonly Call[], days: RangeRequest): readonly UnreachedNumber[] {
  /** Keys of the numbers that were reached after the current call. */
  const reachedLater = new Set<string>()
  const tries: Call[] = []
  for (const call of calls) {
    const key = toLineKey(call.number)
    if (call.status === 'answered') reachedLater.add(key)
    if (call.status === 'missed' && !reachedLater.has(key)) tries.push(call)
  }
  const numbers: UnreachedNumber[] = []
  for (const triesOfNumber of Map.groupBy(tries, ({ number }) => toLineKey(number)).values()) {
    const [lastTry] = triesOfNumber
    if (lastTry && triesOfNumber.some(({ at }) => isInRange(days, at)))
      numbers.push({ lastTry, tryCount: triesOfNumber.length })
  }
  return numbers
}

const columns: readonly Column<UnreachedNumber, UnreachedView>[] = [
  { title: 'Number', isEssential: true, text: ({ lastTry }, { lines }) => lines.format(lastTry.number) },
  {
    title: 'Last try',
    isEssential: true,
    text: ({ lastTry }, { zone, now }) => formatOrRaw(lastTry.at, (at) => recentLabel(zone, at, now)),
  },
  { title: 'Tries', isEssential: true, align: 'right', text: ({ tryCount }) => String(tryCount) },
]

/** `5 unreached numbers today`, `Anna Smith: 1 unreached number yesterday` */
function describeNumbers({ query, numbers, today }: UnreachedView): string {
  const { total = 0 } = numbers
  const agentName = getAgentText(query)
  const count = total === 0 ? 'No unreached numbers' : countNoun(total, 'unreached number')
  const title = `${count}${titleDaysText(query, today)}`
  return agentName === undefined ? title : `${agentName}: ${title}`
}

function explainNone({ found, query, zone, now, today }: UnreachedView): string {
  if (found.timedOutAfterMs !== undefined) return 'Every number in the calls that I checked has been reached.'
  const range = toRangeRequest(zone, query, now)
  const days = titleDaysText(query, today)
  if (!found.calls.some(({ at }) => isInRange(range, at))) return `No number was dialed${days}.`
  return `Every number that was dialed${days} has been reached.`
}

export function buildUnreachedFooter(view: UnreachedView): readonly blocks.Block[] {
  const { query, numbers, today, nonce } = view
  const valueFor = (page: number): ListQuery => ({ ...query, page })
  const paging = pagingRow({ action: callsActions.unreachedPage, ...numbers, valueFor, nonce })
  const unansweredCalls: ListQuery = { ...valueFor(1), status: 'missed' }
  const buttons = [callsActions.show.named('unanswered').button('Show calls', unansweredCalls)]
  if (query.from === today) {
    const weekQuery = { ...valueFor(1), ...lastDays(7, today) }
    buttons.push(callsActions.unreached.named('week').button('Last 7 days', weekQuery))
  }
  if (query.agentId !== undefined) buttons.push(commandButton('unreached', 'All agents', '/calls unreached'))
  return [...paging, ...blocks.actionRow(buttons)]
}

/** @param footer buttons, or the paging of a tool */
export function renderUnreached(view: UnreachedView, footer: readonly blocks.Block[]): Answer {
  const { query, numbers, found, zone, now, nonce } = view
  const list = {
    title: describeNumbers(view),
    about: describeDays(query, zone, now),
    blockId: `calls.unreached|${nonce}`,
    notes: [positionText(numbers), timeoutText(found)],
    footer,
  }
  if (numbers.total === 0) return listAnswer({ ...list, lead: explainNone(view) })
  return listAnswer({ ...list, table: fillTable(columns, numbers.items, view) })
}
