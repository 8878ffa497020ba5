import type { z } from 'zod'
import type { Milliseconds } from '../../util/units.ts'
import { scopedKey, type TenantKey } from '../tenant.ts'
import type { Database, Row } from './database.ts'
import type { RowParser } from './schema.ts'

export interface RowServices {
  readonly database: Database
  readonly parser: RowParser
}

/** A fixed number, whatever the number of tenants and of processes: each shard is one job, and one list in the store. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv: as even as is needed here. It must stay what it is. */
export function shardOf(tenant: TenantKey): number {
  let hashed = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hashed = Math.imul(hashed ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hashed % SHARDS
}

/**
 * Records that are listed in the order of their ids, or changed only as they were read: several for each tenant. Every
 * method @throws {StoreError}.
 */
export class TenantRows<T> {
  readonly #database
  readonly #parser
  readonly #namespace
  readonly #schema
  readonly #isSharded

  /** @param options.isSharded those of all tenants of a shard can be read at once */
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
    const [namespace, key] = [this.#namespaceOf(tenant), scopedKey(tenant, id)]
    const value = await this.#database.get(namespace, key)
    return value === undefined ? undefined : this.#parse(namespace, { key, value })
  }

  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.#records(this.#namespaceOf(tenant), `${tenant}/`))
  }

  /** How many of the tenant's are in no list, since they can't be read. */
  async countMalformed(tenant: TenantKey): Promise<number> {
    const namespace = this.#namespaceOf(tenant)
    let count = 0
    for await (const row of this.#database.scan(namespace, `${tenant}/`))
      if (this.#parse(namespace, row) === undefined) count += 1
    return count
  }

  inShard(shard: number): Promise<readonly T[]> {
    return Array.fromAsync(this.#records(this.#namespaceIn(shard)))
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  async *scan(prefix = ''): AsyncGenerator<T, void> {
    const namespaces = this.#isSharded
      ? Array.from({ length: SHARDS }, (_, shard) => this.#namespaceIn(shard))
      : [this.#namespace]
    for (const namespace of namespaces) yield* this.#records(namespace, prefix)
  }

  /** The tenant's with ids after `id`, in the order of their ids. */
  from(tenant: TenantKey, id: string): AsyncGenerator<T, void> {
    return this.#records(this.#namespaceOf(tenant), `${tenant}/`, scopedKey(tenant, id))
  }

  async set(tenant: TenantKey, id: string, record: T, keptForMs?: Milliseconds): Promise<void> {
    const expires = keptForMs === undefined ? undefined : this.#database.now() + keptForMs
    const row = { key: scopedKey(tenant, id), value: JSON.stringify(record), expires }
    await this.#database.set(this.#namespaceOf(tenant), row)
  }

  /**
   * Changes what is there, and nothing that another process changed in between: `change` is called again then. What it reads
   * itself is as new as the record that it is given.
   * @param change comes to `undefined` to leave it as it is
   * @returns what is there now, or `undefined` where it was left or there is none
   */
  async change(
    tenant: TenantKey,
    id: string,
    change: (record: T) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [namespace, key] = [this.#namespaceOf(tenant), scopedKey(tenant, id)]
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
    return this.#database.delete(this.#namespaceOf(tenant), scopedKey(tenant, id))
  }

  #namespaceOf(tenant: TenantKey): string {
    return this.#isSharded ? this.#namespaceIn(shardOf(tenant)) : this.#namespace
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
