import { z } from 'zod'
import { agent, callFilters, number, type ParsedFilters, page, range, status } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { lineKey } from '../../telephony/lines.ts'
import { isSearchable, NUMBER_DIGITS } from '../../telephony/numbers.ts'
import type { Direction, ScanQuery } from '../../telephony/types.ts'
import { addDays, lastDays } from '../../time/days.ts'
import { rangeClockChanges, rangeOffset } from '../../time/ranges.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import { localDay } from '../../time/zones.ts'

/** What `/calls` takes. */
export const callsGrammar: Grammar = {
  filters: callFilters,
  conflict: ({ line, number }) =>
    line !== undefined && number !== undefined ? 'Choose line: or number:, not both.' : undefined,
}

/** What a `/calls` message shows; it rides whole in each of its buttons, so that paging goes on anywhere, any time. */
const querySchema = z.strictObject({
  /** Both where a number is looked for, and there alone: the service lists one direction. */
  direction: z.enum(['incoming', 'outgoing', 'both']),
  ...status.fields,
  ...range.fields,
  ...agent.fields,
  ...number.fields,
  /** What the list was opened from, where it leads back. */
  openedFrom: z.literal('agents').optional(),
  ...page.fields,
})
export type ListQuery = Readonly<z.infer<typeof querySchema>>

export const directionsOf = ({ direction }: Pick<ListQuery, 'direction'>): readonly Direction[] =>
  direction === 'both' ? ['incoming', 'outgoing'] : [direction]

/** How far back a number is looked for where nobody says from when to when: more takes long. */
export const SEARCHED_DAYS = 30

/** Whether it says no days of its own, and a number is looked for. */
export const isOfLastDays = ({ number, from, to }: ListQuery): boolean =>
  number !== undefined && from === undefined && to === undefined

/** With the days that are looked through. */
export const withDays = (query: ListQuery, today: LocalDay): ListQuery =>
  isOfLastDays(query) ? { ...query, ...lastDays(SEARCHED_DAYS, today) } : query

export const listQuerySchema = querySchema.refine(
  ({ direction, number }) => direction !== 'both' || number !== undefined,
)

export const zoneSchema = z.string().transform((name, context): Zone => {
  const zone = parseZone(name)
  if (zone) return zone
  context.addIssue({ code: 'custom', message: 'unknown time zone' })
  return z.NEVER
})

/** As JSON, for what is kept. */
export const writeQuery = (query: ListQuery): string => JSON.stringify(query)

/** Applies defaults: incoming calls; both directions for a number search. Outgoing calls have no line. */
export function toListQuery({ direction, line, agent: _, by: _by, ...rest }: ParsedFilters): ListQuery {
  const usual = rest.number !== undefined && line === undefined ? 'both' : 'incoming'
  return { ...rest, direction: direction ?? usual, page: rest.page ?? 1 }
}

/** The digits by which the calls of a line are looked for, since the service can't be asked for a line. */
export const lineDigits = (number: string): string => lineKey(number).slice(-NUMBER_DIGITS.most)

/** Returns `undefined` for a line whose number can't be searched. */
export function forLine(query: ListQuery, number: string): ListQuery | undefined {
  const digits = lineDigits(number)
  return /^\d+$/.test(digits) && isSearchable(digits) ? { ...query, number: digits } : undefined
}

/** @throws {ForgedValueError} for anything that `writeQuery` did not write */
export const readQuery = (value: string | undefined): ListQuery =>
  readValue(listQuerySchema, value, 'a query')

/** What the service is asked for it, in each direction; days are those of the zone. */
export function toScanQueries(
  query: ListQuery,
  zone: Zone,
  now: Date,
): readonly [ScanQuery, ...(readonly ScanQuery[])] {
  const { from, status, agentId } = query
  // In the offset of the range's start, today may end an hour early. Its calls are the latest that there are: a day more adds none.
  const mayEndEarly = query.to === localDay(zone, now) && rangeClockChanges(zone, query, now).length > 0
  const to = mayEndEarly ? addDays(query.to, 1) : query.to
  const asked = { offset: rangeOffset(zone, query, now), from, to, status, agentId }
  if (query.direction !== 'both') return [{ direction: query.direction, ...asked }]
  return [
    { direction: 'incoming', ...asked },
    { direction: 'outgoing', ...asked },
  ]
}
