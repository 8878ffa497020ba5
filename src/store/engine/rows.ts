import type { z } from 'zod'
import type { Milliseconds } from '../../util/units.ts'
import { scopedKey, type TenantKey } from '../tenant.ts'
import type { Database } from './database.ts'
import type { Row } from './sql.ts'

/** Each shard has a job and a namespace of its own. Stored rows depend on the number. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv. Stored rows depend on the result. */
export function getShard(tenant: TenantKey): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hash = Math.imul(hash ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hash % SHARDS
}

/** Several records per tenant, sorted by id. Malformed ones count as absent: no access rule is among them. Methods throw `StoreError`. */
export class Rows<T> {
  readonly #database
  readonly #namespace
  readonly #schema
  readonly #isSharded

  /** @param options.isSharded keeps each shard in its own namespace, for `listShard` */
  constructor(database: Database, namespace: string, schema: z.ZodType<T>, { isSharded = false } = {}) {
    this.#database = database
    this.#namespace = namespace
    this.#schema = schema
    this.#isSharded = isSharded
    database.kinds.add(namespace)
  }

  async get(tenant: TenantKey, id: string): Promise<T | undefined> {
    const stored = await this.#read(tenant, id)
    return stored?.record
  }

  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.scanAfter(tenant, ''))
  }

  async countMalformed(tenant: TenantKey): Promise<number> {
    const namespace = this.#getNamespace(tenant)
    const rows = await Array.fromAsync(this.#database.scan(namespace, `${tenant}/`))
    return rows.filter((row) => this.#parse(namespace, row) === undefined).length
  }

  listShard(shard: number): Promise<readonly T[]> {
    return Array.fromAsync(this.#scan(this.#toShardNamespace(shard)))
  }

  /** Not for sharded records. */
  scan(): AsyncGenerator<T, void> {
    return this.#scan(this.#namespace)
  }

  /** Yields the records after the one with the id, or all if it is empty. */
  scanAfter(tenant: TenantKey, id: string): AsyncGenerator<T, void> {
    return this.#scan(this.#getNamespace(tenant), `${tenant}/`, scopedKey(tenant, id))
  }

  /** Lets a subclass keep an index: `set` and `change` call it first, `change` maybe several times. `insert` doesn't call it. */
  protected beforeWrite?(record: T, before?: T): Promise<void>

  async set(tenant: TenantKey, id: string, record: T, ttlMs?: Milliseconds): Promise<void> {
    const row = this.#toRow(tenant, id, record, ttlMs)
    await this.beforeWrite?.(record)
    await this.#database.set(this.#getNamespace(tenant), row)
  }

  /** Returns false, and changes nothing, if the record exists. */
  insert(tenant: TenantKey, id: string, record: T, ttlMs: Milliseconds): Promise<boolean> {
    return this.#database.insert(this.#getNamespace(tenant), this.#toRow(tenant, id, record, ttlMs))
  }

  /** Calls `update` again if the record changed meanwhile. Returns `undefined` if there is no record, or no update. */
  async change(
    tenant: TenantKey,
    id: string,
    update: (record: T) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (;;) {
      const stored = await this.#read(tenant, id)
      if (!stored) return undefined
      const { namespace, key, value, record } = stored
      const changed = await update(record)
      if (!changed) return undefined
      await this.beforeWrite?.(changed, record)
      const isReplaced = await this.#database.replace(namespace, key, value, JSON.stringify(changed))
      if (isReplaced) return changed
    }
  }

  delete(tenant: TenantKey, id: string): Promise<boolean> {
    return this.#database.delete(this.#getNamespace(tenant), scopedKey(tenant, id))
  }

  async #read(tenant: TenantKey, id: string) {
    const namespace = this.#getNamespace(tenant)
    const key = scopedKey(tenant, id)
    const value = await this.#database.get(namespace, key)
    if (value === undefined) return undefined
    const record = this.#parse(namespace, { key, value })
    if (record === undefined) return undefined
    return { namespace, key, value, record }
  }

  #toRow(tenant: TenantKey, id: string, record: T, ttlMs: Milliseconds | undefined): Row {
    const expires = ttlMs === undefined ? undefined : this.#database.now() + ttlMs
    return { key: scopedKey(tenant, id), value: JSON.stringify(record), expires }
  }

  #getNamespace(tenant: TenantKey): string {
    if (this.#isSharded) return this.#toShardNamespace(getShard(tenant))
    return this.#namespace
  }

  #toShardNamespace(shard: number): string {
    return `${this.#namespace}-${shard}`
  }

  async *#scan(namespace: string, prefix = '', after = prefix): AsyncGenerator<T, void> {
    for await (const row of this.#database.scan(namespace, prefix, after)) {
      const record = this.#parse(namespace, row)
      if (record !== undefined) yield record
    }
  }

  #parse(namespace: string, { key, value }: Row): T | undefined {
    return this.#database.parse(this.#schema, { namespace, key }, value)
  }
}
