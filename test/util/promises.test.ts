import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InFlight, mapConcurrent, once, retryUntilSuccess } from '../../src/util/promises.ts'
import { forRunsAsync } from '../support/properties.ts'

test('processes a limited number of items at a time, and keeps the order', async () => {
  await forRunsAsync(
    30,
    fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }),
    fc.integer({ min: 1, max: 4 }),
    async (turns, atATime) => {
      let underWay = 0
      let max = 0
      const results = await mapConcurrent(turns, atATime, async (count) => {
        underWay += 1
        max = Math.max(max, underWay)
        for (let n = 0; n < count; n += 1) await turn()
        underWay -= 1
        return count * 2
      })
      expect(results).toEqual(turns.map((count) => count * 2))
      expect(max).toBe(Math.min(atATime, turns.length))
    },
  )
})

test('starts no more items after a failure, and rejects with its error', async () => {
  const begun: number[] = []
  const work = mapConcurrent([1, 2, 3, 4, 5, 6], 2, async (one) => {
    begun.push(one)
    await turn()
    if (one === 2) throw new RangeError('two')
    await turn()
  })
  await expect(work).rejects.toThrow('two')
  await turn()
  await turn()
  expect(begun).toEqual([1, 2])
})

test('once does the work again only after a failure', async () => {
  let count = 0
  const load = once(async () => {
    count += 1
    if (count === 1) throw new Error('no')
    return count
  })
  await expect(load()).rejects.toThrow('no')
  expect([await load(), await load()]).toEqual([2, 2])
})

test('tries again after a failure until the work succeeds or the signal is aborted', async () => {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const stopping = new AbortController()
  const { signal } = stopping
  await retryUntilSuccess(async () => {}, { signal, onFailure })
  expect(failures).toEqual([])
  const failure = new Error('no')
  const retrying = retryUntilSuccess(() => Promise.reject(failure), { signal, onFailure })
  await expect.poll(() => failures).toEqual([failure])
  stopping.abort()
  await retrying
  expect(failures).toEqual([failure])
})

test('waits for work that begins while other work ends', async () => {
  const inFlight = new InFlight()
  const ended: string[] = []
  const begin = (name: string, next: () => void) =>
    inFlight.add(
      turn()
        .then(next)
        .then(() => ended.push(name)),
    )
  begin('first', () => begin('second', () => begin('third', () => {})))
  await inFlight.settle(60_000)
  expect([ended, inFlight.size]).toEqual([['first', 'second', 'third'], 0])
})
