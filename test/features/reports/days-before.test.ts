import { expect, it } from 'vitest'
import { daysBefore } from '../../../src/features/reports/period.ts'
import { parseDay } from '../../../src/time/days.ts'

it.each([
  ['day', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['day', '2027-01-01', '2026-12-31', '2026-12-31'],
  // A Monday, a Sunday, and one in another year.
  ['week', '2026-11-23', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-22', '2026-11-09', '2026-11-15'],
  ['week', '2027-01-01', '2026-12-21', '2026-12-27'],
  ['month', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['month', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['month', '2027-01-01', '2026-12-01', '2026-12-31'],
] as const)('the %s before %s is %s to %s', (range, day, from, to) => {
  expect(daysBefore(range, parseDay(day)!)).toEqual({ from, to })
})
