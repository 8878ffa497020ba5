import type { types } from '@slack/bolt'
import { writeWords } from '../../grammar/filters.ts'
import { callCount } from '../../grammar/sentences.ts'
import type { ValueAction } from '../../slack/blocks/action.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { PAGE_SIZE } from '../../telephony/paging.ts'
import type { Call, CallPage } from '../../telephony/types.ts'
import { lastDays } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import { callsGrammar, directionsOf, type ListQuery, SEARCHED_DAYS, withDays } from './query.ts'

/** What a search for a number came to. */
export interface FoundCalls {
  /** Newest first. */
  readonly calls: readonly Call[]
  /** How many calls were looked at, and how many there were to look at; `undefined` where the service's figure is no number. */
  readonly read: number
  readonly total: number | undefined
  /** Whether the time ran out before all of them were looked at. */
  readonly isCut: boolean
}

const timeOf = ({ at }: Call) => (at instanceof Date ? at.getTime() : Number.NEGATIVE_INFINITY)

/** Calls whose time can't be understood come last. */
export const newestFirst = (calls: readonly Call[]): readonly Call[] =>
  calls.toSorted((a, b) => timeOf(b) - timeOf(a) || 0)

/** A page of what was found, as the service would list it. */
export const pageOf = ({ calls }: FoundCalls, page: number): CallPage => ({
  calls: calls.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  page,
  total: calls.length,
})

// What a list says and offers besides, where a number was looked for. Nothing here is escaped.

/** Days that are searched next where there may be more calls further back. */
const longerSearches: Readonly<Record<number, number>> = { [SEARCHED_DAYS]: 90, 90: 366 }

/** What was looked through, and what can't be found. */
export function foundNote({ read, total, isCut }: FoundCalls, query: ListQuery): string {
  const of = total === undefined || total <= read ? '' : ` of ${numberText(total)}`
  const searched = isCut
    ? `I ran out of time: I searched ${callCount(read, of)}, so there may be more.`
    : `I searched ${callCount(read)}.`
  // An incoming record holds the company's own number, not the caller's.
  const caller = directionsOf(query).includes('incoming')
    ? " Incoming calls are found by the number called: the phone service doesn't say who called."
    : ''
  return `${searched}${caller}`
}

/** Opens the same for more days, where it was for the last ones. */
function longerSearch(
  query: ListQuery,
  today: LocalDay,
  show: ValueAction<ListQuery>,
): types.Button | undefined {
  const { from, to } = withDays(query, today)
  const isOf = (days: number) => from === lastDays(days, today).from && to === today
  const days = Object.keys(longerSearches).map(Number).find(isOf)
  const longer = days === undefined ? undefined : longerSearches[days]
  if (longer === undefined) return undefined
  const value = { ...query, ...lastDays(longer, today), page: 1 }
  return show.named('more-days').button(`Last ${longer} days`, value)
}

/** What may find more. @param show what the longer search is shown by */
export function moreOfNumber(
  { isCut }: Pick<FoundCalls, 'isCut'>,
  query: ListQuery,
  today: LocalDay,
  show: ValueAction<ListQuery> = callsActions.show,
): readonly types.Button[] {
  if (isCut) {
    const command = `/calls export ${writeWords(callsGrammar.filters, { ...withDays(query, today), page: 1 })}`
    return [commandButton('export', 'Export all of them', command)]
  }
  const longer = longerSearch(query, today, show)
  return longer ? [longer] : []
}
