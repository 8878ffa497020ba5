import {
  addDays,
  compareDays,
  daysIn,
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

/**
 * What a range in words is, or why it is none: it ends before it begins, has too many days or none, a day that no month has, or
 * is a part of one.
 */
type RangeReading =
  | { readonly range: OpenRange }
  | { readonly problem: 'count' | 'no-day' | 'part-of-day' }
  | { readonly problem: 'reversed'; readonly meant: string }

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
 * those under way: the days to come hold no calls yet. `last N days` ends today and takes N from 1 to 366; weeks and months
 * are counted in days.
 */
export function parseRange(text: string, today: LocalDay): RangeReading | undefined {
  const lower = plainRange(text.trim().toLowerCase().replaceAll(/\s+/g, ' '))
  const period = periods.get(lower)?.(today) ?? monthOfYear(lower, today)
  if (period) return { range: period }
  const [, count, unit = ''] = /^(?:last |past )?(\d+) (day|week|month)s?$/.exec(lower) ?? []
  if (count !== undefined) {
    const days =
      unit === 'month' ? daysOfMonths(Number(count), today) : Number(count) * (unit === 'week' ? 7 : 1)
    const isCount = days >= 1 && days <= MOST_LAST_DAYS
    return isCount ? { range: lastDays(days, today) } : { problem: 'count' }
  }
  if (partOfDay.test(lower)) return { problem: 'part-of-day' }
  const [, open, end = ''] = /^(since|from|until) (.+)$/.exec(lower) ?? []
  if (open !== undefined) {
    const day = parseDayWords(end, today)
    return day && { range: open === 'until' ? { to: day } : { from: day } }
  }
  const [first = '', last = first, ...rest] = lower.split('..')
  const to = parseDayWords(last, today)
  // Of `monday..friday`, that Friday's week is meant, on a Wednesday too.
  const from = parseDayWords(first, isWeekday(first) && to ? to : today)
  if (from === undefined && monthOfDay(lower)) return { problem: 'no-day' }
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return compareDays(from, to) > 0
    ? { problem: 'reversed', meant: `${to}..${from}` }
    : { range: { from, to } }
}

/** As the contract has it: `5-7 nov`, `from 5 nov to 7 nov`, `5 nov - 7 nov`. */
const plainRange = (lower: string): string =>
  lower
    .replace(/^(\d{1,2}) ?[-–] ?(\d{1,2} ([a-z]+).*)$/, '$1 $3..$2')
    .replace(/^(?:from |between )?(.+?) (?:-|–|to|and) (.+)$/, '$1..$2')

/** Calls are asked for by whole days. */
const partOfDay =
  /^(this (morning|afternoon|evening)|tonight|last (\d+ )?(hour|minute)s?|(since|until|before|after) \d{1,2}(:\d\d ?(am|pm)?| ?(am|pm)))$/

const daysOfMonths = (count: number, today: LocalDay): number =>
  count > 12 ? Number.NaN : daysIn(startOfMonth(today, -count), startOfMonth(today)) - 1

const periods: ReadonlyMap<string, (today: LocalDay) => DayRange> = new Map([
  ['tomorrow', (today) => lastDays(1, addDays(today, 1))],
  ['this week', weekOf],
  ['last week', (today) => weekOf(addDays(today, -7))],
  ['this month', monthOf],
  ['last month', (today) => monthOf(startOfMonth(today, -1))],
  ['this year', yearOf],
  ['last year', (today) => yearOf(startOfMonth(today, -12))],
])

/**
 * The contract's DAY, in any case: `2026-11-05`, `5 Nov`, `November 5th, 2026`, `today`, `yesterday`, or a weekday, which is the
 * last one, today's included where it isn't `last monday`. Without a year it is the last such day.
 */
export function parseDayWords(text: string, today: LocalDay): LocalDay | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === 'today') return today
  if (lower === 'yesterday') return addDays(today, -1)
  const [, name] = /^last (.+)$/.exec(lower) ?? []
  if (name !== undefined) return isWeekday(name) ? parseDayWords(name, addDays(today, -1)) : undefined
  const weekday = weekdayNames.findIndex((one) => one.toLowerCase() === lower)
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

const isWeekday = (lower: string) => weekdayNames.some((name) => name.toLowerCase() === lower)

function monthOfDay(lower: string) {
  const ordered = lower.replace(/^([a-z]{3,9}) (\d{1,2}(?:st|nd|rd|th)?)\b,?/, '$2 $1')
  const [, date, name = '', year] =
    /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})(?: (\d{4}))?$/.exec(ordered) ?? []
  const month = monthNames.findIndex((one) => one.toLowerCase().startsWith(name)) + 1
  return date === undefined || month === 0 ? undefined : { date, month, year }
}

/** `october 2026`, `2026-10` */
function monthOfYear(lower: string, today: LocalDay): DayRange | undefined {
  const first = parseDay(`${lower}-01`)
  if (first) return monthOf(first)
  return /^[a-z]+ \d{4}$/.test(lower) ? monthNamed(lower, today) : undefined
}

/** Of a month's name, the last such month, or that of the year behind it. */
export function monthNamed(name: string, today: LocalDay): DayRange | undefined {
  const first = parseDayWords(`1 ${name}`, today)
  return first && monthOf(first)
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

function yearOf(day: LocalDay): DayRange {
  const from = startOfMonth(day, 1 - Number(day.slice(5, 7)))
  return { from, to: endOfMonth(startOfMonth(from, 11)) }
}

function monthOf(day: LocalDay): DayRange {
  return { from: startOfMonth(day), to: endOfMonth(day) }
}
