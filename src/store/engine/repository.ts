import Keyv, { KeyvBridgeAdapter } from 'keyv'
import { z } from 'zod'
import { BoundedMap } from '../../util/bounded-map.ts'
import { StoreError } from '../errors.ts'
import { scopedKey, type TenantKey, unescapePart } from '../tenant.ts'
import type { Database } from './database.ts'
import type { RowServices } from './tenant-rows.ts'
import type { Vault } from './vault.ts'

/** What a value is in the database, by the key of its row. keyv's own hook for encryption does not know the key. */
interface Codec {
  encode(text: string, key: string): string
  decode(text: string, key: string): string
}

const inTheClear: Codec = { encode: (text) => text, decode: (text) => text }

/**
 * One namespace of a database for keyv 6. One for each Keyv: keyv writes its own namespace onto the store that it is given,
 * so two Keyvs over one store could read each other's records.
 */
export class KeyvAdapter extends KeyvBridgeAdapter {
  constructor(database: Database, namespace: string, codec = inTheClear) {
    super({
      async get(key) {
        const text = await database.get(namespace, key)
        return text === undefined ? undefined : codec.decode(text, key)
      },
      set(key, value: unknown, ttl) {
        if (typeof value !== 'string') throw new StoreError('only text is stored')
        const expires = ttl && database.now() + ttl
        return database.set(namespace, { key, value: codec.encode(value, key), expires })
      },
      delete: (key) => database.delete(namespace, key),
      clear: () => database.clear(namespace),
      async *iterator() {
        for await (const { key, value } of database.scan(namespace)) yield [key, codec.decode(value, key)]
      },
    })
  }
}

const mostCached = 20_000

/**
 * Records of one type, one for each tenant, or for each thing of a tenant that `parts` names. Every method
 * @throws {StoreError} where the database fails or a record can't be decrypted: never to be taken for "nothing is there".
 */
export class Repository<T> {
  readonly namespace
  readonly #database
  readonly #parser
  readonly #inKeyv
  readonly #codec: Codec
  readonly #keyv: Keyv<unknown>
  /**
   * What was read before, also that there is none: where nobody but this process changes the database. A read through the
   * database, the decryption and the schema takes a tenth of what a whole interaction does, and each needs four.
   */
  readonly #cache: BoundedMap<{ readonly record: T | undefined }> | undefined
  /** What was begun to be read before a change is not cached after it. */
  #changes = 0

  /** @param vault with one, every value is encrypted */
  constructor({ database, parser }: RowServices, namespace: string, schema: z.ZodType<T>, vault?: Vault) {
    this.namespace = namespace
    this.#database = database
    this.#parser = parser
    this.#inKeyv = z.object({ value: schema })
    this.#codec = vault
      ? {
          encode: (text, key) => vault.encrypt(text, { namespace, key }),
          decode: (text, key) => vault.decrypt(text, { namespace, key }),
        }
      : inTheClear
    this.#cache = database.isShared ? undefined : new BoundedMap({ max: mostCached })
    this.#keyv = new Keyv({
      store: new KeyvAdapter(database, namespace, this.#codec),
      // The database leaves out what has expired.
      checkExpired: false,
    })
    // keyv turns a failed read into "not there", and emits `error`: this listener throws out of the call that failed.
    this.#keyv.on('error', (cause) => {
      throw cause instanceof StoreError ? cause : new StoreError(`keyv failed in "${namespace}"`, { cause })
    })
  }

  async get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined> {
    const key = scopedKey(tenant, ...parts)
    const cached = this.#cache?.get(key)
    if (cached) return cached.record
    const changes = this.#changes
    // keyv would throw where a row is no JSON.
    const text = await this.#database.get(this.namespace, key)
    const record = text === undefined ? undefined : this.#parse(key, text)
    if (changes === this.#changes) this.#cache?.set(key, { record })
    return record
  }

  /** Whether there is one, readable or not. */
  async has(tenant: TenantKey): Promise<boolean> {
    return (await this.#database.get(this.namespace, tenant)) !== undefined
  }

  set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    return this.#change(async () => void (await this.#keyv.set(key, record)), key)
  }

  /**
   * Changes what is there, and nothing that was changed or deleted in between: `change` is called again then.
   * @param change returns `undefined` to leave it as it is
   * @returns what is there now, or `undefined` where it was left or there is none
   * @throws {UndecryptableError}
   */
  async change(tenant: TenantKey, change: (record: T) => T | undefined): Promise<T | undefined> {
    for (;;) {
      const before = await this.#database.get(this.namespace, tenant)
      if (before === undefined) return undefined
      const record = this.#parse(tenant, before)
      const changed = record && change(record)
      if (changed === undefined) return undefined
      const after = this.#codec.encode(JSON.stringify({ value: changed }), tenant)
      const replace = () => this.#database.replace(this.namespace, tenant, before, after)
      if (await this.#change(replace, tenant)) return changed
    }
  }

  delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void> {
    const key = scopedKey(tenant, ...parts)
    return this.#change(async () => void (await this.#keyv.delete(key)), key)
  }

  forgetRead(): void {
    this.#changes += 1
    this.#cache?.deleteUnder('')
  }

  /** The names of the tenant's things that there are records of, in order, and no more of them than `atMost`. */
  async names(tenant: TenantKey, atMost = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const prefix = `${tenant}/`
    const names: string[] = []
    for await (const { key } of this.#database.scan(this.namespace, prefix)) {
      names.push(unescapePart(key.slice(prefix.length)))
      if (names.length >= atMost) break
    }
    return names
  }

  /** @throws {UndecryptableError} */
  #parse(key: string, text: string): T | undefined {
    const place = { namespace: this.namespace, key }
    return this.#parser.parseJson(this.#inKeyv, place, this.#codec.decode(text, key))?.value
  }

  /** From its start to its end, nothing that is read is cached. */
  async #change<R>(work: () => Promise<R>, key: string): Promise<R> {
    const forget = () => {
      this.#changes += 1
      this.#cache?.delete(key)
    }
    forget()
    try {
      return await work()
    } finally {
      forget()
    }
  }
}
