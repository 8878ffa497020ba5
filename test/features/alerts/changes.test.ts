import { expect, it } from 'vitest'
import * as calls from '../../../src/features/alerts/handling/changes.ts'
import type { MissedCallRecord } from '../../../src/store/missed-calls.ts'

type State = Pick<MissedCallRecord, 'taken' | 'done' | 'released'>

const ada = (at: number) => ({ person: 'U1', name: 'Ada', at })
const ben = (at: number) => ({ person: 'U2', name: 'Ben', at })
const { at: _, ...cleo } = { person: 'U3', name: 'Cleo', at: 0 }
const assigned = (at: number) => ({ ...cleo, at, assignedBy: 'Ben', before: ada(3) })
const assignedToAda = { ...ada(4), assignedBy: 'Cleo', before: ben(3) }

/** Changes by Ben at 9, who sees the calls as they were at 5. */
const changes = {
  take: calls.take(ben(9)),
  finish: calls.finish(ben(9)),
  release: calls.release(ben(9), 5),
  assign: calls.assign(cleo, ben(9), 5),
  reopen: calls.reopen(5),
  undo: calls.undo(9),
}

it.each<readonly [keyof typeof changes, State, State | undefined]>([
  ['take', {}, { taken: ben(9) }],
  ['take', { released: { ...ada(4), before: ada(3) } }, { taken: ben(9) }],
  ['take', { taken: ada(3) }, undefined],
  ['take', { done: ada(3) }, undefined],
  ['finish', {}, { done: ben(9) }],
  ['finish', { taken: ada(3) }, { taken: ada(3), done: ben(9) }],
  ['finish', { done: ada(3) }, undefined],
  ['release', { taken: ada(5) }, { released: { ...ben(9), before: ada(5) } }],
  ['release', { taken: assignedToAda }, { released: { ...ben(9), before: ada(4) } }],
  ['release', { taken: ada(6) }, undefined],
  ['release', { taken: ada(3), done: ada(4) }, undefined],
  ['release', {}, undefined],
  ['assign', {}, { taken: { ...cleo, at: 9, assignedBy: 'Ben' } }],
  ['assign', { taken: ada(5) }, { taken: { ...cleo, at: 9, assignedBy: 'Ben', before: ada(5) } }],
  ['assign', { taken: assignedToAda }, { taken: { ...cleo, at: 9, assignedBy: 'Ben', before: ada(4) } }],
  ['assign', { released: { ...ada(4), before: ada(3) } }, { taken: { ...cleo, at: 9, assignedBy: 'Ben' } }],
  ['assign', { taken: ada(6) }, undefined],
  ['assign', { taken: { ...cleo, at: 3 } }, undefined],
  ['assign', { done: ada(3) }, undefined],
  ['reopen', { taken: ada(3), done: ada(5) }, { taken: ada(3) }],
  ['reopen', { done: ada(6) }, undefined],
  ['reopen', { taken: ada(3) }, undefined],
  ['undo', { released: { ...ben(9), before: ada(3) } }, { taken: ada(3) }],
  ['undo', { released: { ...ben(8), before: ada(3) } }, undefined],
  ['undo', { taken: assigned(9) }, { taken: ada(3) }],
  ['undo', { taken: assigned(8) }, undefined],
  ['undo', { taken: assigned(9), done: ada(10) }, undefined],
  ['undo', { taken: ada(9) }, undefined],
])('%s: %j becomes %j', (name, before, after) => {
  const call: MissedCallRecord = { id: 'c', at: 1, line: '+4930', shownIn: [] }
  expect(changes[name].apply({ ...call, ...before })).toEqual(after && { ...call, ...after })
})

it('the announcement of a release names three people', () => {
  const names = ['Ada', 'Cleo', 'Dan', 'Eve', 'Fay']
  const owners = [...names.map((name) => ({ person: name, name, at: 3 })), ben(3)]
  const before = owners.map((taken) => ({ taken }) as MissedCallRecord)
  const { text } = calls.describeHandover(changes.release, before, { id: 'm' }) ?? {}
  expect(text).toBe('Ben released 5 calls that Ada, Cleo, Dan and 2 more had.')
})
