import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from '../config/config.ts'
import { UndecryptableError } from './errors.ts'

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM for keyv's `encryption` hook: `v1.KEYID.BASE64URL(nonce, tag, ciphertext)`, bound to version and key id. The
 * hook isn't told which record it works on, so the text isn't bound to its row: whoever can write the table can swap two
 * rows, and gains nothing that a writer of the table has not got already.
 */
export class Vault {
  readonly #current
  readonly #prefix
  readonly #keys

  /** @param keys the first one encrypts */
  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#current = keys[0]
    this.#prefix = `v1.${keys[0].id}.`
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  encrypt(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#current.key, nonce).setAAD(Buffer.from(this.#prefix))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return this.#prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws {UndecryptableError} naming the key that is missing, or that the text was tampered with */
  decrypt(text: string): string {
    const match = /^(v1\.([\w-]+)\.)([\w-]+)$/.exec(text)
    const [, head = '', id = '', packed = ''] = match ?? []
    if (!match)
      throw new UndecryptableError('a record is not of the form that this version encrypts', undefined)
    const key = this.#keys.get(id)
    if (!key) throw new UndecryptableError(`a record needs the encryption key "${id}"`, id)
    try {
      const bytes = Buffer.from(packed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(head))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    } catch (cause) {
      throw new UndecryptableError(`a record does not decrypt under the encryption key "${id}"`, id, {
        cause,
      })
    }
  }

  /** Whether the text was encrypted under the first key. */
  isCurrent(text: string): boolean {
    return text.startsWith(this.#prefix)
  }
}
