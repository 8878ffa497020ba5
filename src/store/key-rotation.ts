import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { UndecryptableError } from './errors.ts'
import type { Vault } from './vault.ts'

interface Services {
  readonly database: Database
  readonly vault: Vault
  readonly log: Pick<Log, 'warn'>
}

/** Keeps every encrypted record under the first key, and knows which ones can't be read. */
export class KeyRotation {
  readonly #services
  readonly #namespaces
  #undecryptable: ReadonlyMap<string, number> = new Map()
  #warned = ''

  constructor(services: Services, namespaces: readonly string[]) {
    this.#services = services
    this.#namespaces = namespaces
  }

  /** How many, by the id of the key that they are under, when they were last looked through: `?` where they name none. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** Encrypts anew what is under another key, and leaves what can't be read. @returns how many that were @throws {StoreError} */
  async run(): Promise<number> {
    const { database, vault, log } = this.#services
    const counts = new Map<string, number>()
    const found = new Map<string, number>()
    let rewritten = 0
    for (const namespace of this.#namespaces)
      for await (const { key, value } of database.scan(namespace)) {
        const place = { namespace, key }
        try {
          const text = vault.decrypt(value, place)
          if (vault.isCurrent(value)) continue
          // Not where it was changed or deleted since it was read.
          if (await database.replace(namespace, key, value, vault.encrypt(text, place))) rewritten += 1
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
      log.warn({ undecryptable }, "records can't be decrypted: their workspaces have to connect anew")
    this.#warned = undecryptable.join()
    this.#undecryptable = counts
    return rewritten
  }
}
