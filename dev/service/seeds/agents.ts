import { hex, seededRandom } from '../random.ts'
import type { SandboxAgent } from '../types.ts'
import { type Country, numberIn } from './numbers.ts'

interface Person {
  readonly name: string
  readonly country: Country
}

/** Several agents share a part of their names, some names need escaping, and one has non-ASCII letters. */
const PEOPLE: readonly Person[] = [
  { name: 'Anna Smith', country: 'United Kingdom' },
  { name: 'Anna Schmidt', country: 'Germany' },
  { name: 'David Smith', country: 'United States' },
  { name: 'Benedict Okafor', country: 'United Kingdom' },
  { name: 'Chloé Martin', country: 'France' },
  { name: 'Elif Yıldız', country: 'Germany' },
  { name: 'Joanna Reyes', country: 'United States' },
  { name: "Maeve O'Neill", country: 'United Kingdom' },
  { name: 'Jürgen Groß', country: 'Germany' },
  { name: 'Sales & Support <EU>', country: 'Germany' },
  { name: 'Priya Raman', country: 'United States' },
]

/** Left the company. Exactly forty outgoing and twenty incoming calls, so that both last pages are full. */
const FORMER: Person = { name: 'Hollis Grant', country: 'United States' }
const NEWCOMER: Person = { name: 'Tomasz Wolny', country: 'United Kingdom' }

export interface LivelyAgents {
  readonly all: readonly SandboxAgent[]
  /** Agents who take calls, the busiest first. */
  readonly active: readonly SandboxAgent[]
  readonly former: SandboxAgent
}

export function livelyAgents(seed: number): LivelyAgents {
  const make = (person: Person, index: number) => agent(seed, 5101, 1001 + index, person)
  const active = PEOPLE.map(make)
  const former = make(FORMER, PEOPLE.length)
  return { all: [...active, former, make(NEWCOMER, PEOPLE.length + 1)], active, former }
}

export function quietAgents(seed: number): readonly SandboxAgent[] {
  return [agent(seed, 5202, 2001, { name: 'Robin Avery', country: 'United Kingdom' })]
}

function agent(seed: number, userId: number, id: number, { name, country }: Person): SandboxAgent {
  const random = seededRandom(seed, userId, id)
  const callerId = numberIn(country, id)
  const query = new URLSearchParams({ userid: String(userId), agent_id: String(id), from: callerId })
  return {
    id: String(id),
    name,
    callerId,
    sipLogin: `u${userId}a${id}`,
    sipPassword: hex(random, 16),
    ipAddress: id % 3 === 0,
    followMe: id % 4 !== 0,
    webphone: `https://webphone.example/agent/phone/call?${query}&${hex(random, 32)}`,
  }
}
