import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Reencryption } from './reencryption.ts'

/**
 * How long after the start records that are not bound to their row are left as they are: the version before can't read
 * those that are, and may be running beside this one while an upgrade is rolled out.
 */
const bindAfterMs: Milliseconds = 60 * 60_000

interface EncryptedRecords {
  readonly namespace: string
  reencrypt(options: { bind: boolean }): Promise<Reencryption>
}

/** Keeps every encrypted record under the first key and bound to its row, and knows which ones can't be read. */
export class EncryptionUpkeep {
  readonly #records
  readonly #options
  readonly #bindAfter
  #undecryptable: ReadonlyMap<string, number> = new Map()
  #text = ''

  constructor(records: readonly EncryptedRecords[], options: { log: Pick<Log, 'warn'>; now: () => EpochMs }) {
    this.#records = records
    this.#options = options
    this.#bindAfter = options.now() + bindAfterMs
  }

  /** By the id of the key that they are under, when they were last looked through. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** What is under another key now, and an hour after the start what is not bound. @returns how many that were */
  async renew(): Promise<number> {
    const { log, now } = this.#options
    const bind = now() >= this.#bindAfter
    const counts = new Map<string, number>()
    const found: string[] = []
    let rewritten = 0
    for (const records of this.#records) {
      const result = await records.reencrypt({ bind })
      rewritten += result.rewritten
      for (const [key, count] of result.undecryptable) {
        counts.set(key, (counts.get(key) ?? 0) + count)
        found.push(`${count} of "${records.namespace}" under the key "${key}"`)
      }
    }
    const text = found.join(', ')
    if (text !== '' && text !== this.#text)
      log.warn({ undecryptable: found }, "records can't be decrypted: their workspaces have to connect anew")
    this.#text = text
    this.#undecryptable = counts
    return rewritten
  }
}
