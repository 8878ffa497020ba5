import { expect, it } from 'vitest'
import { dayLabel, parseDay } from '../../src/time/days.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import { dayTimeLabel, instantLabel, recentLabel } from '../../src/time/zones.ts'

const zone = (name: string) => parseZone(name)!
const day = (text: string) => parseDay(text)!
const now = new Date('2026-12-31T23:30:00Z')

it('labels omit the current year, and show any other one', () => {
  expect([dayLabel(day('2026-11-05')), dayLabel(day('2026-09-30'))]).toEqual(['5 Nov 2026', '30 Sep 2026'])
  expect(dayTimeLabel(day('2026-12-15'), '09:00', day('2026-11-05'))).toBe('15 Dec, 09:00')
  expect(dayTimeLabel(day('2027-01-01'), '09:00', day('2026-11-05'))).toBe('1 Jan 2027, 09:00')
})

it.each([
  ['UTC', '2026-12-31T08:05:00Z', '31 Dec, 08:05', '08:05'],
  ['UTC', '2027-01-01T08:05:00Z', '1 Jan 2027, 08:05', '1 Jan 2027, 08:05'],
  // Berlin is already in the new year.
  ['Europe/Berlin', '2027-01-01T08:05:00Z', '1 Jan, 09:05', '09:05'],
  ['Europe/Berlin', '2026-12-31T22:05:00Z', '31 Dec 2026, 23:05', '31 Dec 2026, 23:05'],
])('in %s, %s is %s, and the recent label is %s', (name, instant, label, recent) => {
  expect(instantLabel(zone(name), new Date(instant), now)).toBe(label)
  expect(recentLabel(zone(name), new Date(instant), now)).toBe(recent)
})
