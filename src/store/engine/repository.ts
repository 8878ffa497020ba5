import Keyv, { KeyvBridgeAdapter } from 'keyv'
import { z } from 'zod'
import { type Cache, createCache } from '../../util/cache.ts'
import { StoreError, UnreadableRecordError } from '../errors.ts'
import { scopedKey, type TenantKey, unescapePart } from '../tenant.ts'
import type { ReadScope } from './database.ts'
import type { RowServices } from './rows.ts'
import type { Vault } from './vault.ts'

const MAX_CACHED = 20_000

/**
 * One namespace of the database as a store for keyv 6, with `{"value": …}` as the stored form. Each Keyv needs an adapter of
 * its own, because keyv writes its namespace onto its store. Encrypts here, because keyv's own hook doesn't know the key.
 * @throws {UnreadableRecordError} when a record exists but can't be decrypted or parsed
 */
export class KeyvAdapter<T> extends KeyvBridgeAdapter {
  constructor({ database, parser }: RowServices, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    const envelopeSchema = z.object({ value: schema })
    super({
      async get(key) {
        const place = { namespace, key }
        const stored = await database.get(namespace, key)
        if (stored === undefined) return undefined
        const text = vault ? vault.decrypt(stored, place) : stored
        const envelope = parser.parseJson(envelopeSchema, place, text)
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
      clear: () => database.clear(namespace),
    })
  }
}

/**
 * Records of one type, read and written by key: one per tenant, or per part of a tenant such as a channel. Every method
 * throws a `StoreError` if the database fails, and `get` an `UnreadableRecordError` if the record can't be read.
 */
export class Repository<T> {
  readonly namespace
  readonly #database
  readonly #keyv: Keyv<T>
  /** Records and absences that were read, if only this process writes: a command or click then executes no statement. */
  readonly #cache: Cache<{ readonly record: T | undefined }> | undefined
  /** Records that were read by interactions, if other processes write, too. */
  #reads = new WeakMap<ReadScope, Map<string, Promise<Readonly<T> | undefined>>>()
  #changes = 0

  /** @param vault encrypts every record */
  constructor(services: RowServices, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#database = services.database
    this.#cache = services.database.isShared ? undefined : createCache({ max: MAX_CACHED })
    this.#keyv = new Keyv({
      store: new KeyvAdapter(services, namespace, schema, vault),
      serialization: false,
      checkExpired: false,
    })
    // keyv returns `undefined` after a failed read unless this listener throws.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  async get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined> {
    const key = scopedKey(tenant, ...parts)
    const cached = this.#cache?.get(key)
    if (cached) return cached.record
    const scope = this.#database.readScope
    if (!scope) return this.#read(key)
    const reads = this.#reads.get(scope) ?? new Map<string, Promise<Readonly<T> | undefined>>()
    this.#reads.set(scope, reads)
    const read = reads.get(key) ?? this.#read(key)
    reads.set(key, read)
    return read
  }

  async #read(key: string): Promise<Readonly<T> | undefined> {
    const changes = this.#changes
    const record = await this.#keyv.get(key)
    // A record that changed during the read may be outdated.
    if (changes === this.#changes) this.#cache?.set(key, { record })
    return record
  }

  /** Whether there is a record, readable or not. */
  has(tenant: TenantKey): Promise<boolean> {
    return this.#keyv.has(tenant)
  }

  async set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    await this.#keyv.set(key, record).finally(() => this.#forget(key))
  }

  async delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    await this.#keyv.delete(key).finally(() => this.#forget(key))
  }

  forgetRead(): void {
    this.#changes += 1
    this.#reads = new WeakMap()
    this.#cache?.clear()
  }

  /** Returns the first `max` names of the tenant's parts that have a record, sorted. */
  async names(tenant: TenantKey, max = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const prefix = `${tenant}/`
    const names: string[] = []
    for await (const { key } of this.#database.scan(this.namespace, prefix)) {
      names.push(unescapePart(key.slice(prefix.length)))
      if (names.length >= max) break
    }
    return names
  }

  #forget(key: string): void {
    this.#changes += 1
    this.#reads = new WeakMap()
    this.#cache?.delete(key)
  }
}
