import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areOpen, nextOpening } from '../../../src/features/alerts/hours.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { wallTime } from '../../../src/time/zones.ts'

const hour = 60 * 60_000
const day = 24 * hour
const start = Date.parse('2026-11-20T10:00:00Z')
const zoneOf = (name: string) => parseZone(name)!

describe('the hours of an alert', () => {
  const berlin = zoneOf('Europe/Berlin')
  const office = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' }
  const nights = { weekdays: [5], from: '22:00', to: '06:00' }
  const isOpenAt = (hours: typeof office, text: string) => areOpen(hours, berlin, Date.parse(text))

  it('begin and end in the zone, also past midnight', () => {
    expect(isOpenAt(office, '2026-11-20T07:59:59Z')).toBe(false)
    expect(isOpenAt(office, '2026-11-20T08:00:00Z')).toBe(true)
    expect(isOpenAt(office, '2026-11-20T16:29:59Z')).toBe(true)
    expect(isOpenAt(office, '2026-11-20T16:30:00Z')).toBe(false)
    expect(isOpenAt(office, '2026-11-21T10:00:00Z')).toBe(false)
    expect(isOpenAt(nights, '2026-11-20T20:59:00Z')).toBe(false)
    expect(isOpenAt(nights, '2026-11-20T21:00:00Z')).toBe(true)
    expect(isOpenAt(nights, '2026-11-21T04:59:00Z')).toBe(true)
    expect(isOpenAt(nights, '2026-11-21T05:00:00Z')).toBe(false)
    expect(areOpen(undefined, berlin, start)).toBe(true)
  })

  it('begin later if the clocks skip their beginning, and once if they repeat it', () => {
    const every = { weekdays: [7], from: '02:30', to: '12:00' }
    expect(new Date(nextOpening(every, berlin, Date.parse('2027-03-27T12:00:00Z'))).toISOString()).toBe(
      '2027-03-28T01:00:00.000Z',
    )
    expect(new Date(nextOpening(every, berlin, Date.parse('2027-10-30T12:00:00Z'))).toISOString()).toBe(
      '2027-10-31T00:30:00.000Z',
    )
  })

  it('begin at their time in any zone, and are open from then on', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', '+05:45')
    const instant = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') })
    fc.assert(
      fc.property(weekdays, time, time, zones, instant, (days, from, to, name, now) => {
        const [hours, zone] = [{ weekdays: days, from, to }, zoneOf(name)]
        const opening = nextOpening(hours, zone, now)
        expect(opening).toBeGreaterThan(now)
        expect(opening - now).toBeLessThanOrEqual(8 * day + 2 * hour)
        expect(wallTime(zone, new Date(opening)).slice(11, 16) >= from).toBe(true)
        const isShort =
          to > from && Date.parse(`2026-01-01T${to}Z`) - Date.parse(`2026-01-01T${from}Z`) <= 2 * hour
        // Clocks that skip all of it leave nothing of it.
        if (!isShort) expect(areOpen(hours, zone, opening)).toBe(true)
      }),
    )
  })
})
