import { z } from 'zod'
import type { Milliseconds } from '../util/units.ts'
import { type Backend, scan } from './backend.ts'
import type { Generation } from './generations.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { epochMs, parseRow } from './schema.ts'
import { scopedKey, type TenantKey, tenantRecord } from './tenant.ts'

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

const parse = (value: string): ExportRecord => parseRow(exportRecord, value, 'an export')

/** Exports that wait or are under way, until they are over. Every method @throws {StoreError}. */
export class Exports {
  readonly namespace = 'exports'
  readonly #backend
  readonly #malformed

  constructor(backend: Backend, malformed: MalformedRows) {
    this.#backend = backend
    this.#malformed = malformed
  }

  /** @returns `false` where the tenant was deleted since the generation was read, and nothing is kept */
  add(generation: Generation, record: ExportRecord): Promise<boolean> {
    const key = scopedKey(generation.key, record.id)
    const row = { key, value: JSON.stringify(record), expires: this.#backend.now() + keptForMs }
    return this.#backend.setWhile(generation, this.namespace, row)
  }

  async get(tenant: TenantKey, id: string): Promise<ExportRecord | undefined> {
    const value = await this.#read(scopedKey(tenant, id))
    return value === undefined ? undefined : parse(value)
  }

  /** The tenant's, the one that was asked for first at the head. */
  all(tenant: TenantKey): Promise<readonly ExportRecord[]> {
    return Array.fromAsync(this.scan(`${tenant}/`))
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  async *scan(prefix = ''): AsyncGenerator<ExportRecord, void> {
    for await (const { key, value } of scan(this.#backend, this.namespace, prefix))
      yield* this.#malformed.read(this.namespace, key, () => parse(value))
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
    const key = scopedKey(tenant, id)
    for (;;) {
      const value = await this.#read(key)
      if (value === undefined) return undefined
      const record = parse(value)
      if (!from.includes(record.state)) return { record, isMoved: false }
      const moved = { ...record, state: to }
      if (await this.#backend.replace(this.namespace, key, value, JSON.stringify(moved)))
        return { record: moved, isMoved: true }
    }
  }

  async delete(tenant: TenantKey, id: string): Promise<void> {
    await this.#backend.delete(this.namespace, [scopedKey(tenant, id)])
  }

  async #read(key: string): Promise<string | undefined> {
    return (await this.#backend.get(this.namespace, [key]))[0]?.value
  }
}
