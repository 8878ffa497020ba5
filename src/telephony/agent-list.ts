import { EventEmitter } from 'node:events'
import { minuteMs } from '../util/units.ts'
import { AccountCache, type ListSources } from './account-cache.ts'
import { mapLogins } from './agent-labels.ts'
import type { Account } from './types.ts'
import type { Agent } from './wire.ts'

export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

/** Further agents are left out, because all of an account's agents are searched at once. */
const MAX_AGENTS = 5000

interface Agents {
  readonly agents: readonly AgentSummary[]
  readonly namesByLogin: ReadonlyMap<string, string>
}

export class AgentList extends EventEmitter<{ lookup: [isHit: boolean] }> {
  readonly #telephony
  readonly #cache: AccountCache<Agents>

  constructor({ telephony, store, now }: ListSources) {
    super()
    this.#telephony = telephony
    this.#cache = new AccountCache(store, { maxBytes: 2_000_000, ttlMs: minuteMs, now })
  }

  /** @throws {TelephonyError} */
  async get(account: Account): Promise<Agents> {
    const cached = this.#cache.get(account, 'agents')
    this.emit('lookup', cached !== undefined)
    return cached ?? this.#cache.keep(account, 'agents', this.#read(account))
  }

  async #read(account: Account): Promise<Agents> {
    const agents = toSummaries(await this.#telephony.agents(account))
    return { agents, namesByLogin: mapLogins(agents) }
  }

  /** Reads the agent with its secrets, which are never cached. @throws {TelephonyError} */
  async reveal(account: Account, id: string): Promise<Agent | undefined> {
    const agents = await this.#telephony.agents(account)
    return agents.find((agent) => agent.id === id)
  }
}

/** Leaves out secrets, and repeated agents: those without an id only if all of their fields are the same. */
function toSummaries(agents: readonly Agent[]): readonly AgentSummary[] {
  const unique = new Map(agents.map((agent) => [agent.id || JSON.stringify(agent), agent]))
  const summaries: AgentSummary[] = []
  for (const { sipPassword: _password, webphone: _webphone, ...summary } of unique.values())
    summaries.push(summary)
  return summaries.slice(0, MAX_AGENTS)
}
