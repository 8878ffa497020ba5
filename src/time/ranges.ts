import {
  addDays,
  compareDays,
  endOfMonth,
  lastDays,
  monthNames,
  parseDay,
  startOfMonth,
  startOfWeek,
  two,
  weekdayNames,
  weekdayOf,
} from './days.ts'
import type { DayRange, LocalDay, UtcOffset, Zone } from './types.ts'
import { type ClockChange, clockChanges, endOfDay, offsetAt, startOfDay } from './zones.ts'

/** A whole year, a leap year's too; what goes further back is written `DAY..DAY`. */
export const MOST_LAST_DAYS = 366

export interface OpenRange {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
}

/** What a range in words is, or why it is none: it ends before it begins, has too many days or none, or a day that no month has. */
type RangeReading = { readonly range: OpenRange } | { readonly problem: 'reversed' | 'count' | 'no-day' }

const MOST_WORDS = 7

/**
 * The contract's RANGE at the head of `words`, in any case: the longest one that they make; `undefined` where there is none.
 * @returns `text`: the words of which it is made
 */
export function matchRange(
  words: readonly string[],
  today: LocalDay,
): (RangeReading & { readonly text: string; readonly wordCount: number }) | undefined {
  for (let wordCount = Math.min(words.length, MOST_WORDS); wordCount > 0; wordCount -= 1) {
    const text = words.slice(0, wordCount).join(' ')
    const reading = parseRange(text, today)
    if (reading) return { ...reading, text, wordCount }
  }
  return undefined
}

/**
 * The contract's RANGE, in any case; `undefined` for what is none. A week is Monday to Sunday and a month is whole, also
 * those under way: the days to come hold no calls yet. `last N days` ends today and takes N from 1 to 366.
 */
export function parseRange(text: string, today: LocalDay): RangeReading | undefined {
  const lower = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const period = periods.get(lower)?.(today)
  if (period) return { range: period }
  const [, count] = /^last (\d+) days?$/.exec(lower) ?? []
  if (count !== undefined) {
    const days = Number(count)
    const isCount = days >= 1 && days <= MOST_LAST_DAYS
    return isCount ? { range: lastDays(days, today) } : { problem: 'count' }
  }
  const [, start] = /^since (.+)$/.exec(lower) ?? []
  if (start !== undefined) {
    const from = parseDayWords(start, today)
    return from && { range: { from } }
  }
  const [first = '', last = first, ...rest] = lower.split('..')
  const [from, to] = [parseDayWords(first, today), parseDayWords(last, today)]
  if (from === undefined && monthOfDay(lower)) return { problem: 'no-day' }
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return compareDays(from, to) > 0 ? { problem: 'reversed' } : { range: { from, to } }
}

const periods: ReadonlyMap<string, (today: LocalDay) => DayRange> = new Map([
  ['this week', weekOf],
  ['last week', (today) => weekOf(addDays(today, -7))],
  ['this month', monthOf],
  ['last month', (today) => monthOf(startOfMonth(today, -1))],
])

/**
 * The contract's DAY, in any case: `2026-11-05`, `5 Nov`, `5 November 2026`, `today`, `yesterday`, or a weekday, which is the
 * last one, today's included. Without a year it is the last such day.
 */
export function parseDayWords(text: string, today: LocalDay): LocalDay | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === 'today') return today
  if (lower === 'yesterday') return addDays(today, -1)
  const weekday = weekdayNames.findIndex((name) => name.toLowerCase() === lower)
  if (weekday !== -1) return addDays(today, -((weekdayOf(today) - weekday + 7) % 7))
  const written = monthOfDay(lower)
  if (!written) return parseDay(lower)
  const { date, month, year } = written
  const dayOf = (ofYear: number) => parseDay(`${ofYear}-${two(month)}-${date.padStart(2, '0')}`)
  if (year !== undefined) return dayOf(Number(year))
  const thisYear = Number(today.slice(0, 4))
  // 29 February is of a leap year: no further back than eight years, as around 1900 and 2100.
  for (let back = 0; back <= 8; back += 1) {
    const day = dayOf(thisYear - back)
    if (day !== undefined && day <= today) return day
  }
  return undefined
}

function monthOfDay(lower: string) {
  const [, date, name = '', year] = /^(\d{1,2}) ([a-z]{3,9})(?: (\d{4}))?$/.exec(lower) ?? []
  const month = monthNames.findIndex((one) => one.toLowerCase().startsWith(name)) + 1
  return date === undefined || month === 0 ? undefined : { date, month, year }
}

/** What the service is to read a request's days in: the zone's offset as the range starts, `now` without a range. */
export function rangeOffset(zone: Zone, range: OpenRange, now: Date): UtcOffset {
  const first = range.from ?? range.to
  return offsetAt(zone, first === undefined ? now : startOfDay(zone, first))
}

/** After which the range's offset no longer holds. One with an open beginning has none to speak of. */
export function rangeClockChanges(zone: Zone, range: OpenRange, now: Date): readonly ClockChange[] {
  if (range.from === undefined) return []
  const end = range.to === undefined ? now : endOfDay(zone, range.to)
  // A change at the very end belongs to the next day.
  return clockChanges(zone, startOfDay(zone, range.from), new Date(end.getTime() - 1))
}

function weekOf(day: LocalDay): DayRange {
  const from = startOfWeek(day)
  return { from, to: addDays(from, 6) }
}

function monthOf(day: LocalDay): DayRange {
  return { from: startOfMonth(day), to: endOfMonth(day) }
}
