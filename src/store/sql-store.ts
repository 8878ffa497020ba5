import {
  KeyvMemoryAdapter,
  type KeyvStorageCapability,
  type KeyvStorageEntry,
  keyvStorageCapability,
} from 'keyv'
import type { Backend } from './backend.ts'
import { orStoreError, StoreError } from './errors.ts'
import { rowsUnder } from './rows.ts'

/**
 * keyv 6's storage adapter over one namespace of a database. One for each Keyv: keyv writes its own namespace onto the
 * store that it is given, so two Keyvs over one store could read each other's records.
 */
export class SqlStore extends KeyvMemoryAdapter {
  readonly #backend: Backend
  readonly #name: string
  readonly #now: () => number

  constructor(backend: Backend, name: string, now: () => number) {
    super(new Map())
    this.#backend = backend
    this.#name = name
    this.#now = now
  }

  override get capabilities(): KeyvStorageCapability {
    return keyvStorageCapability(this)
  }

  // biome-ignore lint/suspicious/noExplicitAny: keyv leaves the type of a stored value to whoever reads it
  override async get(key: string): Promise<any> {
    return (await this.getMany([key]))[0]
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override async getMany(keys: string[]): Promise<any[]> {
    const rows = await this.#try('read', this.#backend.get(this.#name, keys, this.#now()))
    if (keys.length === 1) return [rows[0]?.value]
    const byKey = new Map(rows.map((row) => [row.key, row.value]))
    return keys.map((key) => byKey.get(key))
  }

  override async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    if (typeof value !== 'string') throw new StoreError('only text is stored')
    await this.#try('write', this.#backend.set(this.#name, { key, value, expires }))
    return true
  }

  override async setMany<Value>(entries: KeyvStorageEntry<Value>[]): Promise<boolean[]> {
    return Promise.all(entries.map(({ key, value, expires }) => this.set(key, value, expires)))
  }

  override async delete(key: string): Promise<boolean> {
    return (await this.deleteMany([key]))[0] ?? false
  }

  override async deleteMany(keys: string[]): Promise<boolean[]> {
    const gone = new Set(await this.#try('delete', this.#backend.delete(this.#name, keys)))
    return keys.map((key) => gone.has(key))
  }

  override async clear(): Promise<void> {
    await this.#try('clear', this.#backend.clear(this.#name))
  }

  override async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined
  }

  override async hasMany(keys: string[]): Promise<boolean[]> {
    return (await this.getMany(keys)).map((value) => value !== undefined)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override async *iterator(): AsyncGenerator<any, void> {
    try {
      const rows = rowsUnder(this.#backend, this.#name, '', this.#now())
      for await (const { key, value } of rows) yield [key, value]
    } catch (cause) {
      throw new StoreError(`could not list in "${this.#name}"`, { cause })
    }
  }

  override async disconnect(): Promise<void> {
    // The database serves other namespaces too: whoever opened it closes it.
  }

  #try<T>(what: string, work: Promise<T>): Promise<T> {
    return orStoreError(`${what} in "${this.#name}"`, work)
  }
}
