import { z } from 'zod'
import type { Milliseconds } from '../util/units.ts'
import type { Backend } from './backend.ts'
import type { Generation } from './generations.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { epochMs } from './schema.ts'
import { type TenantKey, tenantRecord } from './tenant.ts'
import { TenantRows } from './tenant-rows.ts'

const exportRecord = z.object({
  /** In the order in which they were asked for. */
  id: z.string(),
  tenant: tenantRecord,
  /** Who asked, and gets the file. */
  person: z.string(),
  askedAt: epochMs,
  /** What is exported, as the feature wrote it. */
  query: z.string(),
  /** The zone that its days and times are in. */
  zone: z.string(),
  /** How many calls there were when it was asked for; none where the service doesn't tell. */
  total: z.number().optional(),
  /** The direct message that says how far it is. */
  message: z.object({ channel: z.string(), ts: z.string() }),
  /** `reading`: a process has begun. `sending`: the file may have arrived. `sent`, `cancelled`: all but over. */
  state: z.enum(['waiting', 'reading', 'sending', 'sent', 'cancelled']),
})
export type ExportRecord = z.infer<typeof exportRecord>

/** Longer than any job is tried. */
const keptForMs: Milliseconds = 3 * 24 * 60 * 60_000

/** Exports that wait or are under way, until they are over. Every method @throws {StoreError}. */
export class Exports {
  readonly namespace = 'exports'
  readonly #rows

  constructor(backend: Backend, malformed: MalformedRows) {
    this.#rows = new TenantRows({ backend, malformed }, this.namespace, exportRecord, 'an export')
  }

  /** @returns `false` where the tenant was deleted since the generation was read, and nothing is kept */
  add(generation: Generation, record: ExportRecord): Promise<boolean> {
    return this.#rows.set(generation, record.id, record, keptForMs)
  }

  get(tenant: TenantKey, id: string): Promise<ExportRecord | undefined> {
    return this.#rows.get(tenant, id)
  }

  /** The tenant's, the one that was asked for first at the head. */
  all(tenant: TenantKey): Promise<readonly ExportRecord[]> {
    return this.#rows.all(tenant)
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  scan(prefix = ''): AsyncGenerator<ExportRecord, void> {
    return this.#rows.scan(prefix)
  }

  /**
   * Moves an export on, unless it is in none of the states `from`: one of several that try at the same time does.
   * @returns how it is now; `undefined` where it is gone
   */
  async move(
    tenant: TenantKey,
    id: string,
    from: readonly ExportRecord['state'][],
    to: ExportRecord['state'],
  ): Promise<{ readonly record: ExportRecord; readonly isMoved: boolean } | undefined> {
    let left: ExportRecord | undefined
    const moved = await this.#rows.change(tenant, id, (record) => {
      if (from.includes(record.state)) return { ...record, state: to }
      left = record
      return undefined
    })
    if (moved) return { record: moved, isMoved: true }
    return left && { record: left, isMoved: false }
  }

  async delete(tenant: TenantKey, id: string): Promise<void> {
    await this.#rows.delete(tenant, id)
  }
}
