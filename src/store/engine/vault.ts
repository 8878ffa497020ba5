import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from '../../config/config.ts'
import { UnreadableRecordError } from '../errors.ts'
import type { Place } from './database.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

// Namespaces have no line break, so the texts of two places differ.
const toAssociatedText = ({ namespace, key }: Place) => `${namespace}\n${key}`

/**
 * Encrypts with AES-256-GCM: `v1.KEYID.BASE64URL(nonce, tag, ciphertext)`. Version, key id and row are authenticated, so a
 * ciphertext that is copied to another row can't be decrypted there.
 */
export class Vault {
  readonly #current
  readonly #keys
  /** Start of every text that the current key encrypts. */
  readonly currentHead

  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#current = keys[0]
    this.currentHead = `v1.${keys[0].id}.`
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  encrypt(text: string, place: Place): string {
    const head = this.currentHead
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#current.key, nonce)
    cipher.setAAD(Buffer.from(head + toAssociatedText(place)))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return head + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws {UnreadableRecordError} if the key is missing or the text wasn't written to this row */
  decrypt(text: string, place: Place): string {
    const match = /^(v1\.([\w-]+)\.)([\w-]+)$/.exec(text)
    const [, head = '', id = '', packed = ''] = match ?? []
    if (!match) throw new UnreadableRecordError('a record is not of the form that this version encrypts')
    const key = this.#keys.get(id)
    if (!key) throw new UnreadableRecordError(`a record needs the encryption key "${id}"`, id)
    try {
      const bytes = Buffer.from(packed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(head + toAssociatedText(place)))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    } catch (cause) {
      throw new UnreadableRecordError(`a record does not decrypt under the encryption key "${id}"`, id, {
        cause,
      })
    }
  }

  isCurrent(text: string): boolean {
    return text.startsWith(this.currentHead)
  }
}
