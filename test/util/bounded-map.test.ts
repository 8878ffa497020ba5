import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/util/bounded-map.ts'

const setting = fc.tuple(fc.constantFrom('a 1', 'a 2', 'b 1', 'b 2', 'b 3'), fc.nat({ max: 12 }))

it('never holds more than its weight, and what was set last as long as that alone is not more', () => {
  fc.assert(
    fc.property(fc.array(setting), (settings) => {
      const map = new BoundedMap<number>({ max: 10, weightOf: (value) => value })
      for (const [key, value] of settings) {
        map.set(key, value)
        expect(map.get(key)).toBe(value > 10 ? undefined : value)
        const weight = ['a 1', 'a 2', 'b 1', 'b 2', 'b 3'].reduce((sum, one) => sum + (map.get(one) ?? 0), 0)
        expect(weight).toBeLessThanOrEqual(10)
      }
      map.deleteUnder('b ')
      map.delete('a 1')
      map.delete('a 2')
      expect(map.size).toBe(0)
      map.set('a 1', 10)
      expect(map.get('a 1')).toBe(10)
    }),
  )
})

it('counts entries without a weight, and lets go of the oldest and of those that are out of date', () => {
  let now = 0
  const map = new BoundedMap<string>({ max: 2, ttlMs: 10, now: () => now })
  for (const key of ['one', 'two', 'three']) map.set(key, key)
  expect([map.get('one'), map.get('two'), map.get('three')]).toEqual([undefined, 'two', 'three'])
  now = 10
  expect(map.get('two')).toBeUndefined()
  map.set('four', 'four')
  expect(map.size).toBe(1)
})
