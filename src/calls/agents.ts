import { BoundedMap } from '../bounded-map.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import type { Account } from '../telephony/types.ts'

export interface AgentName {
  readonly id: string
  readonly name: string
}

export interface AgentNames {
  /** Names and ids alone (an agent's passwords go no further), remembered for 60 s. @throws {TelephonyError} */
  list(account: Account): Promise<readonly AgentName[]>
}

export function createAgentNames(options: { telephony: TelephonyClient; now: () => number }): AgentNames {
  const known = new BoundedMap<readonly AgentName[]>({ max: 500, ttlMs: 60_000, now: options.now })
  return {
    async list(account) {
      const key = `${account.tenant} ${account.credentials.key}`
      const remembered = known.get(key)
      if (remembered) return remembered
      const names = (await options.telephony.agents(account)).map(({ id, name }) => ({ id, name }))
      known.set(key, names)
      return names
    },
  }
}

export type Match = { readonly agent: AgentName } | { readonly candidates: readonly AgentName[] }

/** By id, by the whole name, or by a part of it that only one agent has. */
export function matchAgent(agents: readonly AgentName[], wanted: string): Match {
  const lower = wanted.toLowerCase()
  const exact = agents.filter(({ id, name }) => id === wanted || name.toLowerCase() === lower)
  const found = exact.length > 0 ? exact : agents.filter(({ name }) => name.toLowerCase().includes(lower))
  const [agent, ...others] = found
  return agent && others.length === 0 ? { agent } : { candidates: found }
}
