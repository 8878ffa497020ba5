import {
  addDays,
  compareDays,
  type DayRange,
  daysIn,
  endOfMonth,
  getWeekday,
  type LocalDay,
  lastDays,
  monthNames,
  pad2,
  parseDay,
  startOfMonth,
  startOfWeek,
  weekdayNames,
} from './days.ts'
import {
  type ClockChange,
  clockChanges,
  endOfDay,
  offsetAt,
  startOfDay,
  type UtcOffset,
  type Zone,
} from './zones.ts'

/** A whole year, including leap years. Longer ranges are written `DAY..DAY`. */
export const MAX_LAST_DAYS = 366

/** `5 Nov 2026 .. 9 Nov 2026` */
const MAX_RANGE_WORDS = 7

export interface OpenRange {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
}

/** A range, or why the words of a range are invalid. `count`: too many days or none. */
type RangeResult =
  | { readonly range: OpenRange }
  | { readonly problem: 'count' | 'no-day' | 'part-of-day' }
  | { readonly problem: 'reversed'; readonly meant: string }

/** Parses the longest RANGE that `words` begin with; `undefined` if they don't begin with one. */
export function matchRange(
  words: readonly string[],
  today: LocalDay,
): (RangeResult & { readonly wordCount: number }) | undefined {
  for (let wordCount = Math.min(words.length, MAX_RANGE_WORDS); wordCount > 0; wordCount -= 1) {
    const result = parseRange(words.slice(0, wordCount).join(' '), today)
    if (result) return { ...result, wordCount }
  }
  return undefined
}

/**
 * Parses a RANGE, in any case; `undefined` for other text. Weeks start on Monday. Weeks and months are whole, including
 * the current ones. `last N days` ends today and takes 1 to 366; numbers of weeks and months are converted to days.
 */
export function parseRange(text: string, today: LocalDay): RangeResult | undefined {
  const lower = normalizeRange(text.trim().toLowerCase().replaceAll(/\s+/g, ' '))
  const period = periods.get(lower)?.(today) ?? parseMonth(lower, today)
  if (period) return { range: period }
  const [, count, unit = ''] = /^(?:last |past )?(\d+) (day|week|month)s?$/.exec(lower) ?? []
  if (count !== undefined) {
    const days =
      unit === 'month' ? daysInMonths(Number(count), today) : Number(count) * (unit === 'week' ? 7 : 1)
    const isValid = days >= 1 && days <= MAX_LAST_DAYS
    return isValid ? { range: lastDays(days, today) } : { problem: 'count' }
  }
  if (partOfDay.test(lower)) return { problem: 'part-of-day' }
  const [, open, end = ''] = /^(since|from|until) (.+)$/.exec(lower) ?? []
  if (open !== undefined) {
    const day = parseDayWords(end, today)
    return day && { range: open === 'until' ? { to: day } : { from: day } }
  }
  const [first = '', last = first, ...rest] = lower.split('..')
  const to = parseDayWords(last, today)
  // `monday..friday` is the week of that Friday, on a Wednesday too.
  const from = parseDayWords(first, isWeekday(first) && to ? to : today)
  if (from === undefined && matchDayOfMonth(lower)) return { problem: 'no-day' }
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return compareDays(from, to) > 0
    ? { problem: 'reversed', meant: `${to}..${from}` }
    : { range: { from, to } }
}

/** Converts `5-7 nov`, `from 5 nov to 7 nov` and `5 nov - 7 nov` to `DAY..DAY`. */
const normalizeRange = (lower: string): string =>
  lower
    .replace(/^(\d{1,2}) ?[-–] ?(\d{1,2} ([a-z]+).*)$/, '$1 $3..$2')
    .replace(/^(?:from |between )?(.+?) (?:-|–|to|and) (.+)$/, '$1..$2')

const partOfDay =
  /^(this (morning|afternoon|evening)|tonight|last (\d+ )?(hour|minute)s?|(since|until|before|after) \d{1,2}(:\d\d ?(am|pm)?| ?(am|pm)))$/

const daysInMonths = (count: number, today: LocalDay): number =>
  count > 12 ? Number.NaN : daysIn(startOfMonth(today, -count), startOfMonth(today)) - 1

const weekRange = (day: LocalDay): DayRange => ({ from: startOfWeek(day), to: addDays(startOfWeek(day), 6) })

const monthRange = (day: LocalDay): DayRange => ({ from: startOfMonth(day), to: endOfMonth(day) })

function yearRange(day: LocalDay): DayRange {
  const from = startOfMonth(day, 1 - Number(day.slice(5, 7)))
  return { from, to: endOfMonth(startOfMonth(from, 11)) }
}

const periods: ReadonlyMap<string, (today: LocalDay) => DayRange> = new Map([
  ['tomorrow', (today) => lastDays(1, addDays(today, 1))],
  ['this week', weekRange],
  ['last week', (today) => weekRange(addDays(today, -7))],
  ['this month', monthRange],
  ['last month', (today) => monthRange(startOfMonth(today, -1))],
  ['this year', yearRange],
  ['last year', (today) => yearRange(startOfMonth(today, -12))],
])

/**
 * Parses a DAY, in any case: `2026-11-05`, `5 Nov`, `November 5th, 2026`, `today`, `yesterday`, or the latest such weekday,
 * today included except for `last monday`. Without a year it is the latest such day.
 */
export function parseDayWords(text: string, today: LocalDay): LocalDay | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === 'today') return today
  if (lower === 'yesterday') return addDays(today, -1)
  const [, name] = /^last (.+)$/.exec(lower) ?? []
  if (name !== undefined) return isWeekday(name) ? parseDayWords(name, addDays(today, -1)) : undefined
  const weekday = weekdayNames.findIndex((one) => one.toLowerCase() === lower)
  if (weekday !== -1) return addDays(today, -((getWeekday(today) - weekday + 7) % 7))
  const written = matchDayOfMonth(lower)
  if (!written) return parseDay(lower)
  const { date, month, year } = written
  const inYear = (one: number) => parseDay(`${one}-${pad2(month)}-${date.padStart(2, '0')}`)
  if (year !== undefined) return inYear(Number(year))
  const thisYear = Number(today.slice(0, 4))
  // 29 February: leap years are up to eight years apart, around 1900 and 2100.
  for (let back = 0; back <= 8; back += 1) {
    const day = inYear(thisYear - back)
    if (day !== undefined && day <= today) return day
  }
  return undefined
}

const isWeekday = (lower: string) => weekdayNames.some((name) => name.toLowerCase() === lower)

function matchDayOfMonth(lower: string) {
  const ordered = lower.replace(/^([a-z]{3,9}) (\d{1,2}(?:st|nd|rd|th)?)\b,?/, '$2 $1')
  const [, date, name = '', year] =
    /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})(?: (\d{4}))?$/.exec(ordered) ?? []
  const month = monthNames.findIndex((one) => one.toLowerCase().startsWith(name)) + 1
  return date === undefined || month === 0 ? undefined : { date, month, year }
}

/** `october 2026`, `2026-10` */
function parseMonth(lower: string, today: LocalDay): DayRange | undefined {
  const isNamed = /^[a-z]+ \d{4}$/.test(lower)
  const first = parseDay(`${lower}-01`) ?? (isNamed ? parseDayWords(`1 ${lower}`, today) : undefined)
  return first && monthRange(first)
}

/** Returns the offset for a request to the service: the zone's at the start of the range, or now without a range. */
export function rangeOffset(zone: Zone, range: OpenRange, now: Date): UtcOffset {
  const first = range.from ?? range.to
  return offsetAt(zone, first === undefined ? now : startOfDay(zone, first))
}

/** Returns the changes after which the range's offset no longer holds; none without a start. */
export function rangeClockChanges(zone: Zone, range: OpenRange, now: Date): readonly ClockChange[] {
  if (range.from === undefined) return []
  const end = range.to === undefined ? now : endOfDay(zone, range.to)
  // A change at the very end belongs to the next day.
  return clockChanges(zone, startOfDay(zone, range.from), new Date(end.getTime() - 1))
}
