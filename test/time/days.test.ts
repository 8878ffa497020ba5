import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, endOfMonth, parseDay, startOfMonth, utcDay } from '../../src/time/days.ts'
import { isUtcOffset, toInstant, toUtcOffset } from '../../src/time/zones.ts'
import { forAll, forRuns } from '../support/properties.ts'

const day = (text: string) => parseDay(text)!
const anyDay = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(utcDay)

describe('parseDay', () => {
  it.each([
    ...['', '2026', '2026-11', '2026-11-5', '26-11-05', '05-11-2026', '2026/11/05', '2026-11-05T00:00:00Z'],
    ...['2026-02-30', '2026-13-01', '1969-12-31', '2200-01-01', '0206-11-05', ' 2026-11-05', '2026-11-05\n'],
    '２０２６-11-05',
  ])('refuses %j', (text) => {
    expect(parseDay(text)).toBeUndefined()
  })

  it('accepts exactly the existing days', () => {
    const field = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
    forRuns(500, fc.integer({ min: 1970, max: 2199 }), field(13), field(32), (year, month, date) => {
      const last = new Date(Date.UTC(year, Number(month), 0)).getUTCDate()
      const exists = Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= last
      expect(parseDay(`${year}-${month}-${date}`) !== undefined).toBe(exists)
    })
  })
})

describe('the arithmetic of days', () => {
  it('crosses the ends of months, years and leap years', () => {
    expect(addDays(day('2024-02-28'), 1)).toBe('2024-02-29')
    expect(addDays(day('2026-03-01'), -1)).toBe('2026-02-28')
    expect(addDays(day('2199-12-31'), 1)).toBe('2200-01-01')
    expect(() => addDays(day('2199-12-31'), 3_000_000)).toThrow(RangeError)
  })

  it('is consistent on any day', () => {
    forAll(anyDay, fc.integer({ min: -400, max: 400 }), (from, count) => {
      expect(addDays(addDays(from, count), -count)).toBe(from)
      expect(startOfMonth(addDays(endOfMonth(from), 1))).toBe(addDays(endOfMonth(from), 1))
      expect(startOfMonth(from).slice(0, 7)).toBe(endOfMonth(from).slice(0, 7))
      expect(startOfMonth(from, -1)).toBe(startOfMonth(addDays(startOfMonth(from), -1)))
    })
  })
})

describe('wall clock and offset', () => {
  const anyOffset = fc.integer({ min: -720, max: 840 }).map(toUtcOffset)

  it.each(['', '+5:30', '+0530', '05:30', '+05:60', '+05:30 ', 'Z'])('%j is no offset', (text) => {
    expect(isUtcOffset(text)).toBe(false)
  })

  it('returns the instant of the ISO form', () => {
    forAll(
      fc.date({ min: new Date(0), max: new Date('2199-12-31'), noInvalidDate: true }),
      anyOffset,
      (date, offset) => {
        const text = date.toISOString().slice(0, 19)
        expect(toInstant(text, offset)).toEqual(new Date(`${text}${offset}`))
      },
    )
  })

  it.each([
    '2026-13-28T23:59:59',
    '2026-00-28T23:59:59',
    '2026-02-29T23:59:59',
    '2026-02-00T23:59:59',
    '2026-02-28T24:00:00',
    '2026-02-28T-1:59:59',
    '2026-02-28T23:60:59',
    '2026-02-28T23:59:60',
  ])('no clock shows %s', (wall) => {
    expect(toInstant(wall, toUtcOffset(60))).toBeUndefined()
  })
})
