import { BoundedMap } from '../util/bounded-map.ts'
import type { TelephonyClient } from './client.ts'
import type { Account, Agent } from './types.ts'

/** An agent without what only the modal that reveals it may know. */
export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

export interface AgentList {
  /** Remembered for 60 s: the service gives every agent at once. Passwords are not. @throws {TelephonyError} */
  list(account: Account): Promise<readonly AgentSummary[]>
  /** Asks the service again, so that what it reveals is kept nowhere. @throws {TelephonyError} */
  reveal(account: Account, id: string): Promise<Agent | undefined>
  forget(tenant: string): void
}

export function createAgentList(options: {
  telephony: TelephonyClient
  now: () => number
  /** Told of every lookup in what is remembered. */
  onLookup: (isHit: boolean) => void
}): AgentList {
  const known = new BoundedMap<readonly AgentSummary[]>({ max: 500, ttlMs: 60_000, now: options.now })
  return {
    forget: (tenant) => known.deleteUnder(`${tenant} `),
    async list(account) {
      const key = `${account.tenant} ${account.credentials.key}`
      const remembered = known.get(key)
      options.onLookup(remembered !== undefined)
      if (remembered) return remembered
      const agents = await options.telephony.agents(account)
      const summaries = agents.map(({ sipPassword: _password, webphone: _webphone, ...summary }) => summary)
      known.set(key, summaries)
      return summaries
    },
    reveal: async (account, id) => (await options.telephony.agents(account)).find((agent) => agent.id === id),
  }
}
