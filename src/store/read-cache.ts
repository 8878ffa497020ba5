const most = 20_000

/**
 * Records that were read before, for as long as nothing can have changed them: neither another connection (`version` of
 * the backend) nor this one. In use, a read that has to go through the database, the decryption and the schema takes a
 * tenth of what a whole interaction does, and each needs four.
 */
export class ReadCache<T> {
  readonly #currentVersion
  /**
   * Also those that are not there. All of them are of one version: whatever changes leaves none of them sure. No BoundedMap,
   * whose entries know their ends: there are four of these for each workspace in use.
   */
  readonly #records = new Map<string, T | undefined>()
  #version: number | undefined
  #writes = 0

  constructor(version: () => number | undefined) {
    this.#currentVersion = version
  }

  /** What is cached, or what `read` gives; a change while it reads keeps the result from being cached. @throws {StoreError} */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const version = this.#currentVersion()
    if (version === undefined) return read()
    if (version !== this.#version) this.#records.clear()
    this.#version = version
    const cached = this.#records.get(key)
    if (cached !== undefined || this.#records.has(key)) return cached
    const writes = this.#writes
    const record = await read()
    if (version === this.#version && writes === this.#writes) this.#keep(key, record)
    return record
  }

  /** Wraps everything that changes a record: from its start to its end, nothing that was read before counts. */
  async write(change: () => Promise<unknown>): Promise<void> {
    this.#forget()
    try {
      await change()
    } finally {
      this.#forget()
    }
  }

  #keep(key: string, record: T | undefined): void {
    const oldest = this.#records.size < most ? undefined : this.#records.keys().next().value
    if (oldest !== undefined) this.#records.delete(oldest)
    this.#records.set(key, record)
  }

  #forget(): void {
    this.#writes += 1
    this.#records.clear()
  }
}
