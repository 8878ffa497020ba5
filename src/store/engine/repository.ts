import Keyv, { KeyvBridgeAdapter } from 'keyv'
import { z } from 'zod'
import { StoreError, UnreadableRecordError } from '../errors.ts'
import { isTenantKey, scopedKey, type TenantKey } from '../tenant.ts'
import type { Database } from './database.ts'
import type { Vault } from './vault.ts'

/**
 * Each Keyv needs its own adapter, because keyv writes its namespace onto its store. Encrypts here, because keyv's own hook
 * doesn't know the key. `get` throws an `UnreadableRecordError` for a record that can't be decrypted or parsed.
 */
function createAdapter(database: Database, namespace: string, schema: z.ZodType, vault?: Vault) {
  const envelopeSchema = z.object({ value: schema })
  return new KeyvBridgeAdapter({
    async get(key) {
      const rowKey = { namespace, key }
      const stored = await database.get(namespace, key)
      if (stored === undefined) return undefined
      const text = vault ? vault.decrypt(stored, rowKey) : stored
      const envelope = database.parse(envelopeSchema, rowKey, text)
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

/** In progress or done. Resolves to `undefined` if there is no record. */
type Read<T> = Promise<Readonly<T> | undefined>

/** By key. */
type Reads<T> = Map<string, Read<T>>

/** Shared by all records that don't exist, which are most reads. */
const noRecord = Promise.resolve(undefined)

/** At this many reads, all are forgotten: a cache that drops the oldest takes twice the memory. */
const MAX_PROCESS_READS = 20_000

/** One record per tenant, or per part such as a channel. Methods throw `StoreError`, and `get` `UnreadableRecordError` too. */
export class Repository<T> {
  readonly namespace
  readonly #database
  readonly #keyv: Keyv<T>
  /** Shared by all interactions, so that most need no statement. Undefined if other processes may write. */
  #processReads: Reads<T> | undefined
  /** By interaction: used if other processes may write. */
  #interactionReads = new WeakMap<object, Reads<T>>()

  constructor(database: Database, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#database = database
    database.kinds.add(namespace)
    this.forgetReads()
    const store = createAdapter(database, namespace, schema, vault)
    this.#keyv = new Keyv({ store, serialization: false, checkExpired: false })
    // keyv returns `undefined` after a failed read unless this listener throws.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  get(tenant: TenantKey, ...parts: readonly string[]): Read<T> {
    const key = scopedKey(tenant, ...parts)
    if (this.#processReads?.size === MAX_PROCESS_READS) this.forgetReads()
    const reads = this.#processReads ?? this.#findInteractionReads()
    const sharedRead = reads?.get(key)
    if (sharedRead) return sharedRead
    const read = this.#keyv.get(key)
    reads?.set(key, read)
    const shareMissing = (record: Readonly<T> | undefined) => {
      if (record === undefined) reads?.set(key, noRecord)
    }
    read.then(shareMissing, () => reads?.delete(key))
    return read
  }

  /** Returns `true` for an unreadable record too. */
  has(tenant: TenantKey): Promise<boolean> {
    return this.#keyv.has(tenant)
  }

  async set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    await this.#keyv.set(scopedKey(tenant, ...parts), record).finally(() => this.forgetReads())
  }

  async delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    await this.#keyv.delete(scopedKey(tenant, ...parts)).finally(() => this.forgetReads())
  }

  /** Also forgets the reads that are still running. */
  forgetReads(): void {
    this.#processReads = this.#database.isShared ? undefined : new Map()
    this.#interactionReads = new WeakMap()
  }

  /** Returns the tenants that have a record, unreadable ones too. */
  async *tenants(): AsyncGenerator<TenantKey, void> {
    for await (const { key } of this.#database.scan(this.namespace)) if (isTenantKey(key)) yield key
  }

  #findInteractionReads(): Reads<T> | undefined {
    const { interaction } = this.#database
    if (!interaction) return undefined
    const existing = this.#interactionReads.get(interaction)
    if (existing) return existing
    const reads: Reads<T> = new Map()
    this.#interactionReads.set(interaction, reads)
    return reads
  }
}
