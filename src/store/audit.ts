import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Backend } from './backend.ts'
import { orStoreError } from './errors.ts'
import { scopedKey, type TenantKey } from './tenant.ts'

const entry = z.object({
  /** Epoch ms. */
  at: z.number(),
  /** A person's id. */
  who: z.string(),
  /** Such as `connect`. */
  what: z.string(),
  /** In words for people, without anything secret. */
  detail: z.string().optional(),
})
export type AuditEntry = z.infer<typeof entry>

export interface AuditTrail {
  add(tenant: TenantKey, entry: AuditEntry): Promise<void>
  /** The last 100, the newest first. @throws {StoreError} */
  latest(tenant: TenantKey): Promise<readonly AuditEntry[]>
  deleteAll(tenant: TenantKey): Promise<void>
}

export const auditNamespace = 'audit'
const namespace = auditNamespace
const kept = 100

// A row for each entry rather than one record: two processes that add at the same time would lose one of the two.
export function createAuditTrail(backend: Backend, now: () => number): AuditTrail {
  async function rowsOf(tenant: TenantKey) {
    const prefix = `${scopedKey(tenant)}/`
    // More than are kept, since several processes may have added since the last one was deleted.
    const rows = await backend.list(namespace, prefix, kept * 3, now())
    return rows.filter(({ key }) => key.startsWith(prefix))
  }

  async function append(tenant: TenantKey, added: AuditEntry): Promise<void> {
    // Keys sort by time; what comes after it keeps two of the same millisecond apart.
    const key = scopedKey(tenant, `${String(added.at).padStart(15, '0')}-${randomUUID()}`)
    await backend.set(namespace, { key, value: JSON.stringify(added), expires: undefined })
    const rows = await rowsOf(tenant)
    const old = rows.slice(0, Math.max(0, rows.length - kept)).map((row) => row.key)
    if (old.length > 0) await backend.delete(namespace, old)
  }

  return {
    add: (tenant, added) => orStoreError('add to the audit trail', append(tenant, added)),
    deleteAll: (tenant) => orStoreError('delete the audit trail', backend.clear(namespace, `${tenant}/`)),
    async latest(tenant) {
      const rows = await orStoreError('read the audit trail', rowsOf(tenant))
      return rows
        .map(({ value }) => entry.parse(JSON.parse(value)))
        .reverse()
        .slice(0, kept)
    },
  }
}
