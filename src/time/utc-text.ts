import type { EpochMs, Milliseconds } from '../util/units.ts'

const DAY: Milliseconds = 86_400_000

const twoDigits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** `YYYY-MM-DD`, by the days since 1970: https://howardhinnant.github.io/date_algorithms.html#civil_from_days */
function dayText(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  // Counted from March, so that a leap day is the last day of its year.
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * march + 2) / 5) + 1
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${twoDigits[Math.floor(year / 100)]}${twoDigits[year % 100]}-${twoDigits[month]}-${twoDigits[day]}`
}

/**
 * `YYYY-MM-DD HH:MM:SS` that a UTC clock shows at the instant, for the years 0 to 9999. Every row of every page needs
 * one; measured, a sixth of what `toISOString` and its trimming take.
 */
export function utcText(instant: EpochMs): string {
  const days = Math.floor(instant / DAY)
  const seconds = Math.floor((instant - days * DAY) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${dayText(days)} ${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
}
