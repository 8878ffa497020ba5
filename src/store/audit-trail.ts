import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { dayMs, type Milliseconds } from '../util/units.ts'
import type { Database } from './engine/database.ts'
import { Rows } from './engine/rows.ts'
import type { TenantKey } from './tenant.ts'
import { epochMsSchema } from './times.ts'

const auditEntrySchema = z.object({
  at: epochMsSchema,
  /** Id of a person. */
  who: z.string(),
  /** The action as part of a sentence: `set up an alert`. */
  what: z.string(),
  channel: z.string().optional(),
  /** Ids of the affected people. */
  people: z.array(z.string()).optional(),
  /** Text for people, without secrets. */
  detail: z.string().optional(),
  /** Name, at that time, of the agent whose id is in `detail`; apart, because the operator's log contains no names. */
  name: z.string().optional(),
  /** Done on behalf of `who`, such as a scheduled post. */
  isAutomatic: z.boolean().optional(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const AUDIT_TTL_MS: Milliseconds = 366 * dayMs

/** Keys count down from the last instant of a `Date`, so that the newest entry comes first. */
const LAST_INSTANT = 8_640_000_000_000_000

/** One row per entry, because concurrent writes to one record would lose entries. */
export class AuditTrail extends Rows<AuditEntry> {
  constructor(database: Database) {
    super(database, 'audit-log', auditEntrySchema)
  }

  async add(tenant: TenantKey, entry: AuditEntry): Promise<void> {
    const countdown = String(LAST_INSTANT - entry.at).padStart(String(LAST_INSTANT).length, '0')
    await this.set(tenant, `${countdown}-${randomUUID()}`, entry, AUDIT_TTL_MS)
  }

  async listLatest(tenant: TenantKey, { limit = 100, skip = 0 } = {}): Promise<readonly AuditEntry[]> {
    const entries: AuditEntry[] = []
    for await (const entry of this.scanAfter(tenant, '')) {
      entries.push(entry)
      if (entries.length >= skip + limit) break
    }
    return entries.slice(skip)
  }
}
