import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { UndecryptableError } from '../errors.ts'
import type { Database } from './database.ts'
import type { Vault } from './vault.ts'

/** Then whoever waits is answered: over SQLite, 10,000 records would hold the process for 0.4 s. */
const mostInOneTurn = 50

/** Keeps every encrypted record under the first key, and knows which ones can't be read. */
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

  /** How many, by the id of the key that they are under, when they were last looked through: `?` where they name none. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** Encrypts anew what is under another key, and leaves what can't be read. @returns how many that were @throws {StoreError} */
  async run(): Promise<number> {
    const counts = new Map<string, number>()
    const found = new Map<string, number>()
    let [read, rewritten] = [0, 0]
    for (const namespace of this.#namespaces)
      for await (const { key, value } of this.#database.scan(namespace)) {
        read += 1
        if (read % mostInOneTurn === 0) await nextTurn()
        const place = { namespace, key }
        try {
          const text = this.#vault.decrypt(value, place)
          if (this.#vault.isCurrent(value)) continue
          // Not where it was changed or deleted since it was read.
          const anew = this.#vault.encrypt(text, place)
          if (await this.#database.replace(namespace, key, value, anew)) rewritten += 1
        } catch (error) {
          if (!(error instanceof UndecryptableError)) throw error
          const { keyId = '?' } = error
          const what = `of "${namespace}" under the key "${keyId}"`
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
          found.set(what, (found.get(what) ?? 0) + 1)
        }
      }
    const undecryptable = [...found].map(([what, count]) => `${count} ${what}`)
    if (undecryptable.length > 0 && undecryptable.join() !== this.#warned)
      this.#log.warn({ undecryptable }, "records can't be decrypted: their workspaces have to connect anew")
    this.#warned = undecryptable.join()
    this.#undecryptable = counts
    return rewritten
  }
}
