import { addDays, compareDays, endOfMonth, parseDay, startOfMonth, startOfWeek } from './days.ts'
import type { DayRange, LocalDay, UtcOffset, Zone } from './types.ts'
import { type ClockChange, clockChanges, endOfDay, offsetAt, startOfDay } from './zones.ts'

/** A whole year, a leap year's too; what goes further back is written `DAY..DAY`. */
const MOST_LAST_DAYS = 366

/** The first `wordCount` words mean a range, or a `DAY..DAY` that ends before it begins. */
export type RangeMatch =
  | { readonly range: DayRange; readonly wordCount: number }
  | (DayRange & { readonly problem: 'reversed'; readonly wordCount: number })

/** Either end may be open. */
export interface OpenRange {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
}

/**
 * The contract's RANGE at the head of `words`, in any case; `undefined` where there is none. A week is Monday
 * to Sunday and a month is whole, also those under way: the days to come hold no calls yet.
 * `last N days` ends today and takes N from 1 to 366.
 */
export function matchRange(words: readonly string[], today: LocalDay): RangeMatch | undefined {
  const [first = '', second = '', third = ''] = words.map((word) => word.toLowerCase())
  return (
    matchDays(first, today) ??
    matchPeriod(`${first} ${second}`, today) ??
    matchLastDays(first, second, third, today)
  )
}

/** `2026-11-05`, `today` or `yesterday`, in any case. */
export function parseDayWord(text: string, today: LocalDay): LocalDay | undefined {
  const word = text.toLowerCase()
  if (word === 'today') return today
  return word === 'yesterday' ? addDays(today, -1) : parseDay(word)
}

/** What the service is to read a request's days in: the zone's offset as the range starts, `now` without a range. */
export function rangeOffset(zone: Zone, range: OpenRange, now: Date): UtcOffset {
  const first = range.from ?? range.to
  return offsetAt(zone, first === undefined ? now : startOfDay(zone, first))
}

/**
 * The changes after which the range's offset no longer holds. A range with an open end goes up to `now`; one
 * with an open beginning has none to speak of.
 */
export function rangeClockChanges(zone: Zone, range: OpenRange, now: Date): readonly ClockChange[] {
  if (range.from === undefined) return []
  const end = range.to === undefined ? now : endOfDay(zone, range.to)
  // A change at the very end belongs to the next day.
  return clockChanges(zone, startOfDay(zone, range.from), new Date(end.getTime() - 1))
}

function matchDays(word: string, today: LocalDay): RangeMatch | undefined {
  const [first = '', last = first, ...rest] = word.split('..')
  const from = parseDayWord(first, today)
  const to = parseDayWord(last, today)
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  const isReversed = compareDays(from, to) > 0
  return isReversed ? { problem: 'reversed', from, to, wordCount: 1 } : { range: { from, to }, wordCount: 1 }
}

function matchPeriod(words: string, today: LocalDay): RangeMatch | undefined {
  if (words === 'this week') return { range: weekOf(today), wordCount: 2 }
  if (words === 'last week') return { range: weekOf(addDays(today, -7)), wordCount: 2 }
  if (words === 'this month') return { range: monthOf(today), wordCount: 2 }
  if (words === 'last month') return { range: monthOf(startOfMonth(today, -1)), wordCount: 2 }
  return undefined
}

function matchLastDays(first: string, count: string, third: string, today: LocalDay): RangeMatch | undefined {
  if (first !== 'last' || !/^\d{1,3}$/.test(count) || !/^days?$/.test(third)) return undefined
  const days = Number(count)
  if (days < 1 || days > MOST_LAST_DAYS) return undefined
  return { range: { from: addDays(today, 1 - days), to: today }, wordCount: 3 }
}

function weekOf(day: LocalDay): DayRange {
  const from = startOfWeek(day)
  return { from, to: addDays(from, 6) }
}

function monthOf(day: LocalDay): DayRange {
  return { from: startOfMonth(day), to: endOfMonth(day) }
}
