import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { BoundedMap } from '../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { epochMs } from './engine/schema.ts'
import { type RowServices, TenantRows } from './engine/tenant-rows.ts'
import { scopedKey, type TenantKey } from './tenant.ts'

const auditEntry = z.object({
  at: epochMs,
  who: z.string(),
  what: z.string(),
  channel: z.string().optional(),
  /** The ids of those whom it is about. */
  people: z.array(z.string()).optional(),
  /** In words for people, without anything secret. */
  detail: z.string().optional(),
  /** What somebody in the detail was called then, such as an agent. Most have nobody to name. */
  name: z.string().optional(),
  /** Nobody did it at that moment, such as a scheduled post: it is `who` in whose name it was done. */
  isAutomatic: z.boolean().optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** What administrators do has a room of its own: nobody else's entries push theirs out. */
export type AuditRoom = 'admins' | 'others'
const rooms: readonly AuditRoom[] = ['admins', 'others']

/** An entry stays for a year, and longer until there are so many newer ones in its room. */
const keptForMs: Milliseconds = 366 * 24 * 60 * 60_000
const leastEntries = 500
/** What one room holds at most, however new its entries are. */
const mostEntries = 10_000
/** A room is trimmed at the first entry that this process adds to it, and once in so many. */
const trimEvery = 100

const namespace = 'audit-log'

/** The last instant that a Date holds: keys count down from it, so that the newest entry comes first. */
const lastInstant = 8_640_000_000_000_000

const countdown = (at: EpochMs) => String(lastInstant - at).padStart(16, '0')
const instantOf = (key: string): EpochMs => lastInstant - Number(key.split('-')[1])

/** A row for each entry rather than one record: two processes that add at the same time would lose one of the two. */
export class AuditTrail {
  readonly #database
  readonly #rows
  readonly #added = new BoundedMap<number>({ max: 10_000 })

  constructor(services: RowServices) {
    this.#database = services.database
    this.#rows = new TenantRows(services, namespace, auditEntry)
  }

  /** @throws {StoreError} */
  async add(tenant: TenantKey, entry: AuditEntry, room: AuditRoom): Promise<void> {
    // What comes after the time keeps two of the same millisecond apart.
    await this.#rows.set(tenant, `${room}-${countdown(entry.at)}-${randomUUID()}`, entry)
    const counter = scopedKey(tenant, room)
    const added = this.#added.get(counter) ?? 0
    this.#added.set(counter, added + 1)
    if (added % trimEvery === 0) await this.#trim(tenant, room, entry.at - keptForMs)
  }

  /** At most `limit` entries, the newest first, without the first `skip` of them. @throws {StoreError} */
  async latest(tenant: TenantKey, { limit = 100, skip = 0 } = {}): Promise<readonly AuditEntry[]> {
    const wanted = skip + limit
    const found = await Promise.all(rooms.map((room) => this.#entries(scopedKey(tenant, `${room}-`), wanted)))
    return found
      .flat()
      .sort((one, other) => other.at - one.at)
      .slice(skip, wanted)
  }

  all(tenant: TenantKey): Promise<readonly AuditEntry[]> {
    return this.latest(tenant, { limit: rooms.length * mostEntries })
  }

  async #entries(prefix: string, limit: number): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = []
    for await (const entry of this.#rows.scan(prefix)) if (entries.push(entry) >= limit) break
    return entries
  }

  /** Deletes what is older than `before`, but not the newest of the room, and what is beyond its most. */
  async #trim(tenant: TenantKey, room: AuditRoom, before: EpochMs): Promise<void> {
    let count = 0
    for await (const { key } of this.#database.scan(namespace, scopedKey(tenant, `${room}-`))) {
      count += 1
      const isOld = count > mostEntries || (count > leastEntries && instantOf(key) < before)
      if (isOld) await this.#database.delete(namespace, key)
    }
  }
}
