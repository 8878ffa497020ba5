import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatTime, parseOffset } from '../../../dev/service/api/wire-time.ts'
import { parseTime } from '../../../src/telephony/wire.ts'
import { toUtcOffset } from '../../../src/time/zones.ts'
import { forRuns } from '../../support/properties.ts'

it('writes any time so that the app reads it back, at any offset', () => {
  const second = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
  forRuns(300, second, fc.integer({ min: -14 * 60, max: 14 * 60 }), (seconds, minutes) => {
    const at = new Date(seconds * 1000)
    expect(parseTime(formatTime(at, minutes), toUtcOffset(minutes))).toEqual(at)
  })
})

it.each([
  ['-00:00', 0],
  ['+05:30', 330],
  ['-03:30', -210],
  ['+23:59', 1439],
])('the offset %s is %d minutes', (text, minutes) => expect(parseOffset(text) === minutes).toBe(true))
