import {
  KeyvMemoryAdapter,
  type KeyvStorageCapability,
  type KeyvStorageEntry,
  keyvStorageCapability,
} from 'keyv'
import { type Backend, scan } from './backend.ts'
import { StoreError, wrapErrors } from './errors.ts'

/**
 * keyv 6's storage adapter over one namespace of a database. One for each Keyv: keyv writes its own namespace onto the
 * store that it is given, so two Keyvs over one store could read each other's records.
 */
export class KeyvAdapter extends KeyvMemoryAdapter {
  readonly #backend: Backend
  readonly #namespace: string

  constructor(backend: Backend, namespace: string) {
    super(new Map())
    this.#backend = backend
    this.#namespace = namespace
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
    const rows = await this.#wrap('read', this.#backend.get(this.#namespace, keys))
    if (keys.length === 1) return [rows[0]?.value]
    const byKey = new Map(rows.map((row) => [row.key, row.value]))
    return keys.map((key) => byKey.get(key))
  }

  override async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    if (typeof value !== 'string') throw new StoreError('only text is stored')
    await this.#wrap('write', this.#backend.set(this.#namespace, { key, value, expires }))
    return true
  }

  override async setMany<Value>(entries: KeyvStorageEntry<Value>[]): Promise<boolean[]> {
    return Promise.all(entries.map(({ key, value, expires }) => this.set(key, value, expires)))
  }

  override async delete(key: string): Promise<boolean> {
    return (await this.deleteMany([key]))[0] ?? false
  }

  override async deleteMany(keys: string[]): Promise<boolean[]> {
    const gone = new Set(await this.#wrap('delete', this.#backend.delete(this.#namespace, keys)))
    return keys.map((key) => gone.has(key))
  }

  override async clear(): Promise<void> {
    await this.#wrap('clear', this.#backend.clear(this.#namespace))
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
      const rows = scan(this.#backend, this.#namespace)
      for await (const { key, value } of rows) yield [key, value]
    } catch (cause) {
      throw new StoreError(`could not list in "${this.#namespace}"`, { cause })
    }
  }

  override async disconnect(): Promise<void> {
    // The database serves other namespaces too: whoever opened it closes it.
  }

  #wrap<T>(action: string, work: Promise<T>): Promise<T> {
    return wrapErrors(`${action} in "${this.#namespace}"`, work)
  }
}
