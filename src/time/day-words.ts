import { addDays, getWeekday, type LocalDay, monthNames, pad2, parseDay, weekdayNames } from './days.ts'

export const lowerWeekdays = weekdayNames.map((name) => name.toLowerCase())
export const lowerMonths = monthNames.map((name) => name.toLowerCase())

/** Which number of `5/11` is the day. With dots, it is always the first one. */
export type DateOrder = 'day-first' | 'month-first'

/** `26.11.`, `26/11`, `11/26/2026`, `26-11-2026` */
const NUMERIC_DATE = /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2})?)?$/

interface WrittenDate {
  /** Day of the month, of one or two digits. */
  readonly date: string
  /** From 1. */
  readonly month: number
  /** If left out, the date is the latest one that isn't in the future. */
  readonly year: string | undefined
}

function matchNumericDate(text: string, order: DateOrder): WrittenDate | undefined {
  const [, first, separator, second, year] = NUMERIC_DATE.exec(text) ?? []
  if (first === undefined || second === undefined) return undefined
  if (order === 'month-first' && separator === '.') return undefined
  // `12-34` may be a part of a phone number.
  if (separator === '-' && year?.length !== 4) return undefined
  const fullYear = year?.length === 2 ? `20${year}` : year
  if (order === 'day-first') return { date: first, month: Number(second), year: fullYear }
  return { date: second, month: Number(first), year: fullYear }
}

/** `5 nov`; `nov 5th, 2026`, which is reordered to `5th nov 2026` */
function matchNamedDate(text: string): WrittenDate | undefined {
  const reordered = text.replace(/^([a-z]{3,9}) (\d{1,2}(?:st|nd|rd|th)?)\b,?/, '$2 $1')
  const [, date, name, year] = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})(?: (\d{4}))?$/.exec(reordered) ?? []
  if (date === undefined || name === undefined) return undefined
  const monthIndex = lowerMonths.findIndex((month) => month.startsWith(name))
  if (monthIndex === -1) return undefined
  return { date, month: monthIndex + 1, year }
}

/** Matches dates that don't exist, too: `30 feb`. Not those that begin with the year: `2026-02-30`. */
export const matchDate = (text: string, order: DateOrder): WrittenDate | undefined =>
  matchNumericDate(text, order) ?? matchNamedDate(text)

function toDay({ date, month, year }: WrittenDate, today: LocalDay): LocalDay | undefined {
  const monthAndDate = `${pad2(month)}-${date.padStart(2, '0')}`
  if (year !== undefined) return parseDay(`${year}-${monthAndDate}`)
  const thisYear = Number(today.slice(0, 4))
  // 29 February: leap years are up to eight years apart, around 1900 and 2100.
  for (let yearsAgo = 0; yearsAgo <= 8; yearsAgo += 1) {
    const day = parseDay(`${thisYear - yearsAgo}-${monthAndDate}`)
    if (day !== undefined && day <= today) return day
  }
  return undefined
}

/** `2026-11-05`, `2026/11/5`, `2026.11.5` */
function parseYearFirst(text: string): LocalDay | undefined {
  const [, year, _separator, month = '', date = ''] = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  return parseDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
}

/** Resolves weekdays and dates without a year to the latest match: today counts, except for `last monday`. */
export function parseDayWords(text: string, today: LocalDay, order: DateOrder = 'day-first') {
  const lower = text.trim().toLowerCase()
  const yesterday = addDays(today, -1)
  if (lower === 'today') return today
  if (lower === 'yesterday') return yesterday
  const weekday = lowerWeekdays.indexOf(lower.replace(/^last /, ''))
  if (weekday !== -1) {
    const latest = lower.startsWith('last ') ? yesterday : today
    const daysSince = (getWeekday(latest) - weekday + 7) % 7
    return addDays(latest, -daysSince)
  }
  const written = matchDate(lower, order)
  if (written) return toDay(written, today)
  return parseYearFirst(lower)
}
