import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { CircuitBreaker } from '../../src/telephony/requests.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

const REST_MS = 5000
const fail = (breaker: CircuitBreaker, times: number) => {
  for (let n = 0; n < times; n += 1) breaker.addFailure()
}

it('opens after ten failures in a row, and reopens after one', () => {
  const breaker = new CircuitBreaker(REST_MS)
  fail(breaker, 9)
  expect(breaker.isOpen).toBe(false)
  fail(breaker, 1)
  expect(breaker.isOpen).toBe(true)
  vi.advanceTimersByTime(REST_MS - 1)
  expect(breaker.isOpen).toBe(true)
  vi.advanceTimersByTime(1)
  expect(breaker.isOpen).toBe(false)
  fail(breaker, 1)
  expect(breaker.isOpen).toBe(true)
})

it('closes at once when the service responds, and counts from zero again', () => {
  const breaker = new CircuitBreaker(REST_MS)
  fail(breaker, 10)
  breaker.reset()
  expect(breaker.isOpen).toBe(false)
  fail(breaker, 9)
  expect(breaker.isOpen).toBe(false)
})
