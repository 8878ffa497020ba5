import { expect, it } from 'vitest'
import { timesBy } from '../../../dev/bench/profile.ts'

it('tells the time of an interaction by name, the most first, without what is idle', () => {
  const node = (id: number, functionName: string, url = 'file:///a.ts') => ({
    id,
    callFrame: { functionName, url, lineNumber: 0 },
  })
  const profile = {
    nodes: [
      node(1, '(idle)', ''),
      node(2, 'parse'),
      node(3, 'write'),
      node(4, 'parse'),
      node(5, 'post', 'node:inspector'),
    ],
    samples: [1, 2, 3, 4, 5, 3],
    timeDeltas: [1000, 100, 500, 300, 9000, 500],
  }
  expect(timesBy(profile, 10, ({ functionName }) => functionName)).toEqual([
    ['write', 100],
    ['parse', 40],
  ])
})
