import { z } from 'zod'
import { readSearchable } from '../../telephony/phone-numbers.ts'
import { lowerMonths, lowerWeekdays } from '../../time/day-words.ts'
import { type DayRange, isDay, type LocalDay, rangeLabel } from '../../time/days.ts'
import * as ranges from '../../time/ranges.ts'
import { joinNames, nearestWord } from '../../util/text.ts'
import type { Filter, ParseResult } from './filter.ts'

export const localDaySchema = z.string().refine(isDay)

export const notADayText = (text: string) =>
  `"${text}" isn't a date. Write it as 2026-11-05, 5 Nov, today or yesterday.`

const rangeWords = ['this', 'last', 'week', 'month', 'days', 'since']
const dayVocabulary = ['today', 'yesterday', ...lowerWeekdays]

/** `31.12`, `31.12.`, `5/11/26`, `24-11-2026`: both separators are the same. */
const DAY_OR_MONTH_FIRST = /^\d{1,2}([-./])\d{1,2}(?:\1(?:\d{2}|\d{4})?)?$/

/** `2026-11`, `2026-11-`, `2026/11/5` */
const YEAR_FIRST = /^\d{4}([-./])\d{1,2}(?:\1\d{0,2})?$/

/** Whether it looks like dates, valid or not: `31.12.`, `2026/11/5`, `2026-11-05..`. */
export const looksLikeDay = (text: string): boolean =>
  text.split('..').some((part) => DAY_OR_MONTH_FIRST.test(part) || YEAR_FIRST.test(part))

/** Asks which number of `5/11` is the month. */
function askWhichRange(text: string, readings: readonly ranges.OpenRange[]): ParseResult {
  const labels: string[] = []
  const choices: string[] = []
  for (const reading of readings) {
    // An open range such as `since 5/11` is labeled with its one day.
    const from = reading.from ?? reading.to
    const to = reading.to ?? reading.from
    const written = ranges.writeRange(reading)
    // Never: every reading has a day.
    if (!from || !to || written === undefined) continue
    labels.push(rangeLabel({ from, to }))
    choices.push(written)
  }
  return { problem: `Does "${text}" mean ${joinNames(labels, { conjunction: 'or' })}?`, choices }
}

export const range: Filter = {
  name: 'range',
  isPlain: true,
  vocabulary: [...dayVocabulary, ...lowerMonths, ...ranges.dayParts, ...rangeWords],
  parse(text, today) {
    const result = ranges.parseRange(text, today)
    if (result?.range) return { filters: result.range }
    if (result?.readings) return askWhichRange(text, result.readings)
    if (!result?.problem) return undefined
    const problems = {
      reversed: `In "${text}" the end date is before the start date.`,
      'no-day': notADayText(text),
      count: `"${text}": write 1 to ${ranges.MAX_LAST_DAYS} days. For more, write the dates: 2025-01-01..2026-11-05.`,
    }
    return { problem: problems[result.problem], meant: result.meant }
  },
  write: ranges.writeRange,
}

const rangeEnd = (name: 'from' | 'to'): Filter => ({
  name,
  hasKey: true,
  parse(text, today) {
    const result = ranges.parseRange(text, today)
    if (result?.readings) return askWhichRange(text, result.readings)
    const { from, to, hours } = result?.range ?? {}
    // One day: not a longer range such as `last week`, and not a part of a day.
    if (from && from === to && !hours) return { filters: { [name]: from } }
    // `to` may be followed by a called number instead.
    const digits = name === 'to' ? readSearchable(text) : undefined
    if (digits !== undefined && !looksLikeDay(text)) return { filters: { number: digits } }
    return { problem: notADayText(text), meant: nearestWord(text, dayVocabulary) }
  },
})

export const from = rangeEnd('from')
export const to = rangeEnd('to')

/** Hours of each day, in the zone that shows the calls. */
export const hours: Filter = {
  name: 'hours',
  hasKey: true,
  hint: 'Write hours:morning, hours:afternoon or hours:evening.',
  vocabulary: ranges.dayParts,
  parse(text) {
    const part = ranges.dayParts.find((name) => name === text.toLowerCase())
    return part && { filters: { hours: part } }
  },
  write: (query) => query.hours,
  text: ({ hours }) => (hours === undefined ? '' : ` from ${ranges.dayPartText(hours)}`),
  matches: ({ at }, { hours }, zone) =>
    hours !== undefined && at instanceof Date && ranges.isInDayPart(hours, at, zone),
  leaveOut: { id: 'all-day', text: 'All day' },
}

/** `last month vs this month` */
export const versus: Filter = {
  name: 'vs',
  hasKey: true,
  otherKeys: ['vs.', 'versus'],
  hint: 'Write two ranges: last month vs this month.',
  parse(text, today) {
    const days = parseClosedRange(text, today)
    return days && { filters: { versus: days } }
  },
}

/** `compare october with november`. In `compare last month`, only the word is this filter, and the days are a range. */
export const compare: Filter = {
  name: 'compare',
  isPlain: true,
  vocabulary: ['compare'],
  parse(text, today) {
    // A report compares with the days before anyway.
    if (/^compare$/i.test(text)) return { filters: {} }
    const [, words = '', otherWords = ''] = /^compare (.+) (?:with|to|and|against) (.+)$/i.exec(text) ?? []
    const days = parseClosedRange(words, today)
    const otherDays = parseClosedRange(otherWords, today)
    if (!days || !otherDays) return undefined
    return { filters: { ...days, versus: otherDays } }
  },
}

function parseClosedRange(text: string, today: LocalDay): DayRange | undefined {
  const { from, to } = ranges.parseRange(text, today)?.range ?? {}
  if (!from || !to) return undefined
  return { from, to }
}
