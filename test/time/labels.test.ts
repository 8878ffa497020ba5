import { expect, it } from 'vitest'
import { durationText } from '../../src/time/labels.ts'

it.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [18.9 * 60_000, '18 min'],
  [60 * 60_000, '1 h'],
  [192 * 60_000, '3 h 12 min'],
  [24 * 3_600_000, '1 d'],
  [52.5 * 3_600_000, '2 d 4 h'],
])('%d ms: %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
