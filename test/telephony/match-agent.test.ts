import { expect, it } from 'vitest'
import { agentsLike } from '../../src/telephony/agent-list.ts'

const agents = [
  { id: '1001', name: 'Anna Smith' },
  { id: '1002', name: 'Anna Schmidt' },
  { id: '1003', name: 'Joanna Reyes' },
  { id: '1004', name: 'Anna' },
  { id: 'anna', name: '1001 Hotline' },
]
const [smith, schmidt, reyes, anna, hotline] = agents

it.each([
  ['its id', '1001', [smith]],
  ['its whole name, in any letters', 'ANNA smith', [smith]],
  ['its whole name or its id, before all that have it as a part', 'anna', [anna, hotline]],
  ['a part of the name', 'ann', [smith, schmidt, reyes, anna]],
  ['a part of one name, in any letters', 'SCHM', [schmidt]],
  ['an id in other letters: it is none, and names are looked through', 'Anna', [anna]],
  ['a part of an id: it is none', '100', [hotline]],
  ['nothing', 'zzz', []],
])('an agent is found by %s', (_, text, found) => {
  expect(agentsLike(agents, text)).toEqual(found)
})
