import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLatestDueSlot,
  findNextSlot,
  findSlotAfterDay,
} from '../../../src/features/subscriptions/due-times.ts'
import { allRhythms, type Rhythm } from '../../../src/features/subscriptions/schedule.ts'
import { endOfMonth, parseDay } from '../../../src/time/days.ts'
import { parseZone, zoneNames } from '../../../src/time/zone-names.ts'
import { findClockChanges, localDateTime, localDay } from '../../../src/time/zones.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { forRuns } from '../../support/properties.ts'

const toZone = (name: string) => parseZone(name)!
const berlin = toZone('Europe/Berlin')

const rhythms = fc.constantFrom(...(Object.keys(allRhythms) as Rhythm[]))
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
const times = fc.tuple(two(23), two(59)).map((parts) => parts.join(':'))
const zones = fc
  .oneof(fc.constantFrom(...zoneNames), fc.constantFrom('+05:30', '-03:30', '+14:00'))
  .map(toZone)
const instants = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })

describe('findNextSlot', () => {
  it.each([
    // The clocks skip 02:00 to 03:00; the first time after that counts.
    ['daily', '02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
    // 02:30 occurs twice; only the first time counts.
    ['daily', '02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    ['daily', '02:30', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['monthly last', '09:00', '2026-02-01T00:00:00Z', '2026-02-28T08:00:00Z'],
    ['monthly last', '09:00', '2028-02-01T00:00:00Z', '2028-02-29T08:00:00Z'],
    ['monthly first', '09:00', '2026-03-01T08:00:00Z', '2026-04-01T07:00:00Z'],
    ['weekly 7', '00:00', '2026-11-21T12:00:00Z', '2026-11-21T23:00:00Z'],
    ['weekly 1', '09:00', '2026-11-21T12:00:00Z', '2026-11-23T08:00:00Z'],
    ['weekdays', '09:00', '2026-11-20T12:00:00Z', '2026-11-23T08:00:00Z'],
  ] satisfies [Rhythm, string, string, string][])(
    '%s at %s after %s is %s',
    (rhythm, time, after, expected) => {
      expect(findNextSlot({ rhythm, time }, berlin, Date.parse(after)).at).toBe(Date.parse(expected))
    },
  )

  it('has the right local time in every zone, unless the clocks skip it, and is later than the start', () => {
    forRuns(300, rhythms, times, zones, instants, (rhythm, time, zone, after) => {
      const due = new Date(findNextSlot({ rhythm, time }, zone, after.getTime()).at)
      expect(due.getTime()).toBeGreaterThan(after.getTime())
      const [date = '', clock = ''] = localDateTime(zone, due).split(' ')
      const local = parseDay(date)!
      const skipped = findClockChanges(zone, new Date(due.getTime() - minuteMs), due).length > 0
      if (!skipped) expect(clock).toBe(`${time}:00`)
      const weekday = new Date(local).getUTCDay() || 7
      if (rhythm === 'monthly first') expect(local).toMatch(/-01$/)
      if (rhythm === 'monthly last') expect(local).toBe(endOfMonth(local))
      if (rhythm === 'weekdays') expect(weekday).toBeLessThan(6)
      if (rhythm.startsWith('weekly')) expect(rhythm).toBe(`weekly ${weekday}`)
    })
  })
})

describe('findLatestDueSlot', () => {
  const daily = { rhythm: 'daily', time: '09:00' } as const
  const slot = (due: string) => ({ day: parseDay(due.slice(0, 10))!, at: Date.parse(due) })

  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00Z', '2026-11-21T08:00:00Z'],
    ['2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z', '2026-11-21T08:00:00Z'],
    ['2026-11-01T08:00:00Z', '2026-11-21T07:59:59Z', '2026-11-20T08:00:00Z'],
    ['2026-10-20T07:00:00Z', '2026-10-26T08:00:00Z', '2026-10-26T08:00:00Z'],
  ])('due since %s, at %s, the slot is that of %s', (due, now, expected) => {
    expect(findLatestDueSlot(daily, slot(due), berlin, Date.parse(now))).toEqual(slot(expected))
  })
})

it('a slot is once on each of its days, in every zone, and never on another day', () => {
  forRuns(300, rhythms, times, zones, instants, (rhythm, time, zone, after) => {
    const first = findNextSlot({ rhythm, time }, zone, after.getTime())
    const next = findSlotAfterDay({ rhythm, time }, zone, first.day, after.getTime())
    expect(next).toEqual(findNextSlot({ rhythm, time }, zone, first.at, first.day))
    expect(localDay(zone, new Date(next.at))).toBe(next.day)
  })
})
