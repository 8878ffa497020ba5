import { BoundedMap } from '../util/bounded-map.ts'

interface CacheEntry<T> {
  readonly record: T | undefined
  readonly version: number
  readonly writes: number
}

/**
 * Records that were read before, for as long as nothing can have changed them: neither another connection (`version` of
 * the backend) nor this one. In use, a read that has to go through the database, the decryption and the schema takes a
 * tenth of what a whole interaction does, and each needs four.
 */
export class ReadCache<T> {
  readonly #version
  readonly #entries = new BoundedMap<CacheEntry<T>>({ max: 20_000 })
  #writes = 0

  constructor(version: () => number | undefined) {
    this.#version = version
  }

  /** What is cached, or what `read` gives; a change while it reads keeps the result from being cached. @throws {StoreError} */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const version = this.#version()
    if (version === undefined) return read()
    const entry = this.#entries.get(key)
    if (entry?.version === version && entry.writes === this.#writes) return entry.record
    const writes = this.#writes
    const record = await read()
    this.#entries.set(key, { record, version, writes })
    return record
  }

  /** Wraps everything that changes a record: from its start to its end, nothing that was read before counts. */
  async write(change: () => Promise<unknown>): Promise<void> {
    this.#writes += 1
    try {
      await change()
    } finally {
      this.#writes += 1
    }
  }
}
