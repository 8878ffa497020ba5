import { z } from 'zod'
import { MAX_LINE_LENGTH } from '../../telephony/lines.ts'
import { readSearchable } from '../../telephony/phone-numbers.ts'
import type { Call, Direction } from '../../telephony/types.ts'
import type { DayRange, LocalDay } from '../../time/days.ts'
import { MAX_LENGTH_SECONDS } from '../../time/lengths.ts'
import { dayParts } from '../../time/ranges.ts'
import type { Zone } from '../../time/zones.ts'

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day', 'person'] as const
export type Grouping = (typeof groupings)[number]

/** Limits for buttons and menus: the whole query has to fit a block's id. */
export const AGENT_LENGTHS = { id: 37, name: 75 } as const

const numberSchema = z.string().refine((text) => readSearchable(text) === text)
const lengthSchema = z.int().min(1).max(MAX_LENGTH_SECONDS).optional()

/** Stored in buttons of lists and reports. Exports are compared as JSON, so the order of fields matters. */
export const narrowingFields = {
  status: z.enum(['answered', 'missed']).optional(),
  hours: z.enum(dayParts).optional(),
  agentId: z.string().min(1).max(AGENT_LENGTHS.id).optional(),
  agentName: z.string().max(AGENT_LENGTHS.name).optional(),
  line: z.string().min(1).max(MAX_LINE_LENGTH).optional(),
  number: numberSchema.optional(),
  longer: lengthSchema,
  shorter: lengthSchema,
}

type NarrowingFilters = Readonly<z.infer<z.ZodObject<typeof narrowingFields>>>

/** Agents and lines aren't looked up yet: both are names or parts of names; an agent may be an id, a line digits. */
export interface ParsedFilters extends Omit<NarrowingFilters, 'agentId' | 'agentName'> {
  readonly direction?: Direction | undefined
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  /** Days that a report compares with. */
  readonly versus?: DayRange | undefined
  readonly agent?: string | undefined
  readonly by?: Grouping | undefined
  readonly page?: number | undefined
}

export interface ResolvedFilters extends NarrowingFilters, Omit<ParsedFilters, 'direction' | 'agent'> {
  readonly direction?: Direction | 'both' | undefined
  readonly lineName?: string | undefined
}

/** Values of the filters, to compare queries: not validated, as an agent's id may be longer than a button can carry. */
export const toFilterKey = (query: ResolvedFilters): string =>
  JSON.stringify(query, Object.keys(narrowingFields))

/** Either the filters, or a problem. */
export interface ParseResult {
  readonly filters?: ParsedFilters
  /** A sentence for people, not escaped. */
  readonly problem?: string
  /** Similar value without the problem. */
  readonly meant?: string | undefined
  /** Readings of an ambiguous value, as typed text. */
  readonly choices?: readonly string[]
}

/** Declares how a filter is parsed, written, described and applied. Its argument and input are in `call-filters.ts`. */
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
  /** Button of an empty list that leaves out the filter. The id is the end of the action's. */
  readonly leaveOut?: { readonly id: string; readonly text: string }
}

/** Quotation marks inside the value would end its quotation. */
export function writeValue({ hasKey, name }: Filter, value: string): string {
  if (!hasKey) return value
  const bare = value.replaceAll(/["“”„‟＂]/g, '')
  if (/^[\w.+-]+$/.test(bare)) return `${name}:${bare}`
  return `${name}:"${bare}"`
}
