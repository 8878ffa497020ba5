import fc from 'fast-check'
import Keyv from 'keyv'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../src/store/engine/database.ts'
import { createAdapter } from '../../src/store/engine/rows.ts'

const key = fc.constantFrom('a', 'b', 'ab', 'a%', "a'b")
const space = fc.nat(1)
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), space, key, value: fc.jsonValue() }),
  fc.record({ do: fc.constantFrom('get' as const, 'delete' as const, 'has' as const), space, key }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function act(keyv: Keyv, one: Step): Promise<unknown> {
  if (one.do === 'set') return keyv.set(one.key, one.value)
  if (one.do === 'get') return keyv.get(one.key)
  if (one.do === 'has') return keyv.has(one.key)
  return keyv.delete(one.key)
}

/** Compares two namespaces of a database under keyv with two Maps under keyv, for any sequence of steps. */
export async function likeAMap(database: Database): Promise<void> {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      round += 1
      const ours = [0, 1].map((n) => {
        const store = createAdapter(database, `map ${round} ${n}`, z.json())
        return new Keyv({ store, serialization: false })
      })
      const maps = [new Keyv(), new Keyv()]
      for (const one of steps) {
        expect(await act(ours[one.space]!, one)).toEqual(await act(maps[one.space]!, one))
      }
    }),
    { numRuns: 60 },
  )
}
