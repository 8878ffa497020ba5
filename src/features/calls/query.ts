import { z } from 'zod'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import { localDay, readValue } from '../../slack/blocks/values.ts'
import { lineKey } from '../../telephony/line-names.ts'
import { NUMBER_DIGITS } from '../../telephony/match-number.ts'
import type { CallQuery, Direction } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import { rangeOffset } from '../../time/ranges.ts'
import type { DayRange, LocalDay, Zone } from '../../time/types.ts'

/** What a `/calls` message shows; it rides whole in each of its buttons, so that paging goes on anywhere, any time. */
const anyQuery = z.strictObject({
  /** Both where a number is looked for, and there alone: the service lists one direction. */
  direction: z.enum(['incoming', 'outgoing', 'both']),
  status: z.enum(['answered', 'missed']).optional(),
  from: localDay.optional(),
  to: localDay.optional(),
  agentId: z.string().min(1).max(LIMITS.agentId).optional(),
  agentName: z.string().max(LIMITS.optionText).optional(),
  /** The digits that are looked for in the calls' numbers. */
  number: z.string().regex(/^\d+$/).min(NUMBER_DIGITS.least).max(NUMBER_DIGITS.most).optional(),
  /** What the list was opened from, where it leads back. */
  openedFrom: z.literal('agents').optional(),
  /** Counts from 1. */
  page: z.int().min(1).max(1_000_000),
})
export type ListQuery = Readonly<z.infer<typeof anyQuery>>

export const directionsOf = ({ direction }: Pick<ListQuery, 'direction'>): readonly Direction[] =>
  direction === 'both' ? ['incoming', 'outgoing'] : [direction]

/** How far back a number is looked for where nobody says from when to when: more takes long. */
export const SEARCHED_DAYS = 30

/** Whether it says no days of its own, and a number is looked for. */
export const isOfLastDays = ({ number, from, to }: ListQuery): boolean =>
  number !== undefined && from === undefined && to === undefined

/** So many days, of which today is the last. */
export const lastDays = (count: number, today: LocalDay): DayRange => ({
  from: addDays(today, 1 - count),
  to: today,
})

/** With the days that are looked through. */
export const withDays = (query: ListQuery, today: LocalDay): ListQuery =>
  isOfLastDays(query) ? { ...query, ...lastDays(SEARCHED_DAYS, today) } : query

export const listQuery = anyQuery.refine(
  ({ direction, number }) => direction !== 'both' || number !== undefined,
)

/** The calls of a report in one direction; of both, the incoming ones. */
export const listOfReport = (
  { from, to, direction = 'incoming', agentId, agentName, line }: ReportQuery,
  own: Pick<Partial<ListQuery>, 'direction' | 'status'> = {},
): ListQuery => ({
  direction,
  from,
  to,
  agentId,
  agentName,
  number: line === undefined ? undefined : lineKey(line).slice(-NUMBER_DIGITS.most),
  page: 1,
  ...own,
})

/** As JSON, for what is kept. */
export const writeQuery = (query: ListQuery): string => JSON.stringify(query)

/** The query as the words of a command, without its page. */
export function commandWords(query: ListQuery): string {
  const { direction, status, from, to, agentId, number } = query
  const days =
    from && to ? [`${from}..${to}`] : [...(from ? [`from:${from}`] : []), ...(to ? [`to:${to}`] : [])]
  const words = [
    ...(direction === 'both' ? [] : [direction]),
    ...(status === undefined ? [] : [status]),
    ...days,
    ...(agentId === undefined ? [] : [`agent:"${agentId.replaceAll('"', '')}"`]),
    ...(number === undefined ? [] : [`number:${number}`]),
  ]
  return words.join(' ')
}

/** @throws {ForgedValueError} for anything that `writeQuery` did not write */
export const readQuery = (value: string | undefined): ListQuery => readValue(listQuery, value, 'a query')

/** What the service is asked for it in one direction; days are those of the zone. */
export function toCallQuery(query: ListQuery, direction: Direction, zone: Zone, now: Date): CallQuery {
  const { from, to, status, agentId, page } = query
  return { direction, offset: rangeOffset(zone, query, now), from, to, status, agentId, page }
}
