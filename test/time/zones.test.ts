import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysIn, parseDay, startOfWeek, toServiceDay } from '../../src/time/days.ts'
import { matchRange, rangeClockChanges, rangeOffset } from '../../src/time/ranges.ts'
import { instantOf, utcOffset } from '../../src/time/wall-clock.ts'
import {
  clockChanges,
  localDay,
  offsetAt,
  parseZone,
  startOfDay,
  suggestZones,
  wallTime,
  zoneLabel,
  zoneNames,
} from '../../src/time/zones.ts'

const zone = (name: string) => parseZone(name)!
const day = (text: string) => parseDay(text)!
const zones = zoneNames().map(zone)

/** Another way to the same answer: what `Intl` itself prints. */
function oracle(name: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (instant: Date) => format.format(instant)
}

describe('every zone that the runtime knows', () => {
  it('shows the time that Intl shows, with an offset that agrees, around each clock change of two years', () => {
    for (const name of zones) {
      const expected = oracle(name)
      const changes = clockChanges(name, new Date('2025-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z'))
      const instants = changes.flatMap(({ at }) => [-3_600_000, -1000, 0, 1000].map((d) => at.getTime() + d))
      for (const ms of [...instants, Date.parse('2026-07-01T12:34:56Z')]) {
        const instant = new Date(ms)
        expect(wallTime(name, instant), `${name} ${instant.toISOString()}`).toBe(expected(instant))
        const [date = '', time = ''] = wallTime(name, instant).split(' ')
        expect(Date.parse(`${date}T${time}${offsetAt(name, instant)}`)).toBe(ms)
      }
    }
  })

  it('begins a local day at the first instant of it, on the days of every clock change and beside them', () => {
    for (const name of zones) {
      const changes = clockChanges(name, new Date('2022-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z'))
      for (const { at } of changes.slice(-6)) {
        for (const shift of [-1, 0, 1]) {
          const local = addDays(localDay(name, at), shift)
          const start = startOfDay(name, local)
          expect(localDay(name, start), `${name} ${local}`).toBe(local)
          expect(localDay(name, new Date(start.getTime() - 1)), `${name} ${local}`).toBe(addDays(local, -1))
        }
      }
    }
  })

  it('is read back from its own spelling, in any case', () => {
    for (const name of zones) expect(parseZone(name.toLowerCase())).toBe(name)
  })
})

describe('zones', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '+01:00', '2026-03-29 01:59:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '+02:00', '2026-03-29 03:00:00'],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', '+02:00', '2026-10-25 02:59:59'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '+01:00', '2026-10-25 02:00:00'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '+05:45', '2026-01-01 05:45:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '+10:30', '2026-04-05 01:30:00'],
    ['Pacific/Chatham', '2026-01-01T00:00:00Z', '+13:45', '2026-01-01 13:45:00'],
    ['+05:30', '2026-01-01T00:00:00Z', '+05:30', '2026-01-01 05:30:00'],
    ['UTC', '2026-01-01T00:00:00Z', '+00:00', '2026-01-01 00:00:00'],
  ])('%s at %s is %s', (name, iso, offset, wall) => {
    expect(offsetAt(zone(name), new Date(iso))).toBe(offset)
    expect(wallTime(zone(name), new Date(iso))).toBe(wall)
  })

  it.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ])('a day of %s that begins at a clock change: %s', (name, local, iso) => {
    expect(startOfDay(zone(name), day(local)).toISOString()).toBe(iso)
  })

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['+0530', '+05:30'],
    ['UTC+2', '+02:00'],
    ['-3', '-03:00'],
    ['Mars/Olympus', undefined],
    ['+14:30', undefined],
    ['+05:75', undefined],
    ['', undefined],
    ['<!channel>', undefined],
  ])('reads %j as %j', (text, expected) => {
    expect(parseZone(text)).toBe(expected)
  })

  it('labels and suggests', () => {
    expect(zoneLabel(zone('Europe/Berlin'), new Date('2026-11-05T00:00:00Z'))).toBe(
      'Europe/Berlin (UTC+01:00)',
    )
    expect(zoneLabel(zone('+05:30'), new Date())).toBe('UTC+05:30')
    expect(suggestZones('berl', 3)).toEqual(['Europe/Berlin'])
    expect(suggestZones('new york', 3)).toEqual(['America/New_York'])
    expect(suggestZones('', 5)).toHaveLength(5)
  })
})

describe('ranges', () => {
  const today = day('2026-11-05')
  it.each([
    ['today', '2026-11-05', '2026-11-05', 1],
    ['Yesterday', '2026-11-04', '2026-11-04', 1],
    ['this week', '2026-11-02', '2026-11-08', 2],
    ['last week', '2026-10-26', '2026-11-01', 2],
    ['this month', '2026-11-01', '2026-11-30', 2],
    ['last month', '2026-10-01', '2026-10-31', 2],
    ['last 7 days missed', '2026-10-30', '2026-11-05', 3],
    ['2024-02-29', '2024-02-29', '2024-02-29', 1],
    ['2026-01-01..yesterday', '2026-01-01', '2026-11-04', 1],
  ])('%s', (text, from, to, used) => {
    expect(matchRange(text.split(' '), today)).toEqual({ range: { from, to }, used })
  })

  it.each(['last', 'last 0 days', 'last 367 days', 'next week', '2026-02-30', '2026-1-1', 'a..b', 'missed'])(
    'does not take %j for a range',
    (text) => {
      expect(matchRange(text.split(' '), today)).toBeUndefined()
    },
  )

  it('sends the offset of the start of the range and knows the clock changes in it', () => {
    const berlin = zone('Europe/Berlin')
    const now = new Date('2026-11-05T12:00:00Z')
    const range = { from: day('2026-10-20'), to: day('2026-10-31') }
    expect(rangeOffset(berlin, range, now)).toBe('+02:00')
    expect(rangeOffset(berlin, {}, now)).toBe('+01:00')
    expect(rangeOffset(berlin, { to: day('2026-07-01') }, now)).toBe('+02:00')
    expect(rangeClockChanges(berlin, range, now)).toEqual([
      { at: new Date('2026-10-25T01:00:00Z'), before: '+02:00', after: '+01:00' },
    ])
    expect(rangeClockChanges(berlin, { from: day('2026-11-01'), to: day('2026-11-30') }, now)).toEqual([])
  })
})

describe('days', () => {
  const days = fc.integer({ min: 0, max: 60_000 }).map((n) => addDays(day('1990-01-01'), n))

  it('count forth and back, and weeks start on Monday', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -3000, max: 3000 }), (from, n) => {
        const to = addDays(from, n)
        expect(addDays(to, -n)).toBe(from)
        expect(daysIn(from, to)).toBe(n + 1)
        const monday = startOfWeek(from)
        expect(new Date(monday).getUTCDay()).toBe(1)
        expect(daysIn(monday, from)).toBeLessThanOrEqual(7)
        expect(toServiceDay(from)).toBe(`${from.slice(8)}-${from.slice(5, 7)}-${from.slice(0, 4)}`)
      }),
    )
  })

  it('has no instant for a time that no clock shows', () => {
    const at = { year: 2026, month: 2, day: 30, hour: 1, minute: 0, second: 0 }
    expect(instantOf(at, utcOffset('+01:00'))).toBeUndefined()
    expect(instantOf({ ...at, day: 28 }, utcOffset('+05:45'))?.toISOString()).toBe('2026-02-27T19:15:00.000Z')
  })
})
