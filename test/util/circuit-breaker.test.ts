import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { CircuitBreaker, OpenCircuitError } from '../../src/util/circuit-breaker.ts'
import { CancelledError } from '../../src/util/send-request.ts'

class Failure extends Error {}
const fail = () => Promise.reject(new Failure('no'))
const mistake = () => Promise.reject(new Error('ours'))
const succeed = async () => 'yes'
let breaker: CircuitBreaker

beforeEach(() => {
  breaker = new CircuitBreaker({
    failures: 3,
    halfOpenAfterMs: 50,
    isFailure: (error) => error instanceof Failure,
  })
})

async function failTimes(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await expect(breaker.run(fail)).rejects.toThrow(Failure)
}

it('opens after so many failures in a row, and lets nothing through', async () => {
  await failTimes(2)
  expect(await breaker.run(succeed)).toBe('yes')
  await failTimes(2)
  await expect(breaker.run(mistake)).rejects.toThrow('ours')
  expect(breaker.isOpen).toBe(false)
  await failTimes(1)
  expect(breaker.isOpen).toBe(true)
  await expect(breaker.run(() => expect.unreachable())).rejects.toThrow(OpenCircuitError)
})

it.each([
  ['succeeds', succeed, false],
  ['fails otherwise', mistake, false],
  ['fails', fail, true],
])('half-open, it lets one try and the others wait: it %s', async (_, work, isOpen) => {
  await failTimes(3)
  await sleep(60)
  const { promise, resolve } = Promise.withResolvers<void>()
  let tries = 0
  const tried = breaker.run(async () => {
    tries += 1
    await promise
    return work()
  })
  const others = [1, 2].map(() => breaker.run(async () => (tries += 1)))
  await sleep(20)
  expect([tries, breaker.isOpen]).toEqual([1, true])
  resolve()
  await tried.catch(() => {})
  const outcomes = (await Promise.allSettled(others)).map(({ status }) => status)
  expect(outcomes).toEqual(Array(2).fill(isOpen ? 'rejected' : 'fulfilled'))
  expect([tries, breaker.isOpen]).toEqual([isOpen ? 1 : 3, isOpen])
  // Closed, it takes as many failures as before.
  if (!isOpen) await failTimes(2)
  expect(breaker.isOpen).toBe(isOpen)
})

it('what was under way as it opened neither closes it nor keeps it open for longer', async () => {
  const [good, bad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const underWay = [
    breaker.run(() => good.promise),
    breaker.run(async () => {
      await bad.promise
      return fail()
    }),
  ]
  await failTimes(3)
  good.resolve()
  await underWay[0]
  expect(breaker.isOpen).toBe(true)
  await sleep(60)
  bad.resolve()
  await expect(underWay[1]).rejects.toThrow(Failure)
  expect(await breaker.run(succeed)).toBe('yes')
  expect(breaker.isOpen).toBe(false)
})

it('half-open, what is cancelled says nothing: the next one may try', async () => {
  await failTimes(3)
  await sleep(60)
  await expect(breaker.run(() => Promise.reject(new CancelledError('cancelled')))).rejects.toThrow(
    'cancelled',
  )
  expect(breaker.isOpen).toBe(true)
  expect(await breaker.run(succeed)).toBe('yes')
  expect(breaker.isOpen).toBe(false)
})
