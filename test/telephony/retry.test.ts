import { expect, test } from 'vitest'
import { parseRetryAfter, type RetryPolicy, retries, waitBeforeRetry } from '../../src/telephony/requests.ts'
import { TelephonyError } from '../../src/telephony/types.ts'
import { hourMs } from '../../src/util/units.ts'

test.each([
  ['0', 0],
  ['1', 1000],
  ['3600', hourMs],
  ['1798761600', hourMs],
  ['9'.repeat(400), hourMs],
  ['Thu, 05 Nov 2026 12:00:30 GMT', undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Soon, please', undefined],
  ['2026-11-05T12:00:30Z', undefined],
  [undefined, undefined],
])('parses Retry-After: %s', (value, ms) => {
  expect(parseRetryAfter(value)).toBe(ms)
})

const BACKOFF_MS = 100
const waitFor = (error: unknown, attempt = 1, policy: RetryPolicy = retries.few) =>
  waitBeforeRetry(error, attempt, policy, BACKOFF_MS)
test('waits longer before the second retry of two', () => {
  const error = new TelephonyError('connection')
  for (const attempt of [1, 2]) {
    expect(waitFor(error, attempt)).toBeGreaterThanOrEqual(50 * attempt)
    expect(waitFor(error, attempt)).toBeLessThanOrEqual(150 * attempt)
  }
  expect(waitFor(error, 3)).toBeUndefined()
  expect(waitFor(error, 1, retries.none)).toBeUndefined()
  expect(waitFor(new TypeError('a bug'), 1, retries.patient)).toBeUndefined()
})

test.each(['timeout', 'resting'] as const)('retries after %s only in the background', (outcome) => {
  const error = new TelephonyError(outcome)
  expect(waitFor(error)).toBeUndefined()
  expect(waitFor(error, 8, retries.patient)).toBe(2000)
  expect(waitFor(error, 9, retries.patient)).toBeUndefined()
})

test('waits as long as the service requires, up to 2 s for people and a minute in the background', () => {
  const limited = (retryAfterMs: number) => new TelephonyError('rate-limited', { retryAfterMs })
  expect(waitFor(limited(0))).toBeGreaterThanOrEqual(50)
  expect(waitFor(limited(2000))).toBe(2000)
  expect(waitFor(limited(2001))).toBeUndefined()
  expect(waitFor(limited(60_000), 1, retries.patient)).toBe(60_000)
  expect(waitFor(limited(60_001), 1, retries.patient)).toBeUndefined()
})
