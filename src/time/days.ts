import { joinNames } from '../util/text.ts'
import { dayMs } from '../util/units.ts'

/** `YYYY-MM-DD`. Only functions of `src/time` make one. */
export type LocalDay = string & { readonly __brand: 'LocalDay' }

/** Both days included. */
export interface DayRange {
  readonly from: LocalDay
  readonly to: LocalDay
}

export const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

export const monthNames =
  'January February March April May June July August September October November December'.split(' ')

export const pad2 = (count: number): string => (count < 10 ? `0${count}` : String(count))

const hasPlainYear = (day: string): day is LocalDay => /^\d{4}-/.test(day)

/** Takes a third of the time of `toISOString`. @throws {RangeError} outside the years 0 to 9999, and for an invalid date */
export function utcDay(instant: Date): LocalDay {
  const year = String(instant.getUTCFullYear()).padStart(4, '0')
  const day = `${year}-${pad2(instant.getUTCMonth() + 1)}-${pad2(instant.getUTCDate())}`
  if (!hasPlainYear(day)) throw new RangeError('a day outside the years 0 to 9999')
  return day
}

export function isDay(text: string): text is LocalDay {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  // Years such as `0206` and `2926` are typing errors.
  if (text < '1970' || text >= '2200') return false
  // `Date` turns 31 April into 1 May.
  return new Date(text).getUTCDate() === Number(text.slice(8))
}

export const parseDay = (text: string): LocalDay | undefined => (isDay(text) ? text : undefined)

export const addDays = (day: LocalDay, days: number): LocalDay =>
  utcDay(new Date(Date.parse(day) + days * dayMs))

export const countDays = (from: LocalDay, to: LocalDay): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1

export const lastDays = (count: number, today: LocalDay): DayRange => ({
  from: addDays(today, 1 - count),
  to: today,
})

/** Returns 0 for Monday. @param day `YYYY-MM-DD` */
export const getWeekday = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

export function startOfMonth(day: LocalDay, monthsLater = 0): LocalDay {
  const date = new Date(day)
  return utcDay(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1)))
}

export const endOfMonth = (day: LocalDay): LocalDay => addDays(startOfMonth(day, 1), -1)

/** Returns what labels show: `2026`, `Nov` and `5`. */
const splitDay = (day: string) => ({
  year: day.slice(0, 4),
  month: monthNames[Number(day.slice(5, 7)) - 1]?.slice(0, 3) ?? '',
  date: String(Number(day.slice(8, 10))),
})

/** `Thu 5 Nov 2026`; without the year if it is that of `today`. */
export function weekdayLabel(day: LocalDay, today?: LocalDay): string {
  const weekday = weekdayNames[getWeekday(day)]?.slice(0, 3)
  return `${weekday} ${dayLabel(day, today)}`
}

/** `5 Nov 2026`; without the year if it is that of `today`. @param day may continue: `2026-11-05 14:03:22` */
export function dayLabel(day: string, today?: LocalDay): string {
  const { year, month, date } = splitDay(day)
  if (today?.startsWith(year)) return `${date} ${month}`
  return `${date} ${month} ${year}`
}

/** `9–15 Nov 2026`, `28 Oct – 3 Nov 2026`, `28 Dec 2026 – 3 Jan 2027`; without the years if both are that of `today`. */
export function rangeLabel({ from, to }: DayRange, today?: LocalDay): string {
  const first = splitDay(from)
  const last = splitDay(to)
  if (first.year !== last.year) return `${dayLabel(from)} – ${dayLabel(to)}`
  const end = dayLabel(to, today)
  if (from === to) return end
  if (first.month === last.month) return `${first.date}–${end}`
  return `${first.date} ${first.month} – ${end}`
}

/** `Monday to Saturday`, `Monday and Friday`, `every day`. @param weekdays from 1 for Monday */
export function weekdaysText(weekdays: readonly number[]): string {
  const names = weekdayNames.filter((_, index) => weekdays.includes(index + 1))
  if (names.length === weekdayNames.length) return 'every day'
  const isRun = weekdayNames.join().includes(names.join())
  if (isRun && names.length > 2) return `${names[0]} to ${names.at(-1)}`
  return joinNames(names)
}
