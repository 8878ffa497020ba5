import type { Log } from '../log.ts'
import type { Reencryption } from './repository.ts'

interface EncryptedRecords {
  readonly namespace: string
  reencrypt(): Promise<Reencryption>
}

/** Keeps every encrypted record under the first key, and knows which ones can't be read. */
export class EncryptionUpkeep {
  readonly #records
  readonly #log
  #undecryptable: ReadonlyMap<string, number> = new Map()
  #text = ''

  constructor(records: readonly EncryptedRecords[], log: Pick<Log, 'warn'>) {
    this.#records = records
    this.#log = log
  }

  /** By the id of the key that they are under, when they were last looked through. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** Encrypts anew what is under another key. @returns how many that were */
  async renew(): Promise<number> {
    const counts = new Map<string, number>()
    const found: string[] = []
    let rewritten = 0
    for (const records of this.#records) {
      const result = await records.reencrypt()
      rewritten += result.rewritten
      for (const [key, count] of result.undecryptable) {
        counts.set(key, (counts.get(key) ?? 0) + count)
        found.push(`${count} of "${records.namespace}" under the key "${key}"`)
      }
    }
    const text = found.join(', ')
    if (text !== '' && text !== this.#text)
      this.#log.warn(
        { undecryptable: found },
        "records can't be decrypted: their workspaces have to connect anew",
      )
    this.#text = text
    this.#undecryptable = counts
    return rewritten
  }
}
