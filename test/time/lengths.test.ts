import fc from 'fast-check'
import { expect, it } from 'vitest'
import { durationText, formatLength, parseLength, writeLength } from '../../src/time/lengths.ts'
import { hourMs } from '../../src/util/units.ts'
import { forAll } from '../support/properties.ts'

it.each([
  ['30s', 30],
  ['90 seconds', 90],
  ['5m', 300],
  ['5 Minutes', 300],
  ['1h30m', 5400],
  ['1 hour 30 min', 5400],
  ['1:30', 90],
  ['1:02:03', 3723],
  ['24h', 86_400],
])('reads %s', (text, seconds) => {
  expect(parseLength(text)).toBe(seconds)
})

it.each(['', '5', '0m', '0:00', '1:75', '25h', 'five minutes', '5m later', '-5m'])('refuses "%s"', (text) => {
  expect(parseLength(text)).toBeUndefined()
})

it.each([
  [30, '30s', '30 seconds'],
  [90, '1m30s', '1 minute 30 seconds'],
  [300, '5m', '5 minutes'],
  [5400, '1h30m', '1 hour 30 minutes'],
])('writes %i seconds', (seconds, written, text) => {
  expect([writeLength(seconds), formatLength(seconds)]).toEqual([written, text])
})

it('reads what it writes', () => {
  forAll(fc.integer({ min: 1, max: 86_400 }), (seconds) => {
    expect(parseLength(writeLength(seconds))).toBe(seconds)
    expect(parseLength(formatLength(seconds))).toBe(seconds)
  })
})

it.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [18.9 * 60_000, '18 min'],
  [60 * 60_000, '1 h'],
  [192 * 60_000, '3 h 12 min'],
  [24 * hourMs, '1 d'],
  [52.5 * hourMs, '2 d 4 h'],
])('%d ms: %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
