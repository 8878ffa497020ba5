import { expect, test } from 'vitest'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  type UnavailableReason,
} from '../../src/telephony/errors.ts'
import { parseRetryAfter, waitBeforeRetry, withRetries } from '../../src/telephony/retry.ts'

const now = Date.UTC(2026, 10, 5, 12)

test.each([
  ['0', 0],
  ['1', 1000],
  ['3600', 3_600_000],
  ['9'.repeat(400), 365 * 86_400_000],
  ['Thu, 05 Nov 2026 12:00:30 GMT', 30_000],
  ['Thursday, 05-Nov-26 12:00:30 GMT', 30_000],
  ['Thu Nov  5 12:00:30 2026', 30_000],
  ['Thu, 05 Nov 2026 11:00:00 GMT', 0],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Soon, please', undefined],
  ['2026-11-05T12:00:30Z', undefined],
  [undefined, undefined],
])('Retry-After: %s', (value, ms) => {
  expect(parseRetryAfter(value, now)).toBe(ms)
})

const policy = { backoffMs: 100 }
const unavailable = (reason: UnavailableReason, status?: number) =>
  new ServiceUnavailableError('incoming', reason, { status })

test.each([
  [unavailable('connection')],
  [unavailable('not-json')],
  [unavailable('status', 500)],
  [unavailable('status', 503)],
  [unavailable('envelope', 502)],
  [new RateLimitedError('incoming', undefined)],
])('another try after %s, a little later each time', (error) => {
  for (const [failed, least, most] of [
    [1, 50, 150],
    [2, 100, 300],
  ] as const) {
    const waitMs = waitBeforeRetry(error, failed, policy)
    expect(waitMs).toBeGreaterThanOrEqual(least)
    expect(waitMs).toBeLessThanOrEqual(most)
  }
})

test.each([
  [unavailable('timeout')],
  [unavailable('envelope')],
  [unavailable('status', 301)],
  [unavailable('status', 404)],
  [new RateLimitedError('incoming', 2001)],
  [new CredentialsRejectedError('incoming')],
  [new RequestRefusedError('incoming')],
  [new TypeError('a mistake of our own')],
])('no other try after %s', (error) => {
  expect(waitBeforeRetry(error, 1, policy)).toBeUndefined()
})

test('a short wait that the service asks for is kept to', () => {
  expect(waitBeforeRetry(new RateLimitedError('incoming', 2000), 1, policy)).toBe(2000)
  expect(waitBeforeRetry(new RateLimitedError('incoming', 0), 1, policy)).toBeGreaterThanOrEqual(50)
})

test('a wait that would outlast the deadline is not begun', async () => {
  const limited = new RateLimitedError('incoming', 2000)
  // Nothing could be sent once it is over.
  const terms = { ...policy, maxRetries: 2, remainingMs: () => 2000 }
  let tries = 0
  const attempt = () => {
    tries += 1
    return Promise.reject(limited)
  }
  await expect(withRetries(attempt, terms)).rejects.toBe(limited)
  expect(tries).toBe(1)
})
