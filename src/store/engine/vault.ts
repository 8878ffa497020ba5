import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from '../../config/config.ts'
import { UnreadableRecordError } from '../errors.ts'
import type { Database } from './database.ts'
import type { RowKey } from './sql.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

const ENCRYPTED = /^(?<prefix>v1\.(?<id>[\w-]+)\.)(?<base64>[\w-]+)$/

// Namespaces have no line break, so no two rows share this data.
const toAssociatedData = (prefix: string, { namespace, key }: RowKey) =>
  Buffer.from(`${prefix}${namespace}\n${key}`)

/** Writes `v1.KEYID.BASE64URL(nonce, tag, ciphertext)`, authenticated with its row so that it can't be copied to another. */
export class Vault {
  readonly #currentKey
  readonly #keys
  readonly #currentPrefix

  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    const [current] = keys
    this.#currentKey = current.key
    this.#currentPrefix = `v1.${current.id}.`
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  encrypt(text: string, row: RowKey): string {
    const prefix = this.#currentPrefix
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#currentKey, nonce)
    cipher.setAAD(toAssociatedData(prefix, row))
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return prefix + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
  }

  /** @throws {UnreadableRecordError} if the key is missing or the text wasn't written to this row */
  decrypt(text: string, row: RowKey): string {
    const { prefix, id, base64 } = ENCRYPTED.exec(text)?.groups ?? {}
    if (!prefix || !id || !base64)
      throw new UnreadableRecordError('a record is not of the form that this version encrypts')
    const key = this.#keys.get(id)
    if (!key) throw new UnreadableRecordError(`a record needs the encryption key "${id}"`)
    try {
      const bytes = Buffer.from(base64, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(toAssociatedData(prefix, row))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
    } catch (cause) {
      throw new UnreadableRecordError(`a record does not decrypt under the encryption key "${id}"`, { cause })
    }
  }

  tryDecrypt(text: string, row: RowKey): string | undefined {
    try {
      return this.decrypt(text, row)
    } catch (error) {
      if (error instanceof UnreadableRecordError) return undefined
      throw error
    }
  }

  usesCurrentKey(text: string): boolean {
    return text.startsWith(this.#currentPrefix)
  }
}

/** Records of the current key that are decrypted to check it: a wrong one may have its id. 10,000 would take 26 MB. */
const MAX_CHECKED_RECORDS = 100

/** Re-encrypts records of other keys. Returns their number, and the number of undecryptable records by key id. */
export async function rotateRecords(database: Database, vault: Vault, namespaces: readonly string[]) {
  const undecryptable = new Map<string, number>()
  let checked = 0
  let rotated = 0
  for (const namespace of namespaces) {
    for await (const { key, value } of database.scan(namespace)) {
      const usesCurrentKey = vault.usesCurrentKey(value)
      if (usesCurrentKey && checked >= MAX_CHECKED_RECORDS) continue
      const row = { namespace, key }
      const text = vault.tryDecrypt(value, row)
      if (text === undefined) {
        const keyId = ENCRYPTED.exec(value)?.groups?.['id'] ?? '?'
        undecryptable.set(keyId, (undecryptable.get(keyId) ?? 0) + 1)
      } else if (usesCurrentKey) {
        checked += 1
      } else {
        const isReplaced = await database.replace(namespace, key, value, vault.encrypt(text, row))
        if (isReplaced) rotated += 1
      }
    }
  }
  return { rotated, undecryptable }
}
