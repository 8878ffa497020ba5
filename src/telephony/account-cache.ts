import { EventEmitter } from 'node:events'
import { addDays, utcDay } from '../time/days.ts'
import { toUtcOffset } from '../time/zones.ts'
import { type Cache, createCache, deleteByPrefix } from '../util/cache.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { mapLogins } from './agent-labels.ts'
import type { TelephonyClient } from './client.ts'
import { type Account, ReadLimitError } from './types.ts'
import type { Agent } from './wire.ts'

/** Data of deleted workspaces may not be kept. */
interface TenantDeletions {
  on(event: 'tenant-deleted', listener: (tenant: string) => void): unknown
}

export class AccountCache<V extends NonNullable<unknown>> {
  readonly #kept: Cache<V>
  #deletions = 0

  constructor(
    store: TenantDeletions,
    { maxBytes, ...options }: { maxBytes: number; ttlMs?: Milliseconds; now?: () => EpochMs },
  ) {
    this.#kept = createCache<V>({ ...options, max: maxBytes, getWeight: estimateBytes })
    store.on('tenant-deleted', (tenant) => {
      this.#deletions += 1
      deleteByPrefix(this.#kept, `${tenant} `)
    })
  }

  get(account: Account, asked: unknown): V | undefined {
    return this.#kept.get(cacheKey(account, asked))
  }

  /** Caches the result unless a workspace was deleted meanwhile. */
  async keep(account: Account, asked: unknown, reading: Promise<V>): Promise<V> {
    const deletions = this.#deletions
    const value = await reading
    if (deletions === this.#deletions) this.#kept.set(cacheKey(account, asked), value)
    return value
  }
}

const cacheKey = ({ tenant, credentials }: Account, asked: unknown) =>
  `${tenant} ${credentials.key} ${JSON.stringify(asked)}`

/** Bytes of an object, an array or a number; text takes a byte per character in addition. */
const BYTES_PER_VALUE = 16

function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return parts.reduce<number>((sum, part) => sum + estimateBytes(part), BYTES_PER_VALUE)
}

export type AgentSummary = Omit<Agent, 'sipPassword' | 'webphone'>

/** Further agents are left out, because all of an account's agents are searched at once. */
const MAX_AGENTS = 5000

interface Sources {
  readonly telephony: TelephonyClient
  readonly store: TenantDeletions
  readonly now: () => EpochMs
}

export class AgentList extends EventEmitter<{ lookup: [isHit: boolean] }> {
  readonly #telephony
  readonly #cache: AccountCache<readonly AgentSummary[]>
  /** Kept as long as its agents, because every list of calls needs it. */
  readonly #namesByLogin = new WeakMap<readonly AgentSummary[], ReadonlyMap<string, string>>()

  constructor({ telephony, store, now }: Sources) {
    super()
    this.#telephony = telephony
    this.#cache = new AccountCache(store, { maxBytes: 2_000_000, ttlMs: minuteMs, now })
  }

  /** @throws {TelephonyError} */
  async list(account: Account): Promise<readonly AgentSummary[]> {
    const cached = this.#cache.get(account, 'agents')
    this.emit('lookup', cached !== undefined)
    return cached ?? this.#cache.keep(account, 'agents', this.#telephony.agents(account).then(toSummaries))
  }

  /** @param agents from `list` */
  namesByLogin(agents: readonly AgentSummary[]): ReadonlyMap<string, string> {
    const known = this.#namesByLogin.get(agents)
    if (known) return known
    const names = mapLogins(agents)
    this.#namesByLogin.set(agents, names)
    return names
  }

  /** Reads the agent with its secrets, which are never cached. @throws {TelephonyError} */
  async reveal(account: Account, id: string): Promise<Agent | undefined> {
    return (await this.#telephony.agents(account)).find((agent) => agent.id === id)
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

const DAYS_READ = 30
/** Further calls seldom contain another number, and Slack's menus wait for 3 s only. */
const MAX_CALLS_READ = 1000
const READ_TIMEOUT_MS: Milliseconds = 2000

/** Lists the account's own numbers: those on the bill, and those that were called recently. */
export class LineList {
  readonly #telephony
  readonly #now
  readonly #cache: AccountCache<readonly string[]>

  constructor({ telephony, store, now }: Sources) {
    this.#telephony = telephony
    this.#now = now
    this.#cache = new AccountCache(store, { maxBytes: 10_000_000, ttlMs: 5 * minuteMs, now })
  }

  /** @throws {TelephonyError} */
  async numbers(account: Account): Promise<readonly string[]> {
    return this.#cache.get(account, 'lines') ?? this.#cache.keep(account, 'lines', this.#read(account))
  }

  async #read(account: Account): Promise<readonly string[]> {
    const [called, { addOns }] = await Promise.all([this.#called(account), this.#telephony.billing(account)])
    return [...new Set([...addOns.numbers.map(({ number }) => number), ...called])]
  }

  async #called(account: Account): Promise<readonly string[]> {
    const to = utcDay(new Date(this.#now()))
    const from = addDays(to, 1 - DAYS_READ)
    const query = { direction: 'incoming', offset: toUtcOffset(0), from, to } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(READ_TIMEOUT_MS), limit: MAX_CALLS_READ }
    try {
      for await (const { calls } of this.#telephony.readCalls(account, [query], options))
        for (const { number } of calls) numbers.add(number)
    } catch (error) {
      // The numbers found so far are sufficient.
      if (!(error instanceof ReadLimitError)) throw error
    }
    return [...numbers]
  }
}
