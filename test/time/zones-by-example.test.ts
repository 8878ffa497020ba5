import { describe, expect, it } from 'vitest'
import { parseDay } from '../../src/time/days.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import { findClockChanges, localDateTime, offsetAt, startOfDay, zoneLabel } from '../../src/time/zones.ts'

const zone = (name: string) => parseZone(name)!
const day = (text: string) => parseDay(text)!

// test/time/every-zone.test.ts covers the changes of all zones.
it.each([
  ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z', 'the clocks go back after midnight'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 'the day before the skipped one'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'the skipped day starts with the next one'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'the day after the skipped one'],
  ['-12:00', '2026-01-01', '2026-01-01T12:00:00.000Z', 'a fixed offset'],
])('startOfDay in %s on %s is %s: %s', (name, local, at) => {
  expect(startOfDay(zone(name), day(local)).toISOString()).toBe(at)
})

describe('offsets', () => {
  it('omit the seconds that a few had before 1972', () => {
    expect(offsetAt(zone('Africa/Monrovia'), new Date('1971-06-01T12:00:00Z'))).toBe('-00:44')
  })

  it('are constant for fixed zones', () => {
    expect(offsetAt(zone('-03:30'), new Date(0))).toBe('-03:30')
    expect(localDateTime(zone('-03:30'), new Date(0))).toBe('1969-12-31 20:30:00')
    expect(findClockChanges(zone('-03:30'), new Date(0), new Date('2026-01-01'))).toEqual([])
  })

  it.each(['Europe/Berlin', '+05:30'])('an invalid date has none in %s', (name) => {
    expect(() => localDateTime(zone(name), new Date(Number.NaN))).toThrow(RangeError)
  })
})

it.each([
  ['Europe/Berlin', '2026-11-05', 'Europe/Berlin (UTC+01:00)'],
  ['US/Eastern', '2026-11-05', 'America/New_York (UTC-05:00)'],
  ['+05:30', '2026-11-05', 'UTC+05:30'],
  ['-00:00', '2026-11-05', 'UTC'],
  ['utc', '2026-11-05', 'UTC'],
])('zoneLabel of %s on %s is %s', (name, date, label) => {
  expect(zoneLabel(zone(name), new Date(date))).toBe(label)
})
