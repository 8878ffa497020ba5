import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime, parseDate, parseOffset, startOfDayAt } from '../../../dev/service/api/wire-time.ts'

describe("times in the service's format", () => {
  it('agrees with the runtime for any instant and offset', () => {
    const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, minutes) => {
        const size = Math.abs(minutes)
        const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
        const parts = new Intl.DateTimeFormat('en-US', {
          timeZone: offset,
          hourCycle: 'h12',
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
        }).formatToParts(at)
        const part = (type: string) => parts.find((each) => each.type === type)?.value
        const expected = `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${part('dayPeriod')}`
        expect(formatTime(at, parseOffset(offset)!)).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('parameters', () => {
  it.each([
    ['+00:00', 0],
    ['-00:00', 0],
    ['+05:30', 330],
    ['-03:30', -210],
    ['+12:45', 765],
    ['+23:59', 1439],
  ])('the offset %s is %d minutes', (text, minutes) => {
    expect(parseOffset(text) === minutes).toBe(true)
  })

  it.each([
    '',
    'Z',
    'UTC',
    '05:30',
    ' 05:30',
    '+5:30',
    '+0530',
    '+05:3',
    '+05:60',
    '+24:00',
    '+05:30 ',
    '+05:30:00',
    '−05:30',
  ])('the offset "%s" is refused', (text) => expect(parseOffset(text)).toBeUndefined())

  it.each(['01-01-2026', '29-02-2024', '31-12-1999'])('%s is a day', (text) => {
    const [day, month, year] = text.split('-')
    expect(new Date(parseDate(text)!).toISOString()).toBe(`${year}-${month}-${day}T00:00:00.000Z`)
  })

  it.each([
    '',
    '29-02-2026',
    '31-04-2026',
    '00-01-2026',
    '01-13-2026',
    '1-1-2026',
    '2026-11-05',
    '05/11/2026',
    '05-11-26',
    '05-11-2026 ',
  ])('"%s" is no day', (text) => expect(parseDate(text)).toBeUndefined())

  it('starts a day earlier in UTC the further east it is', () => {
    expect(new Date(startOfDayAt(parseDate('05-11-2026')!, 330)).toISOString()).toBe(
      '2026-11-04T18:30:00.000Z',
    )
    expect(new Date(startOfDayAt(parseDate('05-11-2026')!, -300)).toISOString()).toBe(
      '2026-11-05T05:00:00.000Z',
    )
  })
})
