import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { UnreadableRecordError } from '../errors.ts'
import type { Database } from './database.ts'
import type { Vault } from './vault.ts'

/** Records per turn of the event loop. */
const RECORDS_PER_TURN = 50

/** Records that are decrypted to find a wrong key that has the id of the right one. */
const DECRYPTED_RECORDS = 100

/** Encrypts records with the current key and counts those that can't be decrypted. */
export class KeyRotation {
  readonly #database
  readonly #vault
  readonly #log
  readonly #namespaces
  #undecryptable: ReadonlyMap<string, number> = new Map()
  #warned = ''

  constructor(
    { database, vault, log }: { database: Database; vault: Vault; log: Pick<Log, 'warn'> },
    namespaces: readonly string[],
  ) {
    this.#database = database
    this.#vault = vault
    this.#log = log
    this.#namespaces = namespaces
  }

  /** Number of undecryptable records at the last count, by the id of their key; `?` if they don't name one. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** Re-encrypts records that another key encrypted. @returns how many @throws {StoreError} */
  rotate(): Promise<number> {
    return this.#scan({ isRotating: true })
  }

  /** Counts undecryptable records again. @throws {StoreError} */
  async recount(): Promise<void> {
    await this.#scan({ isRotating: false })
  }

  /** True if the current key decrypts the first records: then it decrypts all of them. */
  async #isCurrentKeyRight(): Promise<boolean> {
    let decrypted = 0
    for (const namespace of this.#namespaces)
      for await (const { key, value } of this.#database.scan(namespace)) {
        if (!this.#vault.isCurrent(value)) continue
        try {
          this.#vault.decrypt(value, { namespace, key })
        } catch {
          return false
        }
        decrypted += 1
        if (decrypted === DECRYPTED_RECORDS) return true
      }
    return true
  }

  async #scan({ isRotating }: { isRotating: boolean }): Promise<number> {
    const counts = new Map<string, number>()
    let [scanned, rotated] = [0, 0]
    // Reading 10,000 records of the current key takes 26 MB.
    const skipsCurrent = await this.#isCurrentKeyRight()
    const { currentHead } = this.#vault
    for (const namespace of this.#namespaces)
      for await (const { key, value } of skipsCurrent
        ? this.#database.scanExcept(namespace, currentHead)
        : this.#database.scan(namespace)) {
        scanned += 1
        if (scanned % RECORDS_PER_TURN === 0) await nextTurn()
        const place = { namespace, key }
        try {
          const text = this.#vault.decrypt(value, place)
          if (!isRotating || this.#vault.isCurrent(value)) continue
          // Does nothing if the record was changed or deleted since it was read.
          const encrypted = this.#vault.encrypt(text, place)
          if (await this.#database.replace(namespace, key, value, encrypted)) rotated += 1
        } catch (error) {
          if (!(error instanceof UnreadableRecordError)) throw error
          const { keyId = '?' } = error
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
        }
      }
    this.#undecryptable = counts
    const undecryptable = Object.fromEntries(counts)
    const text = JSON.stringify(undecryptable)
    if (counts.size > 0 && text !== this.#warned)
      this.#log.warn({ undecryptable }, "records can't be decrypted: their workspaces have to connect again")
    this.#warned = text
    return rotated
  }
}
