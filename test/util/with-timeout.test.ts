import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { untilAborted } from '../../src/util/with-timeout.ts'

it('is what the work comes to, and listens no longer than that', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('rejects with the reason as soon as it is aborted, whatever the work comes to later', async () => {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<number>()
  const work = untilAborted(promise, controller.signal)
  controller.abort('enough')
  await expect(work).rejects.toBe('enough')
  reject(new Error('nobody hears of it'))
  await expect(untilAborted(promise, controller.signal)).rejects.toBeDefined()
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})
