import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Backend, Row } from './backend.ts'
import { epochMs } from './schema.ts'
import { scopedKey, type TenantKey } from './tenant.ts'

const auditEntry = z.object({
  at: epochMs,
  /** A person's id. */
  who: z.string(),
  /** Such as `connect`. */
  what: z.string(),
  /** In words for people, without anything secret. */
  detail: z.string().optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

const maxEntries = 100

/** A row for each entry rather than one record: two processes that add at the same time would lose one of the two. */
export class AuditTrail {
  readonly namespace = 'audit'
  readonly #backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** @throws {StoreError} */
  async add(tenant: TenantKey, entry: AuditEntry): Promise<void> {
    // Keys sort by time; what comes after it keeps two of the same millisecond apart.
    const key = scopedKey(tenant, `${String(entry.at).padStart(15, '0')}-${randomUUID()}`)
    await this.#backend.set(this.namespace, { key, value: JSON.stringify(entry) })
    const rows = await this.#rows(tenant)
    const old = rows.slice(0, Math.max(0, rows.length - maxEntries)).map((row) => row.key)
    if (old.length > 0) await this.#backend.delete(this.namespace, old)
  }

  /** The last 100, the newest first. @throws {StoreError} */
  async latest(tenant: TenantKey): Promise<readonly AuditEntry[]> {
    const rows = await this.#rows(tenant)
    return rows
      .map(({ value }) => auditEntry.parse(JSON.parse(value)))
      .reverse()
      .slice(0, maxEntries)
  }

  /** @throws {StoreError} */
  deleteAll(tenant: TenantKey): Promise<void> {
    return this.#backend.clear(this.namespace, `${tenant}/`)
  }

  async #rows(tenant: TenantKey): Promise<readonly Row[]> {
    const prefix = `${tenant}/`
    // More than stay, since several processes may have added since the last one was deleted.
    const rows = await this.#backend.list(this.namespace, prefix, maxEntries * 3)
    return rows.filter(({ key }) => key.startsWith(prefix))
  }
}
