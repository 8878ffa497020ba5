import Keyv, { KeyvBridgeAdapter } from 'keyv'
import { z } from 'zod'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'
import { StoreError, UnreadableRecordError } from '../errors.ts'
import { scopedKey, type TenantKey, unescapePart } from '../tenant.ts'
import type { Database, Row } from './database.ts'
import type { Vault } from './vault.ts'

/**
 * Makes one namespace of the database a store for keyv 6, with `{"value": …}` as the stored form. Each Keyv needs an adapter
 * of its own, because keyv writes its namespace onto its store. Encrypts here, because keyv's own hook doesn't know the key.
 * `get` throws an `UnreadableRecordError` when a record exists but can't be decrypted or parsed.
 */
export function createAdapter(database: Database, namespace: string, schema: z.ZodType, vault?: Vault) {
  const envelopeSchema = z.object({ value: schema })
  return new KeyvBridgeAdapter({
    async get(key) {
      const place = { namespace, key }
      const stored = await database.get(namespace, key)
      if (stored === undefined) return undefined
      const text = vault ? vault.decrypt(stored, place) : stored
      const envelope = database.parse(envelopeSchema, place, text)
      if (!envelope) throw new UnreadableRecordError(`a record of "${namespace}" is malformed`)
      return envelope
    },
    async set(key, envelope: unknown) {
      const text = JSON.stringify(envelope)
      const value = vault ? vault.encrypt(text, { namespace, key }) : text
      await database.set(namespace, { key, value })
    },
    has: async (key) => (await database.get(namespace, key)) !== undefined,
    delete: (key) => database.delete(namespace, key),
    clear: () => Promise.reject(new Error('records are deleted one by one')),
  })
}

/** If only this process writes, a command or click then executes no statement. */
const cacheOfProcess = { max: 20_000 }
/** Reads again after 5 s, because an interaction may leave something running behind. */
const cacheOfInteractions = { max: 1000, ttlMs: 5000 }

/**
 * Records that are read and written by key: one per tenant, or per part of a tenant such as a channel. Every method throws a
 * `StoreError` if the database fails, and `get` an `UnreadableRecordError` if the record can't be read.
 */
export class Repository<T> {
  readonly namespace
  readonly #database
  readonly #keyv: Keyv<T>
  /** Records and absences. A read that begins before a change and ends after it isn't here any more. */
  readonly #reads: Cache<Promise<Readonly<T> | undefined>>

  /** @param vault encrypts every record */
  constructor(database: Database, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#database = database
    this.#reads = createCache(database.isShared ? cacheOfInteractions : cacheOfProcess)
    const store = createAdapter(database, namespace, schema, vault)
    this.#keyv = new Keyv({ store, serialization: false, checkExpired: false })
    // keyv returns `undefined` after a failed read unless this listener throws.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined> {
    const key = scopedKey(tenant, ...parts)
    const scope = this.#database.cacheScope
    if (scope === undefined) return this.#keyv.get(key)
    const cacheKey = `${scope} ${key}`
    const cached = this.#reads.get(cacheKey)
    if (cached) return cached
    const read = this.#keyv.get(key)
    this.#reads.set(cacheKey, read)
    read.catch(() => this.#reads.delete(cacheKey))
    return read
  }

  /** Whether there is a record, readable or not. */
  has(tenant: TenantKey): Promise<boolean> {
    return this.#keyv.has(tenant)
  }

  async set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    await this.#keyv.set(scopedKey(tenant, ...parts), record).finally(() => this.forgetReads())
  }

  async delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    await this.#keyv.delete(scopedKey(tenant, ...parts)).finally(() => this.forgetReads())
  }

  forgetReads(): void {
    this.#reads.clear()
  }

  /** Returns the first `max` names of the tenant's parts that have a record, sorted. */
  async names(tenant: TenantKey, max: number): Promise<readonly string[]> {
    const prefix = `${tenant}/`
    const names: string[] = []
    for await (const { key } of this.#database.scan(this.namespace, prefix))
      if (names.push(unescapePart(key.slice(prefix.length))) >= max) break
    return names
  }
}

/** Each shard is one job and one namespace, for any number of tenants and processes. Never changes. */
export const SHARDS = 64

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv. Stored rows depend on the result. */
export function getShard(tenant: TenantKey): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < tenant.length; at += 1)
    hash = Math.imul(hash ^ tenant.charCodeAt(at), 0x01000193) >>> 0
  return hash % SHARDS
}

/**
 * Records that are listed or changed conditionally: several per tenant, sorted by id. Every method throws a `StoreError` if
 * the database fails. A record that can't be parsed is absent, so nothing is posted for it; none of them grants access.
 */
export class Rows<T> {
  readonly #database
  readonly #namespace
  readonly #schema
  readonly #isSharded

  /** @param options.isSharded keeps a namespace per shard, so that `inShard` reads the records of all its tenants at once */
  constructor(database: Database, namespace: string, schema: z.ZodType<T>, { isSharded = false } = {}) {
    this.#database = database
    this.#namespace = namespace
    this.#schema = schema
    this.#isSharded = isSharded
  }

  async get(tenant: TenantKey, id: string): Promise<T | undefined> {
    return (await this.#read(tenant, id))?.record
  }

  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.from(tenant, ''))
  }

  /** Counts the tenant's records that lists leave out. */
  async countMalformed(tenant: TenantKey): Promise<number> {
    const namespace = this.#getNamespace(tenant)
    const rows = await Array.fromAsync(this.#database.scan(namespace, `${tenant}/`))
    return rows.filter((row) => this.#parse(namespace, row) === undefined).length
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

  /** Called before a record is written, to keep an index of the records. */
  protected beforeWrite?(record: T, before?: T): Promise<void>

  async set(tenant: TenantKey, id: string, record: T, ttlMs?: Milliseconds): Promise<void> {
    const expires = ttlMs === undefined ? undefined : this.#database.now() + ttlMs
    const row = { key: scopedKey(tenant, id), value: JSON.stringify(record), expires }
    await this.beforeWrite?.(record)
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
    for (;;) {
      const read = await this.#read(tenant, id)
      const changed = read && (await change(read.record))
      if (!changed) return undefined
      await this.beforeWrite?.(changed, read.record)
      const { namespace, key, value } = read
      if (await this.#database.replace(namespace, key, value, JSON.stringify(changed))) return changed
    }
  }

  delete(tenant: TenantKey, id: string): Promise<boolean> {
    return this.#database.delete(this.#getNamespace(tenant), scopedKey(tenant, id))
  }

  async #read(tenant: TenantKey, id: string) {
    const [namespace, key] = [this.#getNamespace(tenant), scopedKey(tenant, id)]
    const value = await this.#database.get(namespace, key)
    const record = value === undefined ? undefined : this.#parse(namespace, { key, value })
    return value === undefined || record === undefined ? undefined : { namespace, key, value, record }
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
    return this.#database.parse(this.#schema, { namespace, key }, value)
  }
}
