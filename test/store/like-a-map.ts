import fc from 'fast-check'
import Keyv from 'keyv'
import { expect } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { KeyvAdapter } from '../../src/store/engine/repository.ts'

const key = fc.constantFrom('a', 'b', 'ab', 'a%', "a'b")
const space = fc.nat(1)
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), space, key, value: fc.jsonValue() }),
  fc.record({ do: fc.constantFrom('get' as const, 'delete' as const, 'has' as const), space, key }),
  fc.record({ do: fc.constantFrom('clear' as const, 'all' as const), space }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function act(keyv: Keyv, one: Step): Promise<unknown> {
  if (one.do === 'set') return keyv.set(one.key, one.value)
  if (one.do === 'get') return keyv.get(one.key)
  if (one.do === 'has') return keyv.has(one.key)
  if (one.do === 'delete') return keyv.delete(one.key)
  if (one.do === 'clear') return keyv.clear()
  const all: string[] = []
  for await (const entry of keyv.iterator()) all.push(JSON.stringify(entry))
  return all.sort()
}

/** Two namespaces of a database answer every sequence of steps as two Maps under keyv do. */
export async function likeAMap(database: Database): Promise<void> {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      round += 1
      const ours = [0, 1].map((n) => new Keyv({ store: new KeyvAdapter(database, `map ${round} ${n}`) }))
      const maps = [new Keyv(), new Keyv()]
      for (const one of steps) {
        expect(await act(ours[one.space]!, one)).toEqual(await act(maps[one.space]!, one))
      }
    }),
    { numRuns: 60 },
  )
}
