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

test('nothing is kept of 1,000 tenants that are done', async () => {
  const slots = new Slots({ maxConcurrent: 4, maxWaiting: 20 })
  const use = (tenant: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      slots.run(`T${tenant}`, async () => {
        if (n % 2 === 0) await turn()
        if (n % 3 === 0) throw new Error('no')
      }),
    )
  const all = Array.from({ length: 1000 }, (_, tenant) => use(tenant, 1 + (tenant % 4))).flat()
  expect(slots.size).toBe(1000)
  await Promise.allSettled(all)
  expect(slots.size).toBe(0)
})

test('in the background, one slot stays idle, and whoever waits goes first', async () => {
  const slots = new Slots({ maxConcurrent: 4, maxWaiting: 20 })
  const { signal } = new AbortController()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<void>((end) => ends.set(name, end))
  }
  const all: (Promise<void> | undefined)[] = ['b1', 'b2', 'b3', 'b4'].map((name) =>
    slots.runInBackground('a', work(name), signal),
  )
  await turn()
  expect(started).toEqual(['b1', 'b2', 'b3'])
  expect([slots.inBackground, slots.idle('a'), slots.waiting]).toEqual([3, 4, 0])
  all.push(slots.run('a', work('p1')), slots.run('a', work('p2')))
  expect(started).toEqual(['b1', 'b2', 'b3', 'p1'])
  ends.get('b1')?.()
  await turn()
  expect(started.at(-1)).toBe('p2')
  expect([slots.inBackground, slots.idle('a')]).toEqual([2, 2])
  // Nobody waits: of the slots, three are the background's at the most.
  ends.get('p1')?.()
  await turn()
  expect([started.at(-1), slots.inBackground, slots.idle('a')]).toEqual(['b4', 3, 3])
  ends.get('p2')?.()
  await turn()
  expect([slots.inBackground, slots.idle('a')]).toEqual([3, 4])
  for (const end of ends.values()) end()
  await Promise.all(all)
  expect(slots.size).toBe(0)
})

test('a single slot has to do for the background too', async () => {
  const slots = new Slots({ maxConcurrent: 1, maxWaiting: 0 })
  const work = async () => 1
  expect(await slots.runInBackground('a', work, new AbortController().signal)).toBe(1)
})

test('who waits in the background leaves the line where it is aborted, also as its turn comes', async () => {
  const slots = new Slots({ maxConcurrent: 2, maxWaiting: 0 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const goneLate = new AbortController()
  // The slot is handed on before anybody hears of the abort.
  const work = () => promise.then(() => goneLate.abort('too late'))
  const first = slots.runInBackground('a', work, new AbortController().signal)
  const gone = new AbortController()
  const never = () => expect.unreachable()
  const early = slots.runInBackground('a', never, gone.signal)
  gone.abort('enough')
  await expect(early).rejects.toBe('enough')
  await expect(slots.runInBackground('a', never, gone.signal)).rejects.toBe('enough')
  const late = slots.runInBackground('a', never, goneLate.signal)
  const last = slots.runInBackground('a', async () => 'last', new AbortController().signal)
  const lateEnd = expect(late).rejects.toBe('too late')
  resolve()
  await first
  await lateEnd
  expect(await last).toBe('last')
  expect(slots.size).toBe(0)
})
