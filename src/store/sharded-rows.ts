import type { z } from 'zod'
import type { EpochMs } from '../util/units.ts'
import type { Database } from './database.ts'
import type { TenantKey } from './tenant.ts'
import { type RowServices, TenantRows } from './tenant-rows.ts'

/** A fixed number, whatever the number of tenants and of processes: each shard is one job, and one list in the store. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv: as even as is needed here. It must stay what it is. */
export function shardOf(tenant: TenantKey): number {
  let hashed = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hashed = Math.imul(hashed ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hashed % SHARDS
}

/** `TenantRows` of which those of all tenants of a shard are read at once. Every method @throws {StoreError}. */
export class ShardedRows<T> {
  readonly #shards: readonly TenantRows<T>[]

  constructor(services: RowServices, namespace: string, schema: z.ZodType<T>) {
    this.#shards = Array.from(
      { length: SHARDS },
      (_, shard) => new TenantRows(services, `${namespace}-${shard}`, schema),
    )
  }

  async inShard(shard: number): Promise<readonly T[]> {
    return Array.fromAsync(this.#rows(shard).scan())
  }

  get(tenant: TenantKey, id: string): Promise<T | undefined> {
    return this.#rowsOf(tenant).get(tenant, id)
  }

  all(tenant: TenantKey): Promise<readonly T[]> {
    return this.#rowsOf(tenant).all(tenant)
  }

  set(tenant: TenantKey, id: string, record: T): Promise<void> {
    return this.#rowsOf(tenant).set(tenant, id, record)
  }

  change(
    tenant: TenantKey,
    id: string,
    change: (record: T) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#rowsOf(tenant).change(tenant, id, change)
  }

  delete(tenant: TenantKey, id: string): Promise<boolean> {
    return this.#rowsOf(tenant).delete(tenant, id)
  }

  #rowsOf(tenant: TenantKey): TenantRows<T> {
    return this.#rows(shardOf(tenant))
  }

  #rows(shard: number): TenantRows<T> {
    const rows = this.#shards[shard]
    if (!rows) throw new RangeError(`there is no shard ${shard}`)
    return rows
  }
}

/** When each shard's accounts were all polled last. Every method @throws {StoreError}. */
export class ShardPolls {
  readonly #database

  constructor(database: Database) {
    this.#database = database
  }

  /** 0 where they never were. */
  async of(shard: number): Promise<EpochMs> {
    const [row] = await this.#database.get('shard-polls', [String(shard)])
    const at = Number(row?.value ?? 0)
    return Number.isFinite(at) ? at : 0
  }

  set(shard: number, at: EpochMs): Promise<void> {
    return this.#database.set('shard-polls', [{ key: String(shard), value: String(at) }])
  }
}
