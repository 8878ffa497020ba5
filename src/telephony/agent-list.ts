import { EventEmitter } from 'node:events'
import { BoundedMap } from '../util/bounded-map.ts'
import type { EpochMs } from '../util/units.ts'
import type { TelephonyClient } from './client.ts'
import type { Account } from './types.ts'
import type { Agent } from './wire.ts'

/** An agent without what only the modal that reveals it may know. */
export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

/** Caches the agents, since the service lists all of them at once. Emits `lookup` for each look into the cache. */
export class AgentList extends EventEmitter<{ lookup: [isHit: boolean] }> {
  readonly #telephony
  readonly #cache: BoundedMap<readonly AgentSummary[]>

  constructor(options: { telephony: Pick<TelephonyClient, 'agents'>; now: () => EpochMs }) {
    super()
    this.#telephony = options.telephony
    this.#cache = new BoundedMap({ max: 500, ttlMs: 60_000, now: options.now })
  }

  /** Cached for 60 s, without passwords. @throws {TelephonyError} */
  async list(account: Account): Promise<readonly AgentSummary[]> {
    const key = `${account.tenant} ${account.credentials.key}`
    const cached = this.#cache.get(key)
    this.emit('lookup', cached !== undefined)
    if (cached) return cached
    const agents = await this.#telephony.agents(account)
    const summaries = agents.map(({ sipPassword: _password, webphone: _webphone, ...summary }) => summary)
    this.#cache.set(key, summaries)
    return summaries
  }

  /** Asks the service again, so that what it reveals is kept nowhere. @throws {TelephonyError} */
  async reveal(account: Account, id: string): Promise<Agent | undefined> {
    return (await this.#telephony.agents(account)).find((agent) => agent.id === id)
  }

  forget(tenant: string): void {
    this.#cache.deleteUnder(`${tenant} `)
  }
}

/** Whose id or whole name it is; otherwise everyone with it as a part of the name. */
export function agentsLike<T extends Pick<Agent, 'id' | 'name'>>(
  agents: readonly T[],
  idOrName: string,
): readonly T[] {
  const lower = idOrName.toLowerCase()
  const exact = agents.filter(({ id, name }) => id === idOrName || name.toLowerCase() === lower)
  return exact.length > 0 ? exact : agents.filter(({ name }) => name.toLowerCase().includes(lower))
}
