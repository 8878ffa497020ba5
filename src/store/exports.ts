import { z } from 'zod'
import type { Milliseconds } from '../util/units.ts'
import type { Rows } from './engine/rows.ts'
import { epochMs } from './engine/schema.ts'
import { tenantKey, tenantRecord } from './tenant.ts'

export const exportRecord = z.object({
  /** In the order in which they were asked for. */
  id: z.string(),
  tenant: tenantRecord,
  person: z.string(),
  askedAt: epochMs,
  /** What is exported, as the feature wrote it. */
  query: z.string(),
  zone: z.string(),
  /** How many calls there were when it was asked for; none where the service doesn't say. */
  total: z.number().optional(),
  /** The direct message that says how far it is. */
  message: z.object({ channel: z.string(), ts: z.string() }),
  /** `reading`: a process has begun. `sending`: the file may have arrived. `sent`, `cancelled`: all but over. */
  state: z.enum(['waiting', 'reading', 'sending', 'sent', 'cancelled']),
})
export type ExportRecord = z.infer<typeof exportRecord>

/** Longer than any job is tried. */
export const EXPORT_KEPT_MS: Milliseconds = 3 * 24 * 60 * 60_000

/** One of several that try at the same time does it. @returns how it is now; `undefined` where it is gone @throws {StoreError} */
export async function moveExport(
  exports: Rows<ExportRecord>,
  { tenant, id }: Pick<ExportRecord, 'tenant' | 'id'>,
  from: readonly ExportRecord['state'][],
  to: ExportRecord['state'],
): Promise<{ readonly record: ExportRecord; readonly isMoved: boolean } | undefined> {
  let left: ExportRecord | undefined
  const moved = await exports.change(tenantKey(tenant), id, (record) => {
    left = record
    return from.includes(record.state) ? { ...record, state: to } : undefined
  })
  if (moved) return { record: moved, isMoved: true }
  return left && { record: left, isMoved: false }
}
