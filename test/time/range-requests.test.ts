import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, parseDay } from '../../src/time/days.ts'
import { type RangeRequest, rangeZoneLabel, toRangeRequest } from '../../src/time/range-requests.ts'
import type { OpenRange } from '../../src/time/ranges.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import { parseOffset } from '../../src/time/zones.ts'
import { minuteMs } from '../../src/util/units.ts'
import { forRuns } from '../support/properties.ts'

/** In the last six, clocks change at midnight or by half an hour. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Santiago',
  'America/Nuuk',
  'Asia/Beirut',
  'America/Havana',
  'Australia/Lord_Howe',
].map((name) => parseZone(name)!)
const first = parseDay('2025-01-01')!
const instants = fc
  .integer({ min: Date.parse('2025-02-01T00:00:00Z'), max: Date.parse('2026-12-31T00:00:00Z') })
  .map((ms) => new Date(ms))
const cases = fc.record({
  zone: fc.constantFrom(...zones),
  start: fc.nat(700),
  length: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 400 })),
  open: fc.constantFrom('from', 'to', undefined),
  now: instants,
})

const toRange = ({ start, length, open }: { start: number; length: number; open: string | undefined }) => {
  const from = addDays(first, start)
  const range: OpenRange = {
    from: open === 'to' ? undefined : from,
    to: open === 'from' ? undefined : addDays(from, length - 1),
  }
  return range
}

/** Returns the instants that the service lists, up to now. */
function listed({ requestedDays: { offset, from, to } }: RangeRequest, now: Date) {
  const shift = parseOffset(offset) * minuteMs
  return {
    start: from === undefined ? -Infinity : Date.parse(from) - shift,
    end: Math.min(now.getTime(), to === undefined ? Infinity : Date.parse(addDays(to, 1)) - shift),
  }
}

describe('a request for local days', () => {
  it('covers them, and only them if it is exact', () => {
    forRuns(2000, cases, ({ zone, now, ...days }) => {
      const request = toRangeRequest(zone, toRange(days), now)
      const { start, end } = listed(request, now)
      const lastInstant = Math.min(request.end, now.getTime())
      fc.pre(request.start < lastInstant)
      expect(start).toBeLessThanOrEqual(request.start)
      expect(end).toBeGreaterThanOrEqual(lastInstant)
      if (request.isExact) expect([start, end]).toEqual([request.start, lastInstant])
    })
  })

  it.each([
    ['2026-07-01', '2026-07-31', 'UTC+02:00'],
    ['2026-11-01', '2026-11-30', 'UTC+01:00'],
    ['2026-10-01', '2026-10-31', 'UTC+02:00, then UTC+01:00'],
    ['2026-10-01', undefined, 'UTC+02:00, then UTC+01:00'],
    [undefined, '2026-07-31', 'UTC+02:00'],
    [undefined, undefined, 'UTC+01:00'],
  ])('%s..%s is labelled %s', (from, to, offsets) => {
    const range = { from: parseDay(from ?? ''), to: parseDay(to ?? '') }
    const label = rangeZoneLabel(parseZone('Europe/Berlin')!, range, new Date('2026-11-21T12:00:00Z'))
    expect(label).toBe(`Europe/Berlin (${offsets})`)
    expect(rangeZoneLabel(parseZone('+05:30')!, range, new Date('2026-11-21T12:00:00Z'))).toBe('UTC+05:30')
  })

  // Clocks in Cairo skipped the first hour of 25 April 2025, and in Nuuk the last one of 29 March 2025.
  it.each([
    ['Africa/Cairo', '2025-04-25', '2025-04-25', false],
    ['Africa/Cairo', '2025-04-25', undefined, true],
    ['Africa/Cairo', undefined, '2025-04-24', true],
    ['America/Nuuk', '2025-03-29', '2025-03-29', false],
    ['America/Nuuk', undefined, '2025-03-29', true],
    ['Europe/Berlin', '2025-01-01', '2025-12-31', true],
    ['Europe/Berlin', '2025-10-01', '2025-10-31', false],
  ])('in %s, %s..%s: exact %s', (name, from, to, isExact) => {
    const range = { from: parseDay(from ?? ''), to: parseDay(to ?? '') }
    expect(toRangeRequest(parseZone(name)!, range, new Date('2026-06-01T00:00:00Z')).isExact).toBe(isExact)
  })
})
