import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Slots } from '../../src/telephony/requests.ts'
import { Deadline } from '../../src/util/send-request.ts'

/** Creates work that runs until the test ends it by name. */
function scene(maxConcurrent: number) {
  const slots = new Slots(maxConcurrent)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, options: Parameters<Slots['run']>[2] & { tenant?: string } = {}) =>
    slots.run(
      options.tenant ?? 'a',
      () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      options,
    )
  const end = async (...names: readonly string[]) => {
    for (const name of names) ends.get(name)?.()
    await turn()
  }
  return { slots, started, run, end }
}

const background = { isBackground: true }

test("limits a tenant's concurrent work and keeps its order, without delaying other tenants", async () => {
  const { slots, started, run, end } = scene(2)
  const all = ['1', '2', '3', '4'].map((name) => run(name))
  all.push(run('other', { tenant: 'b' }))
  expect(started).toEqual(['1', '2', 'other'])
  expect(slots.waiting()).toBe(2)
  expect([slots.idle('a'), slots.idle('b'), slots.idle('c')]).toEqual([0, 1, 2])
  await end('2')
  expect(started.at(-1)).toBe('3')
  await end('1', '3', 'other')
  await end('4')
  await Promise.all(all)
})

test('frees the slot of work that fails', async () => {
  const slots = new Slots(1)
  const failure = new Error('no')
  await expect(slots.run('a', () => Promise.reject(failure))).rejects.toBe(failure)
  expect(await slots.run('a', async () => 1)).toBe(1)
})

test('leaves a slot to people, who also go first', async () => {
  const { slots, started, run, end } = scene(4)
  const all = ['b1', 'b2', 'b3', 'b4'].map((name) => run(name, background))
  expect(started).toEqual(['b1', 'b2', 'b3'])
  expect([slots.idle('a'), slots.waiting()]).toEqual([4, 0])
  all.push(run('p1'), run('p2'))
  expect(started).toEqual(['b1', 'b2', 'b3', 'p1'])
  await end('b1')
  expect(started.at(-1)).toBe('p2')
  await end('p1')
  expect(started.at(-1)).toBe('b4')
  await end('b2', 'b3', 'b4', 'p2')
  await Promise.all(all)
})

test('runs background work even in a single slot', async () => {
  expect(await new Slots(1).run('a', async () => 1, background)).toBe(1)
})

test('never starts work that was cancelled while waiting', async () => {
  const { slots, started, run, end } = scene(1)
  const first = run('first')
  const gone = new AbortController()
  const waiting = run('cancelled', { ...background, deadline: new Deadline(undefined, gone.signal) })
  const last = run('last', background)
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'UNSENT' })
  await expect(
    run('late', { ...background, deadline: new Deadline(undefined, gone.signal) }),
  ).rejects.toMatchObject({ code: 'UNSENT' })
  await end('first')
  await end('last')
  await Promise.all([first, last])
  expect(started).toEqual(['first', 'last'])
  expect(slots.tenants).toBe(0)
})

test('keeps no state of 1,000 tenants without work', async () => {
  const slots = new Slots(4)
  const work = async (n: number) => {
    if (n % 2 === 0) await turn()
    if (n % 3 === 0) throw new Error('no')
  }
  const all = Array.from({ length: 2500 }, (_, n) => slots.run(`T${n % 1000}`, () => work(n)))
  expect(slots.tenants).toBe(1000)
  await Promise.allSettled(all)
  expect(slots.tenants).toBe(0)
})
