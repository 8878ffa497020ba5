import { textArgument } from '../../slack/blocks/tool-action.ts'
import { choice } from '../../slack/forms/fields.ts'
import { optionalField } from '../../slack/forms/form.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Call } from '../../telephony/types.ts'
import type { LocalDay } from '../../time/days.ts'
import type { Zone } from '../../time/zones.ts'
import * as fields from '../fields.ts'
import * as days from './day-filters.ts'
import { type Filter, type ParsedFilters, type ResolvedFilters, writeValue } from './filter.ts'
import * as filters from './filters.ts'

/** Filters that narrow a list of some days and one direction. */
const narrowingFilters: readonly Filter[] = [
  filters.status,
  days.hours,
  filters.longer,
  filters.shorter,
  filters.agent,
  filters.line,
  filters.number,
]

export const callFilters: readonly Filter[] = [
  filters.direction,
  days.range,
  days.from,
  days.to,
  ...narrowingFilters,
  filters.own,
  filters.filler,
  filters.page,
]

/** Arguments of Slackbot's tools; their values are read like typed ones. */
export const filterArguments = {
  direction: textArgument(40, 'incoming or outgoing; incoming if left out, both for a number'),
  status: textArgument(40, 'answered or missed; both if left out'),
  hours: textArgument(20, 'Only calls of these hours: morning, afternoon or evening'),
  agent: textArgument(200, "An agent's name, a part of it, or an id; me for the agent that the person is"),
  line: textArgument(100, "The name or number of one of the company's own lines"),
  number: textArgument(
    40,
    'Digits to look for in the number called or dialed; a list then covers the last 30 days and both directions, unless others are given',
  ),
  longer: textArgument(20, 'Only calls longer than this: 5m, 90s, 1:30'),
  shorter: textArgument(20, 'Only calls shorter than this: 30s, 1:30'),
}

/** Also writes the days and the page, whose arguments the tool declares itself. */
export function toFilterArguments(query: ResolvedFilters) {
  const args: Record<string, string | undefined> = {}
  for (const { name, write } of callFilters) args[name] = write?.(query)
  return args
}

export const filterInputs = (query: ResolvedFilters, lines: LineNames) => ({
  status: choice('Result', fields.resultTexts, query.status ?? 'any'),
  agent: optionalField(fields.agentField(query)),
  line: fields.lineField(query.line, lines),
  number: fields.digitsField(query.number),
  hours: choice('Hours', fields.dayPartTexts, query.hours ?? 'any'),
  longer: fields.lengthField('Longer than', filters.longer.write?.(query)),
  shorter: fields.lengthField('Shorter than', filters.shorter.write?.(query)),
})

/** Reads the values of `filterInputs` like typed ones. Callers take out the agent first, because its value is an id. */
export function readInputs(values: Readonly<Record<string, unknown>>, today: LocalDay): ParsedFilters {
  const parsed: ParsedFilters = {}
  for (const { name, parse } of narrowingFilters) {
    const value = values[name]
    // The form has checked the values. `any` isn't a value of any filter, so it adds nothing.
    if (typeof value === 'string') Object.assign(parsed, parse(value, today)?.filters)
  }
  return parsed
}

/** Without the direction and the days. */
export const usedFilters = (query: ResolvedFilters): readonly Filter[] =>
  narrowingFilters.filter((filter) => filter.write?.(query) !== undefined)

/** Returns the used filters that the service doesn't have. */
const searchFilters = (query: ResolvedFilters): readonly Filter[] =>
  usedFilters(query).filter(({ matches }) => matches !== undefined)

/** Whether the calls have to be selected here, because the service lacks a filter or lists only one direction. */
export const isSearch = (query: ResolvedFilters): boolean =>
  query.direction === 'both' || searchFilters(query).length > 0

export function toMatcher(query: ResolvedFilters, zone: Zone): (call: Call) => boolean {
  const searched = searchFilters(query)
  return (call) => searched.every((filter) => filter.matches?.(call, query, zone))
}

/** ` longer than 5 minutes for Anna Smith to Sales Berlin`; empty without filters. */
export const filtersText = (query: ResolvedFilters, except: readonly Filter[] = []): string =>
  usedFilters(query)
    .filter((filter) => !except.includes(filter))
    .map((filter) => filter.text?.(query) ?? '')
    .join('')

/** Writes the query as the words of `/calls`. */
export function writeWords(query: ResolvedFilters): string {
  const words: string[] = []
  for (const filter of callFilters) {
    const value = filter.write?.(query)
    if (value !== undefined) words.push(writeValue(filter, value))
  }
  return words.join(' ')
}
