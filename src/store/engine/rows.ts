import type { z } from 'zod'
import type { Milliseconds } from '../../util/units.ts'
import { scopedKey, type TenantKey } from '../tenant.ts'
import type { Database, Row } from './database.ts'
import type { RowParser } from './schema.ts'

export interface RowServices {
  readonly database: Database
  readonly parser: RowParser
}

/** Number of shards for any number of tenants and processes: each shard is one job and one namespace. Never changes. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv. Stored rows depend on the result. */
export function getShard(tenant: TenantKey): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hash = Math.imul(hash ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hash % SHARDS
}

/**
 * Records of tenants that are listed, or changed conditionally: several per tenant, sorted by id. Fails closed: a record that can't be parsed is absent, so nothing is posted or sent for it; records here never grant access.
 * Every method throws a `StoreError` if the database fails.
 */
export class Rows<T> {
  readonly #database
  readonly #parser
  readonly #namespace
  readonly #schema
  readonly #isSharded

  /** @param options.isSharded keeps a namespace per shard, so that `inShard` reads the records of all its tenants at once */
  constructor(
    { database, parser }: RowServices,
    namespace: string,
    schema: z.ZodType<T>,
    { isSharded = false } = {},
  ) {
    this.#database = database
    this.#parser = parser
    this.#namespace = namespace
    this.#schema = schema
    this.#isSharded = isSharded
  }

  async get(tenant: TenantKey, id: string): Promise<T | undefined> {
    const [namespace, key] = [this.#getNamespace(tenant), scopedKey(tenant, id)]
    const value = await this.#database.get(namespace, key)
    return value === undefined ? undefined : this.#parse(namespace, { key, value })
  }

  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.from(tenant, ''))
  }

  /** Counts the tenant's records that lists leave out. */
  async countMalformed(tenant: TenantKey): Promise<number> {
    const namespace = this.#getNamespace(tenant)
    let count = 0
    for await (const row of this.#database.scan(namespace, `${tenant}/`))
      if (this.#parse(namespace, row) === undefined) count += 1
    return count
  }

  inShard(shard: number): Promise<readonly T[]> {
    return Array.fromAsync(this.#records(this.#namespaceIn(shard)))
  }

  /** Yields the records of all tenants, unless they are sharded. */
  scan(): AsyncGenerator<T, void> {
    return this.#records(this.#namespace)
  }

  /** Yields the tenant's records with ids after `id`, sorted by id. */
  from(tenant: TenantKey, id: string): AsyncGenerator<T, void> {
    return this.#records(this.#getNamespace(tenant), `${tenant}/`, scopedKey(tenant, id))
  }

  async set(tenant: TenantKey, id: string, record: T, ttlMs?: Milliseconds): Promise<void> {
    const expires = ttlMs === undefined ? undefined : this.#database.now() + ttlMs
    const row = { key: scopedKey(tenant, id), value: JSON.stringify(record), expires }
    await this.#database.set(this.#getNamespace(tenant), row)
  }

  /**
   * Changes a record unless another process changed it meanwhile, in which case `change` is called again with the new record.
   * @param change returns `undefined` to keep the record
   * @returns the changed record, or `undefined` if there is none or it was kept
   */
  async change(
    tenant: TenantKey,
    id: string,
    change: (record: T) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [namespace, key] = [this.#getNamespace(tenant), scopedKey(tenant, id)]
    for (;;) {
      const value = await this.#database.get(namespace, key)
      const record = value === undefined ? undefined : this.#parse(namespace, { key, value })
      if (value === undefined || record === undefined) return undefined
      const changed = await change(record)
      if (changed === undefined) return undefined
      if (await this.#database.replace(namespace, key, value, JSON.stringify(changed))) return changed
    }
  }

  delete(tenant: TenantKey, id: string): Promise<boolean> {
    return this.#database.delete(this.#getNamespace(tenant), scopedKey(tenant, id))
  }

  #getNamespace(tenant: TenantKey): string {
    return this.#isSharded ? this.#namespaceIn(getShard(tenant)) : this.#namespace
  }

  #namespaceIn(shard: number): string {
    return `${this.#namespace}-${shard}`
  }

  async *#records(namespace: string, prefix = '', after = prefix): AsyncGenerator<T, void> {
    for await (const row of this.#database.scan(namespace, prefix, after)) {
      const record = this.#parse(namespace, row)
      if (record !== undefined) yield record
    }
  }

  #parse(namespace: string, { key, value }: Row): T | undefined {
    return this.#parser.parseJson(this.#schema, { namespace, key }, value)
  }
}
