import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime, parseDate, parseOffset } from '../../../dev/service/api/wire-time.ts'
import { parseDateTime } from '../../../src/telephony/wire.ts'
import { toUtcOffset } from '../../../src/time/zones.ts'

it('writes any time so that the app reads it back, at any offset', () => {
  const second = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
  fc.assert(
    fc.property(second, fc.integer({ min: -14 * 60, max: 14 * 60 }), (seconds, minutes) => {
      const at = new Date(seconds * 1000)
      expect(parseDateTime(formatTime(at, minutes), toUtcOffset(minutes))).toEqual(at)
    }),
    { numRuns: 300 },
  )
})

describe('parameters', () => {
  it.each([
    ['-00:00', 0],
    ['+05:30', 330],
    ['-03:30', -210],
    ['+23:59', 1439],
  ])('the offset %s is %d minutes', (text, minutes) => expect(parseOffset(text) === minutes).toBe(true))

  it.each(['', 'Z', ' 05:30', '+5:30', '+0530', '+05:60', '+24:00', '+05:30:00', '−05:30'])(
    'refuses the offset "%s"',
    (text) => expect(parseOffset(text)).toBeUndefined(),
  )

  it.each(['01-01-2026', '29-02-2024', '31-12-1999'])('%s is a day', (text) => {
    expect(new Date(parseDate(text)!).toISOString()).toMatch(text.split('-').toReversed().join('-'))
  })

  it.each(['', '29-02-2026', '31-04-2026', '01-13-2026', '1-1-2026', '2026-11-05', '05/11/2026'])(
    '"%s" is no day',
    (text) => expect(parseDate(text)).toBeUndefined(),
  )
})
