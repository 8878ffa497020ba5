import Keyv from 'keyv'
import { z } from 'zod'
import { type Backend, scan } from './backend.ts'
import { StoreError } from './errors.ts'
import { type Generation, TenantDeletedError } from './generations.ts'
import { type Codec, KeyvAdapter, plain } from './keyv-adapter.ts'
import { ReadCache } from './read-cache.ts'
import { type Reencryption, reencryptRows } from './reencryption.ts'
import { parseRecord, parseRow } from './schema.ts'
import { scopedKey, type TenantKey, unescapePart } from './tenant.ts'
import type { Vault } from './vault.ts'

/** What keyv makes of a record. */
const keyvRow = z.object({ value: z.unknown() })
const toText = (record: unknown) => JSON.stringify({ value: record })

/** Records of one type, one for each tenant, or for each thing of a tenant that `parts` names. */
export class Records<T> {
  readonly namespace
  readonly #backend
  readonly #schema
  readonly vault
  readonly #codec: Codec
  readonly #keyv: Keyv<unknown>
  readonly #cache: ReadCache<T>

  /** @param vault with one, every value is encrypted */
  constructor(backend: Backend, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#backend = backend
    this.#schema = schema
    this.vault = vault
    this.#codec = vault
      ? {
          encode: (text, key) => vault.encrypt(text, { namespace, key }),
          decode: (text, key) => vault.decrypt(text, { namespace, key }),
        }
      : plain
    this.#cache = new ReadCache(() => backend.version())
    this.#keyv = new Keyv({
      store: new KeyvAdapter(backend, namespace, this.#codec),
      // The database leaves out what has expired.
      checkExpired: false,
    })
    // keyv turns a failed read into "not there", and only tells its listeners: this one throws out of the call that failed.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  /**
   * @throws {StoreError} where it can't be read: never to be taken for "nothing is there"
   * @throws {UndecryptableError}
   */
  get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined> {
    const key = scopedKey(tenant, ...parts)
    return this.#cache.get(key, () => this.#read(key))
  }

  /** Whether there is one, readable or not. @throws {StoreError} */
  async has(tenant: TenantKey, ...parts: readonly string[]): Promise<boolean> {
    return (await this.#backend.get(this.namespace, [scopedKey(tenant, ...parts)])).length > 0
  }

  set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    return this.#cache.write(() => this.#keyv.set(key, record))
  }

  /** Sets unless the tenant was deleted since. @throws {TenantDeletedError} where it was */
  setIn(generation: Generation, record: T, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(generation.key, ...parts)
    return this.#cache.write(async () => {
      const row = { key, value: this.#codec.encode(toText(record), key) }
      if (!(await this.#backend.setWhile(generation, this.namespace, row)))
        throw new TenantDeletedError(`the tenant of a record of "${this.namespace}" was deleted meanwhile`)
    })
  }

  /** Sets while the tenant has a record of `other`. @returns whether it has */
  async setWhileThereIs(
    other: { readonly namespace: string },
    record: T,
    tenant: TenantKey,
  ): Promise<boolean> {
    const guard = { namespace: other.namespace, key: tenant }
    const row = { key: tenant, value: this.#codec.encode(toText(record), tenant) }
    let isSet = false
    await this.#cache.write(async () => {
      isSet = await this.#backend.setWhile(guard, this.namespace, row)
    })
    return isSet
  }

  /**
   * Changes what is there, and nothing that was changed or deleted in between: `change` is called again then.
   * @param change returns `undefined` to leave it as it is
   * @returns what is there now: `undefined` for nothing
   */
  async change(tenant: TenantKey, change: (record: T) => T | undefined): Promise<T | undefined> {
    for (;;) {
      const [row] = await this.#backend.get(this.namespace, [tenant])
      if (!row) return undefined
      const record = this.#parse(row.value, tenant)
      const changed = change(record)
      if (changed === undefined) return record
      const value = this.#codec.encode(toText(changed), tenant)
      let isChanged = false
      await this.#cache.write(async () => {
        isChanged = await this.#backend.replace(this.namespace, tenant, row.value, value)
      })
      if (isChanged) return changed
    }
  }

  delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    return this.#cache.write(() => this.#keyv.delete(key))
  }

  /** What was read before counts no more: for rows that were changed below these records. */
  forgetRead(): Promise<void> {
    return this.#cache.write(async () => {})
  }

  /** The names of the tenant's things that there are records of, in order, and no more of them than `atMost`. */
  async names(tenant: TenantKey, atMost = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const prefix = `${tenant}/`
    const names: string[] = []
    for await (const { key } of scan(this.#backend, this.namespace, prefix)) {
      names.push(unescapePart(key.slice(prefix.length)))
      if (names.length >= atMost) break
    }
    return names
  }

  /** `reencryptRows`, for encrypted records. */
  async reencrypt(): Promise<Reencryption> {
    let result: Reencryption = { rewritten: 0, undecryptable: new Map() }
    await this.#cache.write(async () => {
      if (this.vault) result = await reencryptRows(this.#backend, this.namespace, this.vault)
    })
    return result
  }

  async #read(key: string): Promise<T | undefined> {
    const value = await this.#keyv.get(key)
    return value === undefined
      ? undefined
      : parseRecord(this.#schema, value, `a record of "${this.namespace}"`)
  }

  #parse(text: string, key: string): T {
    const what = `a record of "${this.namespace}"`
    return parseRecord(this.#schema, parseRow(keyvRow, this.#codec.decode(text, key), what).value, what)
  }
}
