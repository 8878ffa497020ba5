import type { EpochMs } from '../util/units.ts'
import type { Database } from './database.ts'
import type { TenantKey } from './tenant.ts'
import { TenantRows } from './tenant-rows.ts'

/** A fixed number, whatever the number of tenants and of processes: each shard is one job, and one list in the store. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv: as even as is needed here. It must stay what it is. */
export function shardOf(tenant: TenantKey): number {
  let hashed = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hashed = Math.imul(hashed ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hashed % SHARDS
}

/** `TenantRows` of which those of all tenants of a shard are read at once. */
export class ShardedRows<T> extends TenantRows<T> {
  /** @throws {StoreError} */
  inShard(shard: number): Promise<readonly T[]> {
    return Array.fromAsync(this.records(this.#namespace(shard), ''))
  }

  override async *scan(prefix?: string): AsyncGenerator<T, void> {
    for (let shard = 0; shard < SHARDS; shard += 1) yield* this.records(this.#namespace(shard), prefix ?? '')
  }

  protected override namespaceOf(tenant: TenantKey): string {
    return this.#namespace(shardOf(tenant))
  }

  #namespace(shard: number): string {
    return `${this.namespace}-${shard}`
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
    const text = await this.#database.get('shard-polls', String(shard))
    const at = Number(text ?? 0)
    return Number.isFinite(at) ? at : 0
  }

  set(shard: number, at: EpochMs): Promise<void> {
    return this.#database.set('shard-polls', { key: String(shard), value: String(at) })
  }
}
