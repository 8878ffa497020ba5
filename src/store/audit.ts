import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Backend, Row } from './backend.ts'
import { type Generation, TenantDeletedError } from './generations.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { epochMs, parseRow } from './schema.ts'
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
  readonly #malformed

  constructor(backend: Backend, malformed: MalformedRows) {
    this.#backend = backend
    this.#malformed = malformed
  }

  /**
   * @param generation where what is noted took a while: it is not noted of a tenant that was deleted meanwhile
   * @throws {StoreError | TenantDeletedError}
   */
  async add(tenant: TenantKey, entry: AuditEntry, generation?: Generation): Promise<void> {
    // Keys sort by time; what comes after it keeps two of the same millisecond apart.
    const key = scopedKey(tenant, `${String(entry.at).padStart(15, '0')}-${randomUUID()}`)
    const row = { key, value: JSON.stringify(entry) }
    if (!generation) await this.#backend.set(this.namespace, row)
    else if (!(await this.#backend.setWhile(generation, this.namespace, row)))
      throw new TenantDeletedError('the tenant of an audit entry was deleted meanwhile')
    const rows = await this.#rows(tenant)
    const old = rows.slice(0, Math.max(0, rows.length - maxEntries)).map((row) => row.key)
    if (old.length > 0) await this.#backend.delete(this.namespace, old)
  }

  /** The last 100, the newest first. @throws {StoreError} */
  async latest(tenant: TenantKey): Promise<readonly AuditEntry[]> {
    const rows = await this.#rows(tenant)
    return rows
      .flatMap(({ key, value }) =>
        this.#malformed.read(this.namespace, key, () => parseRow(auditEntry, value, 'an audit entry')),
      )
      .reverse()
      .slice(0, maxEntries)
  }

  async #rows(tenant: TenantKey): Promise<readonly Row[]> {
    const prefix = `${tenant}/`
    // More than stay, since several processes may have added since the last one was deleted.
    const rows = await this.#backend.list(this.namespace, prefix, maxEntries * 3)
    return rows.filter(({ key }) => key.startsWith(prefix))
  }
}
