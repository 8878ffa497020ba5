import { describe, expect, it } from 'vitest'
import { parseDay } from '../../src/time/days.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import {
  clockChanges,
  endOfDay,
  localDay,
  offsetAt,
  startOfDay,
  wallTime,
  zoneLabel,
} from '../../src/time/zones.ts'
import { dayMs } from '../../src/util/units.ts'

const zone = (name: string) => parseZone(name)!
const day = (text: string) => parseDay(text)!

// test/time/every-zone.test.ts covers the changes of all zones.
it.each([
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25 02:59:59', '2026-10-25 02:00:00'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z', '2026-09-27 02:44:59', '2026-09-27 03:45:00'],
])('clocks in %s change at %s from %s to %s', (name, at, last, first) => {
  const instant = new Date(at)
  const previous = new Date(instant.getTime() - 1000)
  expect([wallTime(zone(name), previous), wallTime(zone(name), instant)]).toEqual([last, first])
  // In (from, to]: a change at the end of the range counts, one at its beginning doesn't.
  expect(clockChanges(zone(name), previous, instant)).toMatchObject([{ at: instant }])
  expect(clockChanges(zone(name), instant, new Date(instant.getTime() + 1000))).toEqual([])
})

describe('startOfDay', () => {
  it.each([
    ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z', 'the clocks go back after midnight'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 'the day before the skipped one'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'the skipped day starts with the next one'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'the day after the skipped one'],
    ['-12:00', '2026-01-01', '2026-01-01T12:00:00.000Z', 'a fixed offset'],
    ['UTC', '2026-01-01', '2026-01-01T00:00:00.000Z', 'UTC'],
  ])('%s on %s is %s: %s', (name, local, at) => {
    expect(startOfDay(zone(name), day(local)).toISOString()).toBe(at)
  })

  it('is right at both ends of the accepted years', () => {
    expect(localDay(zone('America/New_York'), startOfDay(zone('America/New_York'), day('1970-01-01')))).toBe(
      '1970-01-01',
    )
    expect(endOfDay(zone('Asia/Tokyo'), day('2199-12-31')).toISOString()).toBe('2199-12-31T15:00:00.000Z')
    expect(localDay(zone('America/New_York'), new Date(0))).toBe('1969-12-31')
  })
})

describe('offsets', () => {
  it('omit the seconds that a few had before 1972', () => {
    expect(offsetAt(zone('Africa/Monrovia'), new Date('1971-06-01T12:00:00Z'))).toBe('-00:44')
  })

  it('are constant for fixed zones', () => {
    expect(offsetAt(zone('-03:30'), new Date(0))).toBe('-03:30')
    expect(wallTime(zone('-03:30'), new Date(0))).toBe('1969-12-31 20:30:00')
    expect(clockChanges(zone('-03:30'), new Date(0), new Date('2026-01-01'))).toEqual([])
  })

  it.each(['Europe/Berlin', '+05:30'])('an invalid date has none in %s', (name) => {
    expect(() => offsetAt(zone(name), new Date(Number.NaN))).toThrow(RangeError)
    expect(() => wallTime(zone(name), new Date(Number.NaN))).toThrow(RangeError)
  })
})

describe('clockChanges', () => {
  it.each([
    ['America/Noronha', '2000-10-08T02:00:00.000Z', '2000-10-15T01:00:00.000Z'],
    ['Asia/Gaza', '2040-10-20T00:00:00.000Z', '2040-10-26T23:00:00.000Z'],
    ['Asia/Gaza', '2072-10-22T00:00:00.000Z', '2072-10-28T23:00:00.000Z'],
  ])('finds two changes within a week in %s', (name, first, second) => {
    const [from, to] = [Date.parse(first) - 14 * dayMs, Date.parse(second) + 5 * dayMs]
    const changes = clockChanges(zone(name), new Date(from), new Date(to))
    expect(changes.map(({ at }) => at.toISOString())).toEqual([first, second])
  })

  it('has none in a range that ends before it begins', () => {
    expect(clockChanges(zone('Europe/Berlin'), new Date('2026-12-01'), new Date('2026-01-01'))).toEqual([])
  })

  it('looks no further than 20 years', () => {
    const changes = clockChanges(zone('Europe/Berlin'), new Date('1990-01-01'), new Date('2199-12-31'))
    expect(changes).toHaveLength(40)
    expect(changes.at(-1)?.at.getUTCFullYear()).toBe(2009)
  })
})

describe('zoneLabel', () => {
  it.each([
    ['Europe/Berlin', '2026-11-05', 'Europe/Berlin (UTC+01:00)'],
    ['Europe/Berlin', '2026-07-05', 'Europe/Berlin (UTC+02:00)'],
    ['US/Eastern', '2026-11-05', 'America/New_York (UTC-05:00)'],
    ['CET', '2026-11-05', 'CET (UTC+01:00)'],
    ['+05:30', '2026-11-05', 'UTC+05:30'],
    ['-00:00', '2026-11-05', 'UTC'],
    ['utc', '2026-11-05', 'UTC'],
  ])('%s on %s is %s', (name, date, label) => {
    expect(zoneLabel(zone(name), new Date(date))).toBe(label)
  })
})
