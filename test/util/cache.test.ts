import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCache, deleteByPrefix } from '../../src/util/cache.ts'
import { forAll } from '../support/properties.ts'

it('never holds more than its maximum weight', () => {
  const keys = ['a 1', 'a 2', 'b 1', 'b 2', 'b 3']
  const entries = fc.array(fc.tuple(fc.constantFrom(...keys), fc.nat({ max: 12 })))
  forAll(entries, (all) => {
    const cache = createCache<number>({ max: 10, getWeight: (value) => value })
    for (const [key, value] of all) {
      cache.set(key, value)
      expect(cache.get(key)).toBe(value > 10 ? undefined : value)
      const weight = keys.reduce((sum, one) => sum + (cache.peek(one) ?? 0), 0)
      expect(weight).toBeLessThanOrEqual(10)
    }
    deleteByPrefix(cache, 'b ')
    expect([...cache.keys()].filter((key) => key.startsWith('b'))).toEqual([])
    deleteByPrefix(cache, 'a ')
    expect(cache.size).toBe(0)
  })
})

it('drops the oldest and the expired entries, by the given clock', () => {
  let now = 1000
  const cache = createCache<string>({ max: 2, ttlMs: 10, now: () => now })
  for (const key of ['one', 'two', 'three']) cache.set(key, key)
  expect([cache.get('one'), cache.get('two'), cache.get('three')]).toEqual([undefined, 'two', 'three'])
  now += 9
  expect(cache.get('two')).toBe('two')
  now += 1
  expect(cache.get('two')).toBeUndefined()
})
