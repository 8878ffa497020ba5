import { expect, test } from 'vitest'
import { retryUntilSuccess } from '../../src/util/retry-until-success.ts'

test('work that succeeds is done once', async () => {
  let count = 0
  const work = async () => {
    count += 1
  }
  await retryUntilSuccess(work, {
    signal: new AbortController().signal,
    onFailure: () => expect.unreachable(),
  })
  expect(count).toBe(1)
})

test('a failure is told, and an aborted signal ends the wait for the next try', async () => {
  const failure = new Error('no')
  const failures: unknown[] = []
  const stopping = new AbortController()
  const retrying = retryUntilSuccess(() => Promise.reject(failure), {
    signal: stopping.signal,
    onFailure: (error) => failures.push(error),
  })
  await expect.poll(() => failures).toEqual([failure])
  stopping.abort()
  await retrying
  expect(failures).toEqual([failure])
})
