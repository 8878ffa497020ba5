import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Slots } from '../../src/telephony/slots.ts'

test('so many at a time for a tenant, in the order they came', async () => {
  const slots = new Slots({ maxConcurrent: 4, maxWaiting: 20 })
  const started: number[] = []
  const work = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
  const all = work.map(({ promise }, index) =>
    slots.run('a', () => {
      started.push(index)
      return promise
    }),
  )
  await turn()
  expect(started).toEqual([0, 1, 2, 3])
  expect(slots.idle('a')).toBe(0)
  expect(slots.idle('b')).toBe(4)
  work[2]?.resolve()
  await turn()
  expect(started).toEqual([0, 1, 2, 3, 4])
  for (const { resolve } of work) resolve()
  await Promise.all(all)
  expect(slots.idle('a')).toBe(4)
})

test('a slot is taken from the moment it is asked for', async () => {
  const slots = new Slots({ maxConcurrent: 1, maxWaiting: 20 })
  const done = slots.run('a', () => Promise.resolve())
  expect(slots.idle('a')).toBe(0)
  await done
})

test('a slot that is given back leaves the others taken', async () => {
  const slots = new Slots({ maxConcurrent: 4, maxWaiting: 20 })
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const all = [one, other].map(({ promise }) => slots.run('a', () => promise))
  one.resolve()
  await all[0]
  expect(slots.idle('a')).toBe(3)
  other.resolve()
  await all[1]
})

test('more than may wait are turned away, of this tenant alone', async () => {
  const slots = new Slots({ maxConcurrent: 2, maxWaiting: 3 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const all = Array.from({ length: 5 }, () => slots.run('a', () => promise))
  expect(slots.waiting).toBe(3)
  expect(slots.run('a', () => promise)).toBeUndefined()
  expect(slots.run('b', async () => 1)).toBeDefined()
  resolve()
  await Promise.all(all)
  expect(slots.waiting).toBe(0)
  await expect(slots.run('a', async () => 2)).resolves.toBe(2)
})

test('work that fails gives its slot back', async () => {
  const slots = new Slots({ maxConcurrent: 1, maxWaiting: 20 })
  const failure = new Error('no')
  await expect(slots.run('a', () => Promise.reject(failure))).rejects.toBe(failure)
  await expect(slots.run('a', () => Promise.resolve(1))).resolves.toBe(1)
})

test('nothing is kept of 10,000 tenants that are done', async () => {
  const slots = new Slots({ maxConcurrent: 4, maxWaiting: 20 })
  const use = (tenant: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      slots.run(`T${tenant}`, async () => {
        if (n % 2 === 0) await turn()
        if (n % 3 === 0) throw new Error('no')
      }),
    )
  const all = Array.from({ length: 10_000 }, (_, tenant) => use(tenant, 1 + (tenant % 4))).flat()
  expect(slots.size).toBe(10_000)
  await Promise.allSettled(all)
  expect(slots.size).toBe(0)
})
