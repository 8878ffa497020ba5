import { type DateOrder, lowerWeekdays, matchDate, parseDayWords } from './day-words.ts'
import * as days from './days.ts'
import { localTime, type Zone } from './zones.ts'

export const dayParts = ['morning', 'afternoon', 'evening'] as const
type DayPart = (typeof dayParts)[number]

/** Local times; `to` is excluded. */
const HOURS: Readonly<Record<DayPart, { readonly from: string; readonly to: string }>> = {
  morning: { from: '00:00', to: '12:00' },
  afternoon: { from: '12:00', to: '18:00' },
  evening: { from: '18:00', to: '24:00' },
}

/** `00:00 to 12:00` */
export const dayPartText = (part: DayPart): string => `${HOURS[part].from} to ${HOURS[part].to}`

export function isInDayPart(part: DayPart, at: Date, zone: Zone): boolean {
  const time = localTime(zone, at)
  return time >= HOURS[part].from && time < HOURS[part].to
}

/** A whole leap year. */
export const MAX_LAST_DAYS = 366

export interface OpenRange {
  readonly from?: days.LocalDay | undefined
  readonly to?: days.LocalDay | undefined
}

/** Has either a range, or two readings of an ambiguous text, or a problem. */
interface RangeResult {
  readonly range?: OpenRange & { readonly hours?: DayPart }
  /** `5/11` is in November or in May. */
  readonly readings?: readonly OpenRange[]
  /** `count`: too many days or none. `no-day`: a date such as 30 February. */
  readonly problem?: 'count' | 'no-day' | 'reversed'
  /** Similar text without the problem. */
  readonly meant?: string
}

/** `2026-11-05`, `2026-11-05..2026-11-09`, `from:2026-11-05`, `to:2026-11-09`; `undefined` for any day */
export function writeRange({ from, to }: OpenRange): string | undefined {
  if (from === to) return from
  if (to === undefined) return `from:${from}`
  if (from === undefined) return `to:${to}`
  return `${from}..${to}`
}

/** Reads `last month` as the whole month, and `2 weeks` as the last 14 days. Weeks start on Monday. */
export function parseRange(text: string, today: days.LocalDay): RangeResult | undefined {
  const lower = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const words = lower === 'tonight' ? 'this evening' : lower
  const [, dayWords = '', lastWord] = /^(.+) (.+)$/.exec(words) ?? []
  const dayPart = dayParts.find((part) => part === lastWord)
  if (!dayPart) return parseDays(words, today)
  const day = parseDayWords(dayWords === 'this' ? 'today' : dayWords, today)
  if (!day) return undefined
  return { range: { from: day, to: day, hours: dayPart } }
}

/** Two months are 61 days; an odd number of months is rounded up. */
const DAYS_PER_UNIT: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.5 }

function parseDays(words: string, today: days.LocalDay): RangeResult | undefined {
  const normalized = normalizeRange(words)
  const [, count, unit = ''] = /^(?:last |past )?(\d+) (day|week|month)s?$/.exec(normalized) ?? []
  const daysPerUnit = DAYS_PER_UNIT[unit]
  if (daysPerUnit !== undefined) return parseLastDays(Math.ceil(Number(count) * daysPerUnit), today)
  const dayFirst = parseBounds(normalized, today, 'day-first')
  const monthFirst = parseBounds(normalized, today, 'month-first')
  if (dayFirst?.range && monthFirst?.range) {
    if (writeRange(dayFirst.range) === writeRange(monthFirst.range)) return dayFirst
    return { readings: [dayFirst.range, monthFirst.range] }
  }
  const results = [dayFirst, monthFirst]
  const valid = results.find((result) => result?.range)
  const reversed = results.find((result) => result?.problem === 'reversed')
  // If neither is a range, the order with the day first explains more, because it knows every spelling of a date.
  return valid ?? reversed ?? dayFirst
}

function parseLastDays(count: number, today: days.LocalDay): RangeResult {
  if (count < 1 || count > MAX_LAST_DAYS) return { problem: 'count', meant: `last ${MAX_LAST_DAYS} days` }
  return { range: days.lastDays(count, today) }
}

function parseBounds(text: string, today: days.LocalDay, order: DateOrder): RangeResult | undefined {
  const [, preposition, words = text] = /^(since|from|until) (.+)$/.exec(text) ?? []
  const bounds = words.split('..')
  const [first = '', last = first] = bounds
  const end = parsePeriod(last, today, order)
  // In `monday..friday`, Monday is the latest one before that Friday, on a Wednesday too.
  const latestStart = end && lowerWeekdays.includes(first) ? end.to : today
  const start = parsePeriod(first, latestStart, order)
  if (!start || !end || bounds.length > 2) {
    // Dates that don't exist, or three of them. Any other words aren't a range at all.
    const areDates = bounds.every((bound) => matchDate(bound, order))
    return areDates ? { problem: 'no-day' } : undefined
  }
  if (start.from > end.to) return { problem: 'reversed', meant: `${end.from}..${start.to}` }
  if (preposition === 'until') return { range: { to: end.to } }
  if (preposition !== undefined) return { range: { from: start.from } }
  return { range: { from: start.from, to: end.to } }
}

/** A day, a week, a month or a year. */
function parsePeriod(words: string, today: days.LocalDay, order: DateOrder): days.DayRange | undefined {
  const day = parseDayWords(words, today, order)
  if (day !== undefined) return singleDay(day)
  return periods.get(words)?.(today) ?? parseNumericMonth(words) ?? parseNamedMonth(words, today)
}

/** Writes ranges with `..`, and leaves out words without a meaning. Each step continues with the text of the one before. */
const normalizeRange = (words: string): string =>
  words
    // `on 5 nov`: `5 nov`; `during the last week`: `last week`; `in november`: `november`. Other `in` may be a direction.
    .replace(/^(?:(?:on|during|for)(?: the)?|in the|in(?= [a-z]{3,9}(?: \d{4})?$)) /, '')
    // `5 nov … 7 nov`, `5 nov .. 7 nov`: `5 nov..7 nov`
    .replaceAll(/ ?(?:\.{3}|…) ?/g, '..')
    .replaceAll(' .. ', '..')
    // `5-7 nov`: `5 nov..7 nov`
    .replace(/^(\d{1,2})\.? ?[-–] ?(\d{1,2} ([a-z]+).*)$/, '$1 $3..$2')
    // `5-7.11.`: `5.11..7.11.`
    .replace(/^(\d{1,2})\.? ?[-–] ?(\d{1,2}\.(\d{1,2})\..*)$/, '$1.$3..$2')
    // `5/11 - 7/11`: `5/11..7/11`
    .replace(/^([\d./]{3,10}) ?[-–] ?([\d./]{3,10})$/, '$1..$2')
    // `from 5 nov to 7 nov`: `5 nov..7 nov`; `between monday and friday`: `monday..friday`
    .replace(/^(?:from |between )?(.+?) (?:-|–|to|and) (.+)$/, '$1..$2')

const singleDay = (day: days.LocalDay): days.DayRange => ({ from: day, to: day })

/** Monday to Sunday. */
export const weekRange = (day: days.LocalDay): days.DayRange =>
  days.lastDays(7, days.addDays(day, 6 - days.getWeekday(day)))

export const monthRange = (day: days.LocalDay): days.DayRange => ({
  from: days.startOfMonth(day),
  to: days.endOfMonth(day),
})

function yearRange(day: days.LocalDay): days.DayRange {
  const month = Number(day.slice(5, 7))
  const january = days.startOfMonth(day, 1 - month)
  const december = days.startOfMonth(january, 11)
  return { from: january, to: days.endOfMonth(december) }
}

const periods: ReadonlyMap<string, (today: days.LocalDay) => days.DayRange> = new Map([
  ['tomorrow', (today) => singleDay(days.addDays(today, 1))],
  ['this week', weekRange],
  ['last week', (today) => weekRange(days.addDays(today, -7))],
  ['this month', monthRange],
  ['last month', (today) => monthRange(days.startOfMonth(today, -1))],
  ['this year', yearRange],
  ['last year', (today) => yearRange(days.startOfMonth(today, -12))],
])

/** `2025-11`, `11/2025` */
function parseNumericMonth(words: string): days.DayRange | undefined {
  const [, month = '', year] = /^(\d{1,2})[./-](\d{4})$/.exec(words) ?? []
  const isoMonth = year === undefined ? words : `${year}-${month.padStart(2, '0')}`
  // `parseDay` returns undefined for any other text.
  const firstDay = days.parseDay(`${isoMonth}-01`)
  return firstDay && monthRange(firstDay)
}

/** Returns the latest such month, or that of a year: `november`, `last november`, `nov 2025`. */
function parseNamedMonth(words: string, today: days.LocalDay): days.DayRange | undefined {
  const [, last, monthWords] = /^(last )?([a-z]{3,9}(?: \d{4})?)$/.exec(words) ?? []
  if (monthWords === undefined) return undefined
  // `last november` isn't the current month.
  const latestDay = last === undefined ? today : days.endOfMonth(days.startOfMonth(today, -1))
  const firstDay = parseDayWords(`1 ${monthWords}`, latestDay)
  return firstDay && monthRange(firstDay)
}
