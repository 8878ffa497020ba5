import { BoundedMap } from '../util/bounded-map.ts'

interface Known<T> {
  readonly record: T | undefined
  readonly version: number
  readonly writes: number
}

/**
 * Records that were read before, for as long as nothing can have changed them: neither another connection (`version` of
 * the backend) nor this one. In use, a read that has to go through the database, the decryption and the schema takes a
 * tenth of what a whole interaction does, and each needs four.
 */
export class KnownRecords<T> {
  readonly #version: () => number | undefined
  readonly #known: BoundedMap<Known<T>>
  #writes = 0

  constructor(options: { version: () => number | undefined; now: () => number }) {
    this.#version = options.version
    this.#known = new BoundedMap({ max: 20_000, ttlMs: Number.POSITIVE_INFINITY, now: options.now })
  }

  /** What is known, or what `read` gives; a change while it reads keeps the result from being known. */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const version = this.#version()
    if (version === undefined) return read()
    const known = this.#known.get(key)
    if (known?.version === version && known.writes === this.#writes) return known.record
    const writes = this.#writes
    const record = await read()
    this.#known.set(key, { record, version, writes })
    return record
  }

  /** Wraps everything that changes a record: from its start to its end, nothing that was read before counts. */
  async changing(write: () => Promise<unknown>): Promise<void> {
    this.#writes += 1
    try {
      await write()
    } finally {
      this.#writes += 1
    }
  }
}
