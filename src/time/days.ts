import { joinNames } from '../util/text.ts'
import { dayMs, type EpochMs } from '../util/units.ts'
import type { DayRange, LocalDay } from './types.ts'

/** From Monday, as weeks start. */
export const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Three letters of each are its label. */
export const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** Two digits, as clocks and calendars have them. */
export const two = (count: number): string => String(count).padStart(2, '0')

const utc = (day: LocalDay): EpochMs => Date.parse(`${day}T00:00:00Z`)

// A page asks for the day of now many times, and its rows are mostly of the same day.
let latest = { index: Number.NaN, text: '' }

/** `2026-11-05`; years other than 0 to 9999 have a sign. */
export function utcDayText(instant: EpochMs): string {
  const index = Math.floor(instant / dayMs)
  if (index !== latest.index) latest = { index, text: new Date(instant).toISOString().slice(0, 10) }
  return latest.text
}

function fromUtc(ms: EpochMs): LocalDay {
  const day = utcDayText(ms)
  if (!hasPlainYear(day)) throw new RangeError('a day outside the years 0 to 9999')
  return day
}

/** Of what `toISOString` begins with: other years have a sign and six digits. */
const hasPlainYear = (day: string): day is LocalDay => day[4] === '-'

function isDay(text: string): text is LocalDay {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  // `Date` rolls 31 April over to 1 May on some forms: only a day that comes back as written is one.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** The day that a UTC clock shows. @throws {RangeError} outside the years 0 to 9999 */
export const utcDay = (instant: Date): LocalDay => fromUtc(instant.getTime())

/** `YYYY-MM-DD` of a real day in the years 1970 to 2199: slips such as `0206` and `2926` are no years of a call. */
export function parseDay(text: string): LocalDay | undefined {
  return isDay(text) && text >= '1970' && text < '2200' ? text : undefined
}

export const addDays = (day: LocalDay, days: number): LocalDay => fromUtc(utc(day) + days * dayMs)

/** Below 0 where `a` is the earlier day, 0 for the same day: an order for `sort`. */
export const compareDays = (a: LocalDay, b: LocalDay): number => utc(a) - utc(b)

export const daysIn = (from: LocalDay, to: LocalDay): number => (utc(to) - utc(from)) / dayMs + 1

export const lastDays = (count: number, today: LocalDay): DayRange => ({
  from: addDays(today, 1 - count),
  to: today,
})

export const startOfWeek = (day: LocalDay): LocalDay => addDays(day, -weekdayOf(day))

/** 0 for Monday to 6 for Sunday. @param day `YYYY-MM-DD` */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** The first of the day's month, or of the month `monthsOn` months later. */
export function startOfMonth(day: LocalDay, monthsOn = 0): LocalDay {
  const date = new Date(utc(day))
  return fromUtc(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1))
}

export const endOfMonth = (day: LocalDay): LocalDay => addDays(startOfMonth(day, 1), -1)

const partsOf = (day: string) => ({
  year: day.slice(0, 4),
  month: monthNames[Number(day.slice(5, 7)) - 1]?.slice(0, 3) ?? '',
  date: String(Number(day.slice(8, 10))),
})

/** `5 Nov 2026` */
export function dayLabel(day: LocalDay): string {
  const { year, month, date } = partsOf(day)
  return `${date} ${month} ${year}`
}

/** `Thu 5 Nov 2026` */
export const weekdayLabel = (day: LocalDay): string =>
  `${weekdayNames[weekdayOf(day)]?.slice(0, 3)} ${dayLabel(day)}`

/** `5 Nov`, with the year where it isn't that of `today`. @param day or what begins with one: `2026-11-05 14:03:22` */
export function shortDayLabel(day: string, today: LocalDay): string {
  const { year, month, date } = partsOf(day)
  return `${date} ${month}${today.startsWith(year) ? '' : ` ${year}`}`
}

/** `9–15 Nov 2026`, `28 Oct – 3 Nov 2026`, `28 Dec 2026 – 3 Jan 2027`; without the years where both are that of `today`. */
export function rangeLabel({ from, to }: DayRange, today?: LocalDay): string {
  const [first, last] = [partsOf(from), partsOf(to)]
  const isThisYear = today !== undefined && first.year === last.year && last.year === partsOf(today).year
  const end = `${last.date} ${last.month}${isThisYear ? '' : ` ${last.year}`}`
  if (from === to) return end
  if (first.year !== last.year) return `${dayLabel(from)} – ${end}`
  return first.month === last.month ? `${first.date}–${end}` : `${first.date} ${first.month} – ${end}`
}

/** `Monday to Saturday`, `every day`. @param weekdays from 1 for Monday @param before stands before days that are no run */
export function weekdaysText(weekdays: readonly number[], before = ''): string {
  const sorted = [...new Set(weekdays)].toSorted((a, b) => a - b)
  const [first = 1, last = 7] = [sorted[0], sorted.at(-1)]
  const nameOf = (weekday: number) => weekdayNames[weekday - 1] ?? ''
  if (sorted.length === weekdayNames.length) return 'every day'
  const isRun = sorted.length > 2 && last - first + 1 === sorted.length
  return isRun ? `${nameOf(first)} to ${nameOf(last)}` : `${before}${joinNames(sorted.map(nameOf))}`
}
