import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { dayMs, type Milliseconds } from '../util/units.ts'
import { type RowServices, Rows } from './engine/rows.ts'
import { epochMs } from './engine/schema.ts'
import type { TenantKey } from './tenant.ts'

const auditEntrySchema = z.object({
  at: epochMs,
  who: z.string(),
  what: z.string(),
  channel: z.string().optional(),
  /** Ids of the people that the action affects. */
  people: z.array(z.string()).optional(),
  /** Text for people, without secrets. */
  detail: z.string().optional(),
  /** Name of the agent in the detail at that time. */
  name: z.string().optional(),
  /** Done on behalf of `who`, such as a scheduled post. */
  isAutomatic: z.boolean().optional(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const ENTRY_TTL_MS: Milliseconds = 366 * dayMs

/** Last instant of a Date. Keys count down from it, so that the newest entry comes first. */
const LAST_INSTANT = 8_640_000_000_000_000

/** Audit log of all tenants, one row per entry, because concurrent writes to one record would lose entries. */
export class AuditTrail {
  readonly #rows

  constructor(services: RowServices) {
    this.#rows = new Rows(services, 'audit-log', auditEntrySchema)
  }

  /** @throws {StoreError} */
  async add(tenant: TenantKey, entry: AuditEntry): Promise<void> {
    const countdown = String(LAST_INSTANT - entry.at).padStart(16, '0')
    await this.#rows.set(tenant, `${countdown}-${randomUUID()}`, entry, ENTRY_TTL_MS)
  }

  /** Returns entries, newest first. Leaves out entries that can't be read. @throws {StoreError} */
  async latest(tenant: TenantKey, { limit = 100, skip = 0 } = {}): Promise<readonly AuditEntry[]> {
    const entries: AuditEntry[] = []
    for await (const entry of this.#rows.from(tenant, '')) if (entries.push(entry) >= skip + limit) break
    return entries.slice(skip)
  }

  all(tenant: TenantKey): Promise<readonly AuditEntry[]> {
    return this.#rows.all(tenant)
  }
}
