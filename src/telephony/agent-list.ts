import { EventEmitter } from 'node:events'
import { minuteMs } from '../util/units.ts'
import { AccountCache, type ListSources } from './account-cache.ts'
import { mapLogins } from './agent-labels.ts'
import type { Account } from './types.ts'
import type { Agent } from './wire.ts'

export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

/** Further agents are left out, because all of an account's agents are searched at once. */
const MAX_AGENTS = 5000

export class AgentList extends EventEmitter<{ lookup: [isHit: boolean] }> {
  readonly #telephony
  readonly #cache: AccountCache<readonly AgentSummary[]>
  /** Kept as long as its agents, because every list of calls needs it. */
  readonly #namesByLogin = new WeakMap<readonly AgentSummary[], ReadonlyMap<string, string>>()

  constructor({ telephony, store, now }: ListSources) {
    super()
    this.#telephony = telephony
    this.#cache = new AccountCache(store, { maxBytes: 2_000_000, ttlMs: minuteMs, now })
  }

  /** @throws {TelephonyError} */
  async list(account: Account): Promise<readonly AgentSummary[]> {
    this.emit('lookup', this.#cache.get(account, 'agents') !== undefined)
    return this.#cache.getOrRead(account, 'agents', () => this.#read(account))
  }

  async #read(account: Account): Promise<readonly AgentSummary[]> {
    const agents = await this.#telephony.agents(account)
    return toSummaries(agents)
  }

  /** @throws {TelephonyError} */
  async namesByLogin(account: Account): Promise<ReadonlyMap<string, string>> {
    const agents = await this.list(account)
    const known = this.#namesByLogin.get(agents)
    if (known) return known
    const names = mapLogins(agents)
    this.#namesByLogin.set(agents, names)
    return names
  }

  /** Reads the agent with its secrets, which are never cached. @throws {TelephonyError} */
  async reveal(account: Account, id: string): Promise<Agent | undefined> {
    const agents = await this.#telephony.agents(account)
    return agents.find((agent) => agent.id === id)
  }
}

const toSummaries = (all: readonly Agent[]): readonly AgentSummary[] =>
  leaveOutRepeated(all)
    .slice(0, MAX_AGENTS)
    .map(({ sipPassword: _password, webphone: _webphone, ...summary }) => summary)

/** Each id once, and agents without one unless all of their fields are the same. */
function leaveOutRepeated(agents: readonly Agent[]): readonly Agent[] {
  const unique = new Map<string, Agent>()
  for (const agent of agents) {
    const key = agent.id || JSON.stringify(agent)
    if (!unique.has(key)) unique.set(key, agent)
  }
  return [...unique.values()]
}
