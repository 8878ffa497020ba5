import Keyv from 'keyv'
import type { z } from 'zod'
import { type Backend, scan } from './backend.ts'
import { StoreError } from './errors.ts'
import { KeyvAdapter } from './keyv-adapter.ts'
import { ReadCache } from './read-cache.ts'
import { parseRecord } from './schema.ts'
import { scopedKey, type TenantKey, unescapePart } from './tenant.ts'
import type { Vault } from './vault.ts'

/** Records of one type, one for each tenant, or for each thing of a tenant that `parts` names. */
export class Records<T> {
  readonly namespace
  readonly #backend
  readonly #schema
  readonly #vault
  readonly #keyv: Keyv<unknown>
  readonly #cache: ReadCache<T>

  /** @param vault with one, every value is encrypted */
  constructor(backend: Backend, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#backend = backend
    this.#schema = schema
    this.#vault = vault
    this.#cache = new ReadCache(() => backend.version())
    this.#keyv = new Keyv({
      store: new KeyvAdapter(backend, namespace),
      // The database leaves out what has expired.
      checkExpired: false,
      ...(vault ? { encryption: vault } : {}),
    })
    // keyv turns a failed read into "not there", and only tells its listeners: this one throws out of the call that failed.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  /** @throws {StoreError} where it can't be read: never to be taken for "nothing is there" */
  get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined> {
    const key = scopedKey(tenant, ...parts)
    return this.#cache.get(key, () => this.#read(key))
  }

  set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    return this.#cache.write(() => this.#keyv.set(scopedKey(tenant, ...parts), record))
  }

  delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    return this.#cache.write(() => this.#keyv.delete(scopedKey(tenant, ...parts)))
  }

  /** Deletes the tenant's record and those of everything that belongs to it. */
  deleteAll(tenant: TenantKey): Promise<void> {
    return this.#cache.write(() =>
      Promise.all([
        this.#backend.delete(this.namespace, [tenant]),
        this.#backend.clear(this.namespace, `${tenant}/`),
      ]),
    )
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

  /** Encrypts anew what is not under the vault's first key; how many records that were. */
  async reencrypt(): Promise<number> {
    let count = 0
    for await (const { key, value } of scan(this.#backend, this.namespace)) {
      if (!this.#vault || this.#vault.isCurrent(value)) continue
      const record = await this.#keyv.get(key)
      if (record !== undefined) await this.#keyv.set(key, record)
      count += 1
    }
    return count
  }

  async #read(key: string): Promise<T | undefined> {
    const value = await this.#keyv.get(key)
    return value === undefined
      ? undefined
      : parseRecord(this.#schema, value, `a record of "${this.namespace}"`)
  }
}
