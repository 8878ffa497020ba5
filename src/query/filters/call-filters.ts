import { z } from 'zod'
import { type LineNames, readDigits } from '../../telephony/lines.ts'
import type { Call, CallStatus } from '../../telephony/types.ts'
import type { DayPart } from '../../time/day-parts.ts'
import { parseLength } from '../../time/lengths.ts'
import type { Zone } from '../../time/zones.ts'
import { from, hours, range, to } from './day-filters.ts'
import type { Filter, ResolvedFilters } from './filter.ts'
import { agent, direction, filler, line, longer, number, own, page, shorter, status } from './filters.ts'

// The filters of calls together: a new one is declared in `filters.ts` and listed here.

export const callFilters = [
  direction,
  status,
  range,
  from,
  to,
  hours,
  longer,
  shorter,
  agent,
  line,
  number,
  own,
  filler,
  page,
] as const

const listFilters: readonly Filter[] = [direction, range, from, to, own, filler, page]

/** Filters that leave out calls of the days and the direction. */
const narrowingFilters: readonly Filter[] = callFilters.filter(
  (filter: Filter) => !listFilters.includes(filter),
)

/** Stored in buttons of lists and reports. The order of fields decides whether two exports are equal. */
export const narrowingFields = {
  ...status.fields,
  ...hours.fields,
  ...agent.fields,
  ...line.fields,
  ...number.fields,
  ...longer.fields,
  ...shorter.fields,
}

export const filterArguments = {
  ...status.toolArguments,
  ...hours.toolArguments,
  ...agent.toolArguments,
  ...line.toolArguments,
  ...number.toolArguments,
  ...longer.toolArguments,
  ...shorter.toolArguments,
}

/** Filters that views name apart from the others. */
export const namedFilters: readonly Filter[] = [agent, line, number]

const filterArgumentsSchema = z.object(filterArguments)

export function toFilterArguments(query: ResolvedFilters): z.infer<typeof filterArgumentsSchema> {
  const values: object = Object.assign({}, ...narrowingFilters.map((filter) => filter.toArguments?.(query)))
  return filterArgumentsSchema.parse(values)
}

export const filterInputs = (query: ResolvedFilters, lines: LineNames) => ({
  ...status.inputs(query),
  ...agent.inputs(query),
  ...line.inputs(query, lines),
  ...number.inputs(query),
  ...hours.inputs(query),
  ...longer.inputs(query),
  ...shorter.inputs(query),
})

interface InputValues {
  readonly status: CallStatus | 'any'
  readonly hours: DayPart | 'any'
  readonly line: string | undefined
  readonly number: string
  readonly longer: string
  readonly shorter: string
}

/** Reads the values of `filterInputs`; the agent's id needs no reading. */
export const readInputs = ({ status, hours, line, number, longer, shorter }: InputValues) => ({
  status: status === 'any' ? undefined : status,
  hours: hours === 'any' ? undefined : hours,
  line,
  number: readDigits(number),
  longer: parseLength(longer),
  shorter: parseLength(shorter),
})

const isUsed = ({ fields = {} }: Filter, query: ResolvedFilters): boolean =>
  Object.keys(fields).some((name) => Reflect.get(query, name) !== undefined)

export const usedFilters = (query: ResolvedFilters): readonly Filter[] =>
  narrowingFilters.filter((filter) => isUsed(filter, query))

const searchFilters = (query: ResolvedFilters): readonly Filter[] =>
  usedFilters(query).filter(({ matches }) => matches !== undefined)

/** Whether the calls have to be read and selected here, because the service has no such filter or lists one direction. */
export const isSearch = (query: ResolvedFilters): boolean =>
  query.direction === 'both' || searchFilters(query).length > 0

/** Returns the test for the calls that the service can't select. */
export function toMatcher(query: ResolvedFilters, zone: Zone): (call: Call) => boolean {
  const filters = searchFilters(query)
  return (call) => filters.every((filter) => filter.matches?.(call, query, zone))
}

/** Values of the filters, to compare queries. An agent's id may be longer than a button can carry. */
export const toFilterKey = (query: ResolvedFilters): string =>
  JSON.stringify(query, Object.keys(narrowingFields))

/** Returns the query without a filter and its page. */
export function leaveOutFilter<Query extends ResolvedFilters>(query: Query, { fields = {} }: Filter): Query {
  const without = { ...query, page: 1 }
  for (const name of Object.keys(fields)) Object.assign(without, { [name]: undefined })
  return without
}

/** ` longer than 5 minutes for Anna Smith to Sales Berlin`; empty without filters. */
export const filtersText = (query: ResolvedFilters, except: readonly Filter[] = []): string =>
  callFilters
    .filter((filter: Filter) => !except.includes(filter))
    .map((filter: Filter) => filter.text?.(query) ?? '')
    .join('')

export const writeWords = (filters: readonly Filter[], query: ResolvedFilters): string =>
  filters
    .map((one) => one.write(query))
    .filter((one) => one !== undefined)
    .join(' ')
