import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Aggregator } from '../../../src/features/reports/aggregate.ts'
import { chartBins } from '../../../src/features/reports/chart.ts'
import { daysBefore, periodBefore, periodOf, shiftedDays } from '../../../src/features/reports/period.ts'
import type { ScheduleDay } from '../../../src/store/schedules.ts'
import { formatMoney } from '../../../src/telephony/money.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { addDays, daysIn, endOfMonth, getWeekday, parseDay, startOfMonth } from '../../../src/time/days.ts'
import { offsetMinutes } from '../../../src/time/offsets.ts'
import type { DayRange } from '../../../src/time/types.ts'
import { parseZone } from '../../../src/time/zone-names.ts'

const day = (text: string) => parseDay(text)!
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'].map(
  (name) => parseZone(name)!,
)
const berlin = zones[0]!
const start = day('2026-01-01')
/** Days of 2026, which has two clock changes in most of these zones. */
const ranges = fc
  .record({ first: fc.nat({ max: 350 }), length: fc.integer({ min: 1, max: 40 }) })
  .map(({ first, length }) => ({ from: addDays(start, first), to: addDays(start, first + length - 1) }))
const instants = fc
  .integer({ min: Date.parse('2025-12-01T00:00:00Z'), max: Date.parse('2027-02-01T00:00:00Z') })
  .map((ms) => new Date(ms))

const wallClock = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

describe('a period', () => {
  it('holds the instants whose wall clock shows one of its days, up to the reading', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(...zones), instants, instants, (range, zone, at, instant) => {
        const period = periodOf(range, zone, instant)
        const shown = wallClock(zone).format(at).slice(0, 10)
        const isOfThem = shown >= range.from && shown <= range.to && at <= instant
        expect(at.getTime() >= period.start && at.getTime() < period.end).toBe(isOfThem)
      }),
    )
  })

  it("is held by what the service is asked for, whose days are of one offset; exactly, where that is the zone's throughout", () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(...zones), instants, (range, zone, instant) => {
        const period = periodOf(range, zone, instant)
        fc.pre(period.end > period.start)
        const { asked, isAskedExactly } = period
        const shift = offsetMinutes(asked.offset) * 60_000
        const first = Date.parse(`${asked.from}T00:00:00Z`) - shift
        const end = Date.parse(`${addDays(asked.to!, 1)}T00:00:00Z`) - shift
        expect(first).toBeLessThanOrEqual(period.start)
        expect(end).toBeGreaterThanOrEqual(period.end)
        expect(isAskedExactly).toBe(first === period.start && end === period.end)
        // No more than a day too many is read.
        expect(end - period.end).toBeLessThanOrEqual(86_400_000)
      }),
    )
  })

  it('is compared with as many days before, up to the same time of the day where it is not over', () => {
    const week = { from: day('2026-11-16'), to: day('2026-11-22') }
    const instant = new Date('2026-11-18T13:30:00Z')
    const before = periodBefore(periodOf(week, berlin, instant), berlin, instant)
    expect(before.days).toEqual({ from: '2026-11-09', to: '2026-11-15' })
    expect(new Date(before.end - 1).toISOString()).toBe('2026-11-11T13:30:00.000Z')
    const later = new Date('2026-12-01T00:00:00Z')
    expect(periodBefore(periodOf(week, berlin, later), berlin, later).isWhole).toBe(true)
    // Over a clock change it is the clock's time that is the same.
    const change = { from: day('2026-10-25'), to: day('2026-10-26') }
    const monday = new Date('2026-10-26T11:00:00Z')
    const saturday = periodBefore(periodOf(change, berlin, monday), berlin, monday)
    expect(new Date(saturday.end - 1).toISOString()).toBe('2026-10-24T10:00:00.000Z')
  })

  it('is compared up to the same time on the clock on a day of a clock change too, which has an hour more or less', () => {
    fc.assert(
      fc.property(
        ranges,
        fc.constantFrom(...zones),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (range, zone, part) => {
          const { start: first, end } = periodOf(range, zone, new Date('2027-06-01T00:00:00Z'))
          const instant = new Date(Math.floor(first + part * (end - first - 1)))
          const before = periodBefore(periodOf(range, zone, instant), zone, instant)
          const [now, then] = [instant, new Date(before.end - 1)].map((at) =>
            wallClock(zone).format(at).slice(11),
          )
          // What a clock change skips on one of the days has no counterpart.
          fc.pre(!(now! >= '02:00' && now! < '03:00'))
          expect(then).toBe(now)
        },
      ),
      {
        examples: [
          [{ from: day('2026-10-25'), to: day('2026-10-25') }, berlin, 0.5],
          [{ from: day('2026-03-29'), to: day('2026-03-29') }, berlin, 0.5],
        ],
      },
    )
  })

  it('has neighbours of the same length, and a month has months', () => {
    const isMonth = ({ from, to }: DayRange) => from === startOfMonth(from) && to === endOfMonth(from)
    const november = { from: day('2026-11-01'), to: day('2026-11-30') }
    expect(shiftedDays(november, -1)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(shiftedDays(november, 1)).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    fc.assert(
      fc.property(ranges, (range) => {
        const next = shiftedDays(range, 1)
        expect(next.from).toBe(addDays(range.to, 1))
        // Four weeks before a February that has as many days are followed by a month, whose neighbours are months.
        if (isMonth(next) === isMonth(range)) expect(shiftedDays(next, -1)).toEqual(range)
        if (!range.from.endsWith('-01')) expect(daysIn(next.from, next.to)).toBe(daysIn(range.from, range.to))
      }),
    )
  })
})

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
] as const)('the %s before %s is %s to %s', (range, text, from, to) => {
  expect(daysBefore(range, day(text), { day: { kind: 'weekly', weekday: 1 } })).toEqual({ from, to })
})

const workdays = { kind: 'daily', weekdays: [1, 2, 3, 4, 5] } as const
it.each([
  // A Monday, a Tuesday, and what was skipped in between.
  [workdays, undefined, '2026-11-23', '2026-11-20', '2026-11-22'],
  [workdays, undefined, '2026-11-24', '2026-11-23', '2026-11-23'],
  [workdays, '2026-11-19', '2026-11-23', '2026-11-19', '2026-11-22'],
  // It was paused for long, or made on the same day already.
  [workdays, '2026-09-01', '2026-11-24', '2026-11-23', '2026-11-23'],
  [workdays, '2026-11-24', '2026-11-24', '2026-11-23', '2026-11-23'],
  [{ kind: 'weekly', weekday: 3 }, undefined, '2026-11-23', '2026-11-18', '2026-11-22'],
  [{ kind: 'monthly', day: 1 }, undefined, '2026-12-01', '2026-11-01', '2026-11-30'],
  [{ kind: 'monthly', day: 'last' }, undefined, '2026-11-30', '2026-10-31', '2026-11-29'],
] as const)('%j, last reported %s: on %s since %s, up to %s', (rhythm, reportedDay, text, from, to) => {
  const schedule: Parameters<typeof daysBefore>[2] = { day: { ...rhythm } as ScheduleDay, reportedDay }
  expect(daysBefore('since', day(text), schedule)).toEqual({ from, to })
})

it('a report is compared with the same weekdays, and a month with the month before', () => {
  fc.assert(
    fc.property(ranges, (range) => {
      const later = new Date('2027-06-01T00:00:00Z')
      const { days } = periodBefore(periodOf(range, berlin, later), berlin, later, 'weekdays')
      expect(daysIn(days.from, range.to)).toBeGreaterThan(daysIn(range.from, range.to))
      expect(days.to < range.from).toBe(true)
      if (!range.from.endsWith('-01')) {
        expect(getWeekday(days.from)).toBe(getWeekday(range.from))
        expect(daysIn(days.from, days.to)).toBe(daysIn(range.from, range.to))
        expect(daysIn(days.to, range.from)).toBeLessThanOrEqual(8)
      }
    }),
  )
})

const calls: fc.Arbitrary<Call> = fc.record({
  id: fc.uuid(),
  direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
  number: fc.constantFrom('+493023125042', '+49 30 2312-5042', '0044 20 7946 0042', '+12025550142', ''),
  at: fc.oneof({ weight: 9, arbitrary: instants }, { weight: 1, arbitrary: fc.constant({ raw: '0000' }) }),
  seconds: fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 9000 }) },
    { weight: 1, arbitrary: fc.constant({ raw: 'n/a' }) },
  ),
  status: fc.constantFrom('answered' as const, 'missed' as const, { raw: 'VOICEMAIL' }),
  cost: fc.oneof(
    fc.integer({ min: -99_999, max: 999_999 }).map((n) => (n / 10_000).toFixed(4)),
    fc.constantFrom('0', '1', '0.1', '0.30000000000000004', '12345678901234567890.5', { raw: 'free' }),
  ),
  recording: fc.constant(undefined),
})

/** The sum in millionths of a millionth, which all of these costs have. */
const exactly = (costs: readonly string[]) =>
  costs.reduce((sum, cost) => {
    const [whole = '', fraction = ''] = cost.replace('-', '').split('.')
    const units = BigInt(whole + fraction.padEnd(18, '0'))
    return sum + (cost.startsWith('-') ? -units : units)
  }, 0n)

describe('what calls come to', () => {
  const year = { from: day('2026-03-01'), to: day('2026-11-30') }
  const period = periodOf(year, berlin, new Date('2027-06-01T00:00:00Z'))
  const add = (all: readonly Call[], line?: string) => {
    const aggregator = new Aggregator({ period, zone: berlin, line })
    for (const call of all) aggregator.add(call)
    return aggregator.result
  }
  const isOfPeriod = ({ at }: Call) => {
    if (!(at instanceof Date)) return true
    const shown = wallClock(berlin).format(at).slice(0, 10)
    return shown >= year.from && shown <= year.to
  }

  it('is exact, to the second and to the last decimal, and drops nothing', () => {
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 60 }), (all) => {
        const { figures, unparsed, groups } = add(all)
        for (const direction of ['incoming', 'outgoing'] as const) {
          const own = all.filter((call) => call.direction === direction && isOfPeriod(call))
          const of = figures[direction]
          expect(of.calls).toBe(own.length)
          expect(of.answered).toBe(own.filter(({ status }) => status === 'answered').length)
          expect(of.missed).toBe(own.filter(({ status }) => status === 'missed').length)
          const seconds = own.flatMap((call) => (typeof call.seconds === 'number' ? [call.seconds] : []))
          expect(of.seconds).toBe(seconds.reduce((sum, one) => sum + one, 0))
          const costs = own.flatMap(({ cost }) => (typeof cost === 'string' ? [cost] : []))
          expect(exactly([formatMoney(of.cost!)])).toBe(exactly(costs))
          const count = (part: string) => unparsed[direction].find((one) => one.part === part)?.count ?? 0
          expect(count('status')).toBe(own.length - (of.answered ?? 0) - (of.missed ?? 0))
          expect(count('length')).toBe(own.length - seconds.length)
          expect(count('cost')).toBe(own.length - costs.length)
          // Whatever the calls are told apart by, nothing is lost but what has no time.
          for (const part of ['hour', 'weekday', 'day'] as const) {
            const sum = groups[part].reduce(
              (total, group) => total + (group.figures[direction].calls ?? 0),
              0,
            )
            expect(sum).toBe(own.length - count('time'))
          }
        }
        const lines = groups.line.reduce((total, group) => total + (group.figures.incoming.calls ?? 0), 0)
        expect(lines).toBe(figures.incoming.calls)
      }),
    )
  })

  it("has the days, weekdays and hours of the zone's clock at each call's own instant", () => {
    fc.assert(
      fc.property(calls, (call) => {
        fc.pre(call.at instanceof Date && isOfPeriod(call))
        const { groups } = add([call])
        const shown = wallClock(berlin).format(call.at as Date)
        const weekday = new Intl.DateTimeFormat('en', { timeZone: berlin, weekday: 'short' }).format(
          call.at as Date,
        )
        expect(groups.day.map(({ key }) => key)).toEqual([shown.slice(0, 10)])
        expect(groups.hour.map(({ key }) => key)).toEqual([shown.slice(11, 13)])
        expect(
          groups.weekday.map(({ key }) => 'MonTueWedThuFriSatSun'.slice(Number(key) * 3).slice(0, 3)),
        ).toEqual([weekday])
      }),
    )
  })

  it('is of one line, in whichever way its number is written, and of incoming calls alone', () => {
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 40 }), (all) => {
        const { figures, groups } = add(all, '493023125042')
        const own = all.filter(
          ({ direction, number, ...call }) =>
            direction === 'incoming' &&
            number.replaceAll(/\D/g, '') === '493023125042' &&
            isOfPeriod({ direction, number, ...call }),
        )
        expect(figures.incoming.calls).toBe(own.length)
        expect(figures.outgoing.calls).toBe(0)
        expect(groups.line.length).toBe(own.length === 0 ? 0 : 1)
      }),
    )
  })
})

describe("the chart's points", () => {
  const group = (key: string, answered: number, missed: number) => {
    const own = { calls: answered + missed, answered, missed }
    return { key, figures: { incoming: own, outgoing: { calls: 0, answered: 0, missed: 0 } } }
  }

  it('are 20 at most, named apart in 20 characters, and hold every call', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 732 }), (length) => {
        const range = { from: day('2025-11-15'), to: addDays(day('2025-11-15'), length - 1) }
        const days = Array.from({ length }, (_, index) =>
          group(addDays(range.from, index), index % 5, index % 3),
        )
        const { bins } = chartBins({ hour: [], day: days }, range, {
          direction: 'incoming',
          today: day('2026-11-21'),
        })
        expect(bins.length).toBeLessThanOrEqual(20)
        expect(new Set(bins.map(({ label }) => label)).size).toBe(bins.length)
        for (const { label } of bins) expect(label.length).toBeLessThanOrEqual(20)
        const all = (status: 'answered' | 'missed') => bins.reduce((sum, bin) => sum + bin[status], 0)
        const listed = (status: 'answered' | 'missed') =>
          days.reduce((sum, one) => sum + one.figures.incoming[status], 0)
        expect([all('answered'), all('missed')]).toEqual([listed('answered'), listed('missed')])
      }),
    )
  })

  it('are hours of a single day, from the first that has calls; two of them where there are too many', () => {
    const range = { from: day('2026-11-21'), to: day('2026-11-21') }
    const of = (...hours: number[]) =>
      chartBins({ hour: hours.map((hour) => group(String(hour).padStart(2, '0'), 1, 1)), day: [] }, range, {
        direction: 'incoming',
        today: day('2026-11-21'),
      })
    expect(of(8, 10).bins.map(({ label }) => label)).toEqual(['08:00', '09:00', '10:00'])
    expect(of(8, 10).unit).toBe('hour')
    expect(of(0, 23)).toMatchObject({ unit: '2 hours', bins: { length: 12 } })
    expect(of().bins).toEqual([])
  })
})
