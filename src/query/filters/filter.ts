import type { z } from 'zod'
import type { Field } from '../../slack/forms/form.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Call, CallStatus, Direction } from '../../telephony/types.ts'
import type { DayPart } from '../../time/day-parts.ts'
import type { DayRange, LocalDay } from '../../time/days.ts'
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

/** The problem is a sentence for people, not escaped. */
export type ParseResult =
  | { readonly filters: ParsedFilters }
  | {
      readonly problem: string
      readonly meant?: string | undefined
      /** Readings of an ambiguous value. */
      readonly choices?: readonly ValueChoice[]
    }

export interface ValueChoice {
  readonly label: string
  /** The value as typed text. */
  readonly text: string
}

/** Declares everything about a filter: lists, reports, exports, forms and tools loop over the declarations. */
export interface Filter {
  readonly name: string
  /** Whether commands take it as `name:value`. */
  readonly hasKey: boolean
  readonly otherKeys?: readonly string[]
  /** Returns `undefined` if the text is no value of this filter. */
  parse(text: string, today: LocalDay): ParseResult | undefined
  readonly hint?: string
  /** Whether values may be written without a key. */
  readonly isPlain?: true
  /** Limits the words of a value without a key. */
  readonly maxWords?: number
  /** Says what is wrong with a word that looks like a value without a key. */
  explain?(word: string): string | undefined
  /** Words to compare misspelled words with. */
  readonly vocabulary?: readonly string[]
  /** Unquoted values continue with unknown words: all of them, or those with digits. */
  readonly continues?: 'words' | 'digits'
  /** Stored in the values of buttons. */
  readonly fields?: Readonly<Record<string, z.ZodType>>
  /** Formats the filter as typed text; `undefined` if the query doesn't use it. */
  write(query: ResolvedFilters): string | undefined
  /** Follows "calls" in a title; empty if the query doesn't use it. */
  text?(query: ResolvedFilters): string
  /** Examples for the help. */
  readonly help?: readonly string[]
  /** Selects calls that the service can't select. Only called if the query uses the filter. */
  matches?(call: Call, query: ResolvedFilters, zone: Zone): boolean
  /** Arguments of Slackbot's tools; their values are read like typed ones. */
  readonly toolArguments?: Readonly<Record<string, z.ZodType>>
  toArguments?(query: ResolvedFilters): object
  /** Inputs of forms. */
  inputs?(query: ResolvedFilters, lines: LineNames): Readonly<Record<string, Field<unknown>>>
  /** Button of an empty list that leaves the filter out: the end of its id, and its text. */
  readonly leaveOut?: readonly [id: string, text: string]
}
