import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Aggregator, type ReportAgent, sumFigures } from '../../../src/features/reports/aggregate.ts'
import { shiftDays, toPeriod, toPeriodBefore } from '../../../src/features/reports/period.ts'
import { toScheduledDays } from '../../../src/features/reports/schedule-kind.ts'
import { groupings } from '../../../src/query/filters/filter.ts'
import { formatMoney } from '../../../src/telephony/money.ts'
import { type Call, isRaw } from '../../../src/telephony/types.ts'
import { addDays, parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { forAll } from '../../support/properties.ts'

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
  it('contains the instants of its days by the wall clock, until the read', () => {
    forAll(ranges, fc.constantFrom(...zones), instants, instants, (range, zone, at, instant) => {
      const period = toPeriod(range, zone, instant)
      const shown = wallClock(zone).format(at).slice(0, 10)
      const isOfThem = shown >= range.from && shown <= range.to && at <= instant
      expect(at.getTime() >= period.start && at.getTime() < period.end).toBe(isOfThem)
    })
  })

  it.each([
    ['2026-11-16', '2026-11-22', '2026-11-16', '2026-11-18'],
    ['2026-11-09', '2026-11-15', '2026-11-09', '2026-11-15'],
    ['2026-11-20', '2026-11-22', '2026-11-20', '2026-11-20'],
  ])('of %s to %s has the days %s to %s, if read on 18 November', (from, to, first, last) => {
    const { days } = toPeriod({ from: day(from), to: day(to) }, berlin, new Date('2026-11-18T13:30:00Z'))
    expect(days).toEqual({ from: first, to: last })
  })

  const later = new Date('2027-06-01T00:00:00Z')

  it.each([
    // One day, a week and a weekend with the week before; 10 days with the days two weeks before; months with months.
    ['2026-11-20', '2026-11-20', '2026-11-13', '2026-11-13'],
    ['2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['2026-11-05', '2026-11-14', '2026-10-22', '2026-10-31'],
    ['2026-11-20', '2026-11-22', '2026-11-13', '2026-11-15'],
    ['2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
    ['2026-10-01', '2026-11-30', '2026-08-01', '2026-09-30'],
    ['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
  ])('%s to %s is compared with %s to %s', (from, to, fromBefore, toBefore) => {
    const { days, isComplete } = toPeriodBefore({ from: day(from), to: day(to) }, berlin, later)
    expect({ ...days, isComplete }).toEqual({ from: fromBefore, to: toBefore, isComplete: true })
  })

  it.each([
    // An unfinished week, an unfinished month, and days on which the clocks change.
    ['2026-11-16', '2026-11-22', '2026-11-18T13:30', '2026-11-09', '2026-11-11', '2026-11-11T13:30'],
    ['2026-11-01', '2026-11-30', '2026-11-18T13:30', '2026-10-01', '2026-10-18', '2026-10-18T12:30'],
    ['2026-03-01', '2026-03-31', '2026-03-31T13:30', '2026-02-01', '2026-02-28', '2026-02-28T22:59'],
    ['2026-10-25', '2026-10-26', '2026-10-26T11:00', '2026-10-18', '2026-10-19', '2026-10-19T10:00'],
    ['2026-10-25', '2026-10-25', '2026-10-25T11:00', '2026-10-18', '2026-10-18', '2026-10-18T10:00'],
    ['2026-03-29', '2026-03-29', '2026-03-29T11:00', '2026-03-22', '2026-03-22', '2026-03-22T12:00'],
  ])('%s to %s at %s is compared with %s to %s, up to %s', (from, to, at, fromBefore, toBefore, until) => {
    const instant = new Date(`${at}:00Z`)
    const before = toPeriodBefore({ from: day(from), to: day(to) }, berlin, instant)
    expect(before.days).toEqual({ from: fromBefore, to: toBefore })
    expect(new Date(before.end - 1).toISOString()).toContain(until)
  })

  it.each([
    ['2026-11-01', '2026-11-30', '2026-12-01', '2026-12-31'],
    ['2026-01-01', '2026-03-31', '2026-04-01', '2026-06-30'],
    ['2026-11-05', '2026-11-14', '2026-11-15', '2026-11-24'],
  ])('%s to %s is followed by %s to %s', (from, to, nextFrom, nextTo) => {
    const next = shiftDays({ from: day(from), to: day(to) }, 1)
    expect(next).toEqual({ from: nextFrom, to: nextTo })
    expect(shiftDays(next, -1)).toEqual({ from, to })
  })
})

it.each([
  // Mondays, and a Tuesday.
  ['daily', '2027-02-01', '2027-01-31', '2027-01-31'],
  ['weekdays', '2026-11-23', '2026-11-20', '2026-11-22'],
  ['weekdays', '2026-11-24', '2026-11-23', '2026-11-23'],
  ['weekly 1', '2026-11-23', '2026-11-16', '2026-11-22'],
  ['weekly 5', '2027-01-01', '2026-12-25', '2026-12-31'],
  ['monthly first', '2027-01-01', '2026-12-01', '2026-12-31'],
  ['monthly last', '2026-11-30', '2026-10-31', '2026-11-29'],
] as const)('a report posted %s on %s covers %s to %s', (rhythm, text, from, to) => {
  expect(toScheduledDays(rhythm, day(text))).toEqual({ from, to })
})

const calls: fc.Arbitrary<Call> = fc.record({
  id: fc.uuid(),
  direction: fc.constant('incoming' as const),
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

/** The sum in units of 10⁻¹⁸, which all of these costs are multiples of. */
const exactly = (costs: readonly string[]) =>
  costs.reduce((sum, cost) => {
    const [whole = '', fraction = ''] = cost.split('.')
    return sum + BigInt(whole + fraction.padEnd(18, '0'))
  }, 0n)

describe('the sums of calls', () => {
  const year = { from: day('2026-03-01'), to: day('2026-11-30') }
  const add = (all: readonly Call[], range = year) => {
    const query = { ...range, direction: 'incoming', by: 'day', at: 0 } as const
    const period = toPeriod(range, berlin, new Date('2027-06-01T00:00:00Z'))
    const aggregator = new Aggregator({ query, zone: berlin }, period)
    for (const call of all) aggregator.add(call)
    return aggregator
  }
  const isOfPeriod = ({ at }: Call) => {
    if (!(at instanceof Date)) return true
    const shown = wallClock(berlin).format(at).slice(0, 10)
    return shown >= year.from && shown <= year.to
  }

  it('are exact, to the second and to the last decimal', () => {
    forAll(fc.array(calls, { maxLength: 60 }), (all) => {
      const { figures, unreadableCalls, groups } = add(all).summarize()
      const own = all.filter(isOfPeriod)
      const answered = own.filter(({ status }) => status === 'answered')
      const costs = own.map(({ cost }) => cost).filter((cost) => typeof cost === 'string')
      expect({ ...figures, cost: exactly([formatMoney(figures.cost)]) }).toEqual({
        calls: own.length,
        answered: answered.length,
        missed: own.filter(({ status }) => status === 'missed').length,
        seconds: answered.reduce((sum, { seconds }) => sum + (isRaw(seconds) ? 0 : seconds), 0),
        cost: exactly(costs),
      })
      expect(figures.cost.scale).toBe(Math.max(0, ...costs.map((cost) => cost.split('.')[1]?.length ?? 0)))
      const isUnreadable = ({ status, seconds, cost, at }: Call) =>
        [status === 'answered' && seconds, cost, at].some(isRaw)
      expect(unreadableCalls).toBe(own.filter(isUnreadable).length)
      for (const grouping of groupings.filter((one) => one !== 'person'))
        expect(sumFigures(groups[grouping].map((group) => group.figures))).toEqual(figures)
    })
  })

  it("are grouped by the days, weekdays and hours of the zone's clock at each call", () => {
    forAll(calls, instants, (call, at) => {
      const shown = wallClock(berlin).format(at)
      const own = day(shown.slice(0, 10))
      const { groups } = add([{ ...call, at }], { from: own, to: own }).summarize()
      const weekday = new Intl.DateTimeFormat('en', { timeZone: berlin, weekday: 'short' }).format(at)
      expect(groups.day.map(({ key }) => key)).toEqual([own])
      expect(groups.hour.map(({ key }) => key)).toEqual([shown.slice(11, 13)])
      expect(
        groups.weekday.map(({ key }) => 'MonTueWedThuFriSatSun'.slice(Number(key) * 3).slice(0, 3)),
      ).toEqual([weekday])
    })
  })

  it('distinguish agents by id, and count all other calls without an agent', () => {
    const call: Call = { ...fc.sample(calls, 1)[0]!, at: new Date('2026-11-05T10:00:00Z') }
    const aggregator = add([call, call, call])
    const [anna, otherAnna] = ['7', '8'].map((id) => ({ id, name: 'Anna' })) as [ReportAgent, ReportAgent]
    aggregator.addOfAgent(anna, call)
    aggregator.addOfAgent(otherAnna, call)
    aggregator.addOfAgent(otherAnna, { ...call, at: new Date('2027-01-01T10:00:00Z') })
    const counts = () => aggregator.summarize().groups.agent.map(({ key, figures }) => [key, figures.calls])
    expect(counts()).toEqual([
      ['Anna', 1],
      ['Anna', 1],
      ['', 1],
    ])
    // More calls arrived while the agents' lists were read.
    aggregator.addOfAgent(anna, call)
    aggregator.addOfAgent(anna, call)
    expect(counts()).toEqual([
      ['Anna', 3],
      ['Anna', 1],
    ])
  })
})
