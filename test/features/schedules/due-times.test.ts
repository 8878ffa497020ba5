import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  expectedAt,
  latestSlot,
  nextDue,
  nextSlot,
  slotAfter,
  slotOn,
} from '../../../src/features/planned/due-times.ts'
import type { ScheduleDay } from '../../../src/store/schedules.ts'
import { endOfMonth, parseDay } from '../../../src/time/days.ts'
import type { Zone } from '../../../src/time/types.ts'
import { parseZone, zoneNames } from '../../../src/time/zone-names.ts'
import { clockChanges, localDay, wallTime } from '../../../src/time/zones.ts'

const zoneOf = (name: string): Zone => {
  const zone = parseZone(name)
  if (!zone) throw new Error(`no zone ${name}`)
  return zone
}
const berlin = zoneOf('Europe/Berlin')
const daily = { kind: 'billing-date' } as const
const onWorkdays: ScheduleDay = { kind: 'daily', weekdays: [1, 2, 3, 4, 5] }
const minuteMs = 60_000

const days: fc.Arbitrary<ScheduleDay> = fc.oneof(
  fc.constant(daily),
  fc.record({
    kind: fc.constant('monthly' as const),
    day: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant('last' as const)),
  }),
  fc.record({ kind: fc.constant('weekly' as const), weekday: fc.integer({ min: 1, max: 7 }) }),
  fc.record({
    kind: fc.constant('daily' as const),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  }),
)
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
const times = fc.tuple(two(23), two(59)).map((parts) => parts.join(':'))
const zones = fc
  .oneof(fc.constantFrom(...zoneNames), fc.constantFrom('+05:30', '-03:30', '+14:00'))
  .map(zoneOf)
const instants = fc.date({
  min: new Date('2024-01-01'),
  max: new Date('2030-01-01'),
  noInvalidDate: true,
})

describe('nextDue', () => {
  it.each([
    // The clocks skip 02:00 to 03:00: the first time after it.
    [daily, '02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
    // They show 02:30 twice: the first of the two, and not the second.
    [daily, '02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    [daily, '02:30', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    [{ kind: 'monthly', day: 'last' }, '09:00', '2026-02-01T00:00:00Z', '2026-02-28T08:00:00Z'],
    [{ kind: 'monthly', day: 'last' }, '09:00', '2028-02-01T00:00:00Z', '2028-02-29T08:00:00Z'],
    [{ kind: 'monthly', day: 1 }, '09:00', '2026-03-01T08:00:00Z', '2026-04-01T07:00:00Z'],
    [{ kind: 'weekly', weekday: 7 }, '00:00', '2026-11-21T12:00:00Z', '2026-11-21T23:00:00Z'],
    [{ kind: 'weekly', weekday: 1 }, '09:00', '2026-11-21T12:00:00Z', '2026-11-23T08:00:00Z'],
    [onWorkdays, '09:00', '2026-11-20T12:00:00Z', '2026-11-23T08:00:00Z'],
    [{ kind: 'daily', weekdays: [7, 3] }, '09:00', '2026-11-23T12:00:00Z', '2026-11-25T08:00:00Z'],
  ] satisfies [ScheduleDay, string, string, string][])(
    '%o at %s after %s is %s',
    (day, time, after, expected) => {
      expect(nextDue({ day, time }, berlin, new Date(after))).toEqual(new Date(expected))
    },
  )

  it('shows its time on its day in every zone, unless the clocks skip it, and is after what it is asked for', () => {
    fc.assert(
      fc.property(days, times, zones, instants, (day, time, zone, after) => {
        const due = nextDue({ day, time }, zone, after)
        expect(due.getTime()).toBeGreaterThan(after.getTime())
        const [date = '', clock = ''] = wallTime(zone, due).split(' ')
        const local = parseDay(date)!
        const skipped = clockChanges(zone, new Date(due.getTime() - minuteMs), due).length > 0
        if (!skipped) expect(clock).toBe(`${time}:00`)
        if (day.kind === 'monthly') {
          expect(local).toBe(
            day.day === 'last'
              ? endOfMonth(local)
              : `${local.slice(0, 8)}${String(day.day).padStart(2, '0')}`,
          )
        }
        const weekdays =
          day.kind === 'weekly' ? [day.weekday] : day.kind === 'daily' ? day.weekdays : undefined
        if (weekdays) expect(weekdays).toContain(new Date(local).getUTCDay() || 7)
      }),
      { numRuns: 300 },
    )
  })
})

describe('latestSlot', () => {
  const schedule = (due: string, day: ScheduleDay = daily) => ({
    id: '1',
    tenant: { enterpriseId: undefined, teamId: 'T1' },
    channel: 'C1',
    owner: 'U1',
    day,
    time: '09:00',
    due: Date.parse(due),
    dueDay: parseDay(due.slice(0, 10))!,
  })

  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00Z', '2026-11-21T08:00:00Z'],
    ['2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z', '2026-11-21T08:00:00Z'],
    ['2026-11-01T08:00:00Z', '2026-11-21T07:59:59Z', '2026-11-20T08:00:00Z'],
    ['2026-10-20T07:00:00Z', '2026-10-26T08:00:00Z', '2026-10-26T08:00:00Z'],
  ])('of what is due since %s, at %s it is that of %s', (due, now, expected) => {
    expect(latestSlot(schedule(due), berlin, new Date(now))).toEqual({
      day: expected.slice(0, 10),
      at: new Date(expected),
    })
  })
})

describe('a slot', () => {
  const friday = parseDay('2026-11-20')!
  const weekly = { day: { kind: 'weekly', weekday: 5 }, time: '09:00' } as const
  const kiritimati = zoneOf('Pacific/Kiritimati')

  it('is on its day in whatever zone, and at once where that is over there', () => {
    const now = new Date('2026-11-20T07:54:00Z')
    expect(slotOn(weekly, berlin, friday, now)).toEqual({ day: friday, at: new Date('2026-11-20T08:00:00Z') })
    expect(slotOn(weekly, kiritimati, friday, now)).toEqual({ day: friday, at: now })
    expect(nextSlot(weekly, kiritimati, friday, now).at).toEqual(new Date('2026-11-26T19:00:00Z'))
  })

  it('comes after the last day that was posted', () => {
    const now = new Date('2026-11-19T19:00:00Z')
    expect(slotAfter(weekly, berlin, now).day).toBe(friday)
    expect(slotAfter(weekly, berlin, now, friday).day).toBe('2026-11-27')
  })

  it('is one on each of the days, in every zone, and never on another day', () => {
    fc.assert(
      fc.property(days, times, zones, instants, (day, time, zone, after) => {
        const first = slotAfter({ day, time }, zone, after)
        const next = nextSlot({ day, time }, zone, first.day, after)
        expect(next).toEqual(slotAfter({ day, time }, zone, first.at, first.day))
        expect(localDay(zone, next.at)).toBe(next.day)
      }),
      { numRuns: 300 },
    )
  })
})

it.each([
  [daily, '2026-12-15', '2026-12-15T08:00:00Z'],
  [daily, '2026-11-21', '2026-11-21T08:00:00Z'],
  // It is over, or was never told: the service is asked when the schedule is due.
  [daily, '2026-11-20', '2026-11-21T08:00:00Z'],
  [daily, undefined, '2026-11-21T08:00:00Z'],
  [{ kind: 'weekly', weekday: 6 }, '2026-12-15', '2026-11-21T08:00:00Z'],
] as const)('a post of %o after %s is expected at %s', (day, billingDay, expected) => {
  const schedule = { day, time: '09:00', billingDay, due: Date.parse('2026-11-21T08:00:00Z') }
  expect(expectedAt(schedule, berlin)).toEqual(new Date(expected))
})
