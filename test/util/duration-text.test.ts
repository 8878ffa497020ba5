import { expect, it } from 'vitest'
import { durationText } from '../../src/util/duration-text.ts'

it.each([
  [0, 'less than a minute'],
  [29_999, 'less than a minute'],
  [30_000, '1 min'],
  [240_000, '4 min'],
  [59.4 * 60_000, '59 min'],
  [59.6 * 60_000, '1 h'],
  [80 * 60_000, '1 h 20 min'],
  [47 * 3_600_000, '47 h'],
  [72 * 3_600_000, '3 days'],
])('%d ms: %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
