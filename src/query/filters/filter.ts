import type { Call, CallStatus, Direction } from '../../telephony/types.ts'
import type { DayRange, LocalDay } from '../../time/days.ts'
import type { DayPart } from '../../time/ranges.ts'
import type { Zone } from '../../time/zones.ts'
import type { Seconds } from '../../util/units.ts'

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day', 'person'] as const
export type Grouping = (typeof groupings)[number]

/** Agents and lines aren't looked up yet. */
export interface ParsedFilters {
  readonly direction?: Direction | undefined
  readonly status?: CallStatus | undefined
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly hours?: DayPart | undefined
  /** Days that a report compares with. */
  readonly versus?: DayRange | undefined
  /** A name, a part of one, or an id. */
  readonly agent?: string | undefined
  /** A name, a part of one, or digits. */
  readonly line?: string | undefined
  /** Digits only. */
  readonly number?: string | undefined
  readonly longer?: Seconds | undefined
  readonly shorter?: Seconds | undefined
  readonly by?: Grouping | undefined
  readonly page?: number | undefined
}

export interface ResolvedFilters extends Omit<ParsedFilters, 'direction' | 'agent'> {
  readonly direction?: Direction | 'both' | undefined
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
  readonly lineName?: string | undefined
}

/** Either the filters, or a problem. */
export interface ParseResult {
  readonly filters?: ParsedFilters
  /** A sentence for people, not escaped. */
  readonly problem?: string
  readonly meant?: string | undefined
  /** Readings of an ambiguous value, as typed text. */
  readonly choices?: readonly string[]
}

/** Declares how a filter is parsed, written, described and applied. Its field, argument and input are in `call-filters.ts`. */
export interface Filter {
  readonly name: string
  /** Whether commands take it as `name:value`. */
  readonly hasKey?: true
  readonly otherKeys?: readonly string[]
  /** Returns `undefined` if the text is no value of this filter. */
  parse(text: string, today: LocalDay): ParseResult | undefined
  readonly hint?: string
  /** Whether values may be written without a key. */
  readonly isPlain?: true
  /** Words to compare misspelled words with. */
  readonly vocabulary?: readonly string[]
  /** Unquoted values continue with unknown words: all of them, or those with digits. */
  readonly continues?: 'words' | 'digits'
  /** Formats the value as typed text, without the key; `undefined` if the query doesn't use the filter. */
  write?(query: ResolvedFilters): string | undefined
  /** Follows "calls" in a title. Only called if the query uses the filter. */
  text?(query: ResolvedFilters): string
  /** Selects calls that the service can't select. Only called if the query uses the filter. */
  matches?(call: Call, query: ResolvedFilters, zone: Zone): boolean
  /** Button of an empty list that leaves out the field with the filter's name: the end of its id, and its text. */
  readonly leaveOut?: readonly [id: string, text: string]
}

/** Quotation marks inside the value would end its quotation. */
export function writeValue({ hasKey, name }: Filter, value: string): string {
  if (!hasKey) return value
  const bare = value.replaceAll(/["“”„‟]/g, '')
  return /\s/.test(bare) ? `${name}:"${bare}"` : `${name}:${bare}`
}
