import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from '../../config/config.ts'
import { UnreadableRecordError } from '../errors.ts'
import type { Place } from './database.ts'

const nonceBytes = 12
const tagBytes = 16

// No namespace has a line break, so that no two places are written alike.
const placeText = ({ namespace, key }: Place) => `${namespace}\n${key}`

/**
 * AES-256-GCM: `v1.KEYID.BASE64URL(nonce, tag, ciphertext)`, bound to version, key id and row, so that a text which is
 * copied to another row is of no use there.
 */
export class Vault {
  readonly #current
  readonly #keys

  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#current = keys[0]
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  encrypt(text: string, place: Place): string {
    const head = `v1.${this.#current.id}.`
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#current.key, nonce)
    cipher.setAAD(Buffer.from(head + placeText(place)))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return head + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws {UnreadableRecordError} naming the key that is missing, or that the text is not what was written to this row */
  decrypt(text: string, place: Place): string {
    const match = /^(v1\.([\w-]+)\.)([\w-]+)$/.exec(text)
    const [, head = '', id = '', packed = ''] = match ?? []
    if (!match) throw new UnreadableRecordError('a record is not of the form that this version encrypts')
    const key = this.#keys.get(id)
    if (!key) throw new UnreadableRecordError(`a record needs the encryption key "${id}"`, id)
    try {
      const bytes = Buffer.from(packed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(head + placeText(place)))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    } catch (cause) {
      throw new UnreadableRecordError(`a record does not decrypt under the encryption key "${id}"`, id, {
        cause,
      })
    }
  }

  isCurrent(text: string): boolean {
    return /^v1\.([\w-]+)\./.exec(text)?.[1] === this.#current.id
  }
}
