import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, countDays, parseDay, utcDay } from '../../src/time/days.ts'
import { dayParts, isInDayPart, parseRange } from '../../src/time/ranges.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import { forAll, forRuns } from '../support/properties.ts'

const day = (text: string) => parseDay(text)!
const today = day('2026-11-05')
const anyDay = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(utcDay)

describe('parseRange', () => {
  it.each([
    ['2026-11-05', 'today', '2026-11-05', '2026-11-05'],
    ['2027-01-01', 'YESTERDAY', '2026-12-31', '2026-12-31'],
    ['2026-11-05', 'This Week', '2026-11-02', '2026-11-08'],
    ['2027-01-03', 'last week', '2026-12-21', '2026-12-27'],
    ['2024-03-31', 'last month', '2024-02-01', '2024-02-29'],
    ['2027-01-31', 'last month', '2026-12-01', '2026-12-31'],
    ['2026-11-05', 'last 7 days', '2026-10-30', '2026-11-05'],
    ['2024-12-31', 'last 366 days', '2024-01-01', '2024-12-31'],
    ['2026-11-05', '2024-02-29', '2024-02-29', '2024-02-29'],
    ['2026-11-05', '2026-11-01..2026-11-03', '2026-11-01', '2026-11-03'],
    ['2026-11-05', 'yesterday..today', '2026-11-04', '2026-11-05'],
    ['2026-11-05', 'Monday', '2026-11-02', '2026-11-02'],
    ['2026-11-05', 'friday', '2026-10-30', '2026-10-30'],
    ['2026-11-05', '6 november', '2025-11-06', '2025-11-06'],
    ['2026-11-05', '29 Feb', '2024-02-29', '2024-02-29'],
    ['2026-11-05', 'february 2024', '2024-02-01', '2024-02-29'],
    ['2026-11-05', '2026-10', '2026-10-01', '2026-10-31'],
    ['2026-11-05', '30 Oct .. 2 Nov', '2026-10-30', '2026-11-02'],
    ['2026-11-05', 'monday..5 Nov', '2026-11-02', '2026-11-05'],
    ['2026-11-05', 'monday to friday', '2026-10-26', '2026-10-30'],
    ['2026-11-05', 'november', '2026-11-01', '2026-11-30'],
    ['2026-11-05', 'in Dec', '2025-12-01', '2025-12-31'],
    ['2026-11-05', 'last november', '2025-11-01', '2025-11-30'],
    ['2026-11-05', 'on monday', '2026-11-02', '2026-11-02'],
    ['2026-11-05', 'for yesterday', '2026-11-04', '2026-11-04'],
    ['2026-11-05', 'in the last 2 days', '2026-11-04', '2026-11-05'],
    ['2026-11-05', '10/2026', '2026-10-01', '2026-10-31'],
    ['2026-11-05', 'sept to october', '2026-09-01', '2026-10-31'],
    ['2026-11-05', '4.11.', '2026-11-04', '2026-11-04'],
    ['2026-11-05', '4.11', '2026-11-04', '2026-11-04'],
    ['2026-11-05', '26.11.', '2025-11-26', '2025-11-26'],
    ['2026-11-05', '26/11/24', '2024-11-26', '2024-11-26'],
    ['2026-11-05', '10/26', '2026-10-26', '2026-10-26'],
    ['2026-11-05', '10-26-2026', '2026-10-26', '2026-10-26'],
    ['2026-11-05', '2026/11/5', '2026-11-05', '2026-11-05'],
    ['2026-11-05', '5/5', '2026-05-05', '2026-05-05'],
    ['2026-11-05', '3/11-20/11/2026', '2026-11-03', '2026-11-20'],
    ['2026-11-05', '24.10..26.10.', '2026-10-24', '2026-10-26'],
    ['2026-11-05', '24.10...26.10.', '2026-10-24', '2026-10-26'],
    ['2026-11-05', '24.-26.10.', '2026-10-24', '2026-10-26'],
  ])('on %s, "%s" is %s to %s', (now, text, from, to) => {
    expect(parseRange(text, day(now))).toEqual({ range: { from, to } })
    expect(parseRange(`${text} missed`, day(now))).toBeUndefined()
    expect(parseRange(`missed ${text}`, day(now))).toBeUndefined()
  })

  it.each([
    ...['', 'last', 'week', 'last week-end', 'next week', 'last days', 'last 7', 'last 7 hoors', '10-26'],
    ...['octopus 2026', 'octopus', 'ma', 'last -1 days', 'last 1.5 days', 'last seven days', '5 Nob'],
    ...['2026-02-30', '2026-11-05..', '..', '13/2026', '2026-13', '2026-11-01..2026-11-02..2026-11-03'],
  ])('rejects "%s"', (text) => {
    expect(parseRange(text, today)).toBeUndefined()
  })

  it.each([
    ['2026-11-05..2026-11-04', 'reversed'],
    ['today..yesterday', 'reversed'],
    ['4 Nov..2 Nov', 'reversed'],
    ['10/26..5/11', 'reversed'],
    ['10/26..2026-10-05', 'reversed'],
    ['last 0 days', 'count'],
    ['last 367 days', 'count'],
    ['last 1000 day', 'count'],
    ['29 Feb 2026', 'no-day'],
    ['31 Nov', 'no-day'],
    ['32 November', 'no-day'],
    ['31.4.', 'no-day'],
    ['26/11..11/26', 'no-day'],
  ])('rejects "%s": %s', (text, problem) => {
    expect(parseRange(text, today)).toMatchObject({ problem })
  })

  it('offers both readings of an ambiguous date', () => {
    const ranges = (text: string) => parseRange(text, today)
    const november = { from: '2026-11-05', to: '2026-11-05' }
    const may = { from: '2026-05-11', to: '2026-05-11' }
    expect(ranges('5/11')).toEqual({ readings: [november, may] })
    expect(ranges('05/11/2026')).toEqual({ readings: [november, may] })
    expect(ranges('since 5/11')).toMatchObject({ readings: [{ from: november.from }, { from: may.from }] })
  })

  it.each([
    ['this morning', '2026-11-05', 'morning'],
    ['tonight', '2026-11-05', 'evening'],
    ['yesterday afternoon', '2026-11-04', 'afternoon'],
    ['4 Nov evening', '2026-11-04', 'evening'],
  ])('reads the hours of "%s"', (text, from, hours) => {
    expect(parseRange(text, today)).toEqual({ range: { from, to: from, hours } })
    expect(parseRange(hours, today)).toBeUndefined()
  })

  it('divides a day at 12:00 and 18:00', () => {
    const findParts = (time: string) =>
      dayParts.filter((part) => isInDayPart(part, new Date(`${today}T${time}Z`), parseZone('UTC')!))
    const times = ['00:00:00', '11:59:59', '12:00:00', '17:59:59', '18:00:00', '23:59:59']
    const [morning, afternoon, evening] = dayParts
    expect(times.flatMap(findParts)).toEqual([morning, morning, afternoon, afternoon, evening, evening])
  })

  it('has no end for `since DAY`', () => {
    expect(parseRange('Since yesterday', today)).toEqual({ range: { from: '2026-11-04' } })
    expect(parseRange('since 4 Nov', today)).toEqual({ range: { from: '2026-11-04' } })
    expect(parseRange('since october', today)).toEqual({ range: { from: '2026-10-01' } })
    expect(parseRange('since', today)).toBeUndefined()
  })

  it('has whole weeks and months, and as many days as asked for, on any day', () => {
    const lengths = {
      'this week': [7],
      'last week': [7],
      'this month': [28, 29, 30, 31],
      'last month': [28, 29, 30, 31],
    }
    forRuns(500, anyDay, fc.integer({ min: 1, max: 366 }), (now, count) => {
      for (const [text, days] of Object.entries({ ...lengths, [`last ${count} days`]: [count] })) {
        const result = parseRange(text, now)
        if (!result?.range) return expect.fail(`no range: ${text}`)
        const { from = now, to = now } = result.range
        expect(days).toContain(countDays(from, to))
        expect(to < now).toBe(text === 'last week' || text === 'last month')
      }
    })
  })

  it('parses any two days as a range, and reversed ones as reversed', () => {
    forAll(anyDay, fc.integer({ min: 1, max: 5000 }), (first, count) => {
      const last = parseDay(addDays(first, count))
      fc.pre(last !== undefined)
      expect(parseRange(`${first}..${last}`, today)).toEqual({ range: { from: first, to: last } })
      expect(parseRange(`${last}..${first}`, today)).toMatchObject({ problem: 'reversed' })
    })
  })
})
