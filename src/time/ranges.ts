import {
  addDays,
  type DayRange,
  getWeekday,
  type LocalDay,
  lastDays,
  monthNames,
  pad2,
  parseDay,
  startOfMonth,
  weekdayNames,
} from './days.ts'
import { type ClockChange, clockChanges, endOfDay, startOfDay, type Zone } from './zones.ts'

export const lowerWeekdays = weekdayNames.map((name) => name.toLowerCase())

/** A whole leap year. */
export const MAX_LAST_DAYS = 366

export interface OpenRange {
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
}

/** `count`: too many days or none. */
type RangeResult =
  | { readonly range: OpenRange }
  | { readonly problem: 'count' | 'no-day' | 'reversed'; readonly meant?: string }

const DAYS_PER_UNIT: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.5 }

/** `2026-11-05`, `2026-11-05..2026-11-09`, as `parseRange` reads it */
export const writeRange = ({ from, to }: DayRange): string => (from === to ? from : `${from}..${to}`)

/** Returns `undefined` if the text is no range. Weeks start on Monday; weeks and months are whole, including the current ones. */
export function parseRange(text: string, today: LocalDay): RangeResult | undefined {
  const lower = normalizeRange(text.trim().toLowerCase().replaceAll(/\s+/g, ' '))
  const period = periods.get(lower)?.(today) ?? parseMonth(lower, today)
  if (period) return { range: period }
  const [, count, unit = ''] = /^(?:last |past )?(\d+) (day|week|month)s?$/.exec(lower) ?? []
  if (count !== undefined) {
    const days = Math.ceil(Number(count) * (DAYS_PER_UNIT[unit] ?? 1))
    const isValid = days >= 1 && days <= MAX_LAST_DAYS
    return isValid
      ? { range: lastDays(days, today) }
      : { problem: 'count', meant: `last ${MAX_LAST_DAYS} days` }
  }
  const [, open, end = ''] = /^(since|from|until) (.+)$/.exec(lower) ?? []
  if (open !== undefined) {
    const day = parseDayWords(end, today)
    return day && { range: open === 'until' ? { to: day } : { from: day } }
  }
  const [first = '', last = first, ...rest] = lower.split('..')
  const to = parseDayWords(last, today)
  // `monday..friday` is the week of that Friday, on a Wednesday too.
  const from = parseDayWords(first, lowerWeekdays.includes(first) && to ? to : today)
  if (from === undefined && matchDayOfMonth(lower)) return { problem: 'no-day' }
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return from > to ? { problem: 'reversed', meant: `${to}..${from}` } : { range: { from, to } }
}

/** Converts `5-7 nov`, `from 5 nov to 7 nov` and `5 nov - 7 nov` to `DAY..DAY`. */
const normalizeRange = (lower: string): string =>
  lower
    .replace(/^(\d{1,2}) ?[-–] ?(\d{1,2} ([a-z]+).*)$/, '$1 $3..$2')
    .replace(/^(?:from |between )?(.+?) (?:-|–|to|and) (.+)$/, '$1..$2')

const weekRange = (day: LocalDay): DayRange => lastDays(7, addDays(day, 6 - getWeekday(day)))

const monthRange = (day: LocalDay, months = 1): DayRange => ({
  from: startOfMonth(day),
  to: addDays(startOfMonth(day, months), -1),
})

const yearRange = (day: LocalDay): DayRange => monthRange(startOfMonth(day, 1 - Number(day.slice(5, 7))), 12)

const periods: ReadonlyMap<string, (today: LocalDay) => DayRange> = new Map([
  ['tomorrow', (today) => lastDays(1, addDays(today, 1))],
  ['this week', weekRange],
  ['last week', (today) => weekRange(addDays(today, -7))],
  ['this month', monthRange],
  ['last month', (today) => monthRange(startOfMonth(today, -1))],
  ['this year', yearRange],
  ['last year', (today) => yearRange(startOfMonth(today, -12))],
])

/** Resolves weekdays and dates without a year to the latest match: today counts, except for `last monday`. */
export function parseDayWords(text: string, today: LocalDay): LocalDay | undefined {
  const lower = text.trim().toLowerCase()
  const yesterday = addDays(today, -1)
  if (lower === 'today') return today
  if (lower === 'yesterday') return yesterday
  const weekday = lowerWeekdays.indexOf(lower.replace(/^last /, ''))
  if (weekday !== -1) {
    const latest = lower.startsWith('last ') ? yesterday : today
    return addDays(latest, -((getWeekday(latest) - weekday + 7) % 7))
  }
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

/** Returns the changes that have calls of the range before and after them. */
export function rangeClockChanges(zone: Zone, range: OpenRange, now: Date): readonly ClockChange[] {
  if (range.from === undefined) return []
  const end = range.to === undefined ? now : endOfDay(zone, range.to)
  // A change at the very end belongs to the next day.
  return clockChanges(zone, startOfDay(zone, range.from), new Date(end.getTime() - 1))
}
