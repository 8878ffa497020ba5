import { EventEmitter } from 'node:events'
import type { EpochMs } from '../util/units.ts'
import { AccountCache, type TenantDeletions } from './account-cache.ts'
import type { TelephonyClient } from './client.ts'
import type { Account } from './types.ts'
import type { Agent } from './wire.ts'

/** An agent without secrets. */
export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

/** Further agents are left out, because all of an account's agents are searched at once. */
export const MAX_AGENTS = 5000

const MAX_AGENT_BYTES = 5_000_000

interface Agents {
  readonly agents: readonly AgentSummary[]
  /** Number of the account's agents, with those that were left out. */
  readonly total: number
}

/** Caches the agents; the service lists all of them at once. Emits `lookup` for each look into the cache. */
export class AgentList extends EventEmitter<{ lookup: [isHit: boolean] }> {
  readonly #telephony
  readonly #cache: AccountCache<Agents>

  constructor({
    telephony,
    store,
    now,
  }: { telephony: Pick<TelephonyClient, 'agents'>; store: TenantDeletions; now: () => EpochMs }) {
    super()
    this.#telephony = telephony
    this.#cache = new AccountCache(store, { maxBytes: MAX_AGENT_BYTES, ttlMs: 60_000, now })
  }

  /** Cached for 60 s, without passwords. @throws {TelephonyError} */
  async list(account: Account): Promise<readonly AgentSummary[]> {
    return (await this.read(account)).agents
  }

  /** Returns the same agents with the number of all. @throws {TelephonyError} */
  async read(account: Account): Promise<Agents> {
    const cached = this.#cache.get(account, 'agents')
    this.emit('lookup', cached !== undefined)
    return cached ?? this.#cache.keep(account, 'agents', this.#telephony.agents(account).then(toSummaries))
  }

  /** Reads the agent with its secrets, which are never cached. @throws {TelephonyError} */
  async reveal(account: Account, id: string): Promise<Agent | undefined> {
    return (await this.#telephony.agents(account)).find((agent) => agent.id === id)
  }
}

const toSummaries = (all: readonly Agent[]): Agents => ({
  agents: all
    .slice(0, MAX_AGENTS)
    .map(({ sipPassword: _password, webphone: _webphone, ...summary }) => summary),
  total: all.length,
})

/** Finds agents by id or whole name, otherwise by a part of the name. */
export function agentsLike<T extends Pick<Agent, 'id' | 'name'>>(
  agents: readonly T[],
  idOrName: string,
): readonly T[] {
  const lower = idOrName.toLowerCase()
  const exact = agents.filter(({ id, name }) => id === idOrName || name.toLowerCase() === lower)
  return exact.length > 0 ? exact : agents.filter(({ name }) => name.toLowerCase().includes(lower))
}
