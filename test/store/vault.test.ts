import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { EncryptionKey } from '../../src/config/config.ts'
import type { RowKey } from '../../src/store/engine/sql.ts'
import { Vault } from '../../src/store/engine/vault.ts'
import { UnreadableRecordError } from '../../src/store/errors.ts'

const createKey = (id: string): EncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) })
const [one, two] = [createKey('one'), createKey('two')]
const place = { namespace: 'n', key: '/T1' }
type Attempt = readonly [text: string, place: RowKey, key: EncryptionKey]

it('decrypts its own texts of a row with any of its keys', () => {
  const text = new Vault([one]).encrypt('secret', place)
  expect(text).toMatch(/^v1\.one\.[\w-]+$/)
  const vault = new Vault([two, one])
  expect(vault.decrypt(text, place)).toBe('secret')
  expect(vault.usesCurrentKey(text)).toBe(false)
  const current = vault.encrypt('secret', place)
  const others = [`x${current}`, current.replace('two', 'two2'), 'v2']
  expect([current, ...others].filter((any) => vault.usesCurrentKey(any))).toEqual([current])
})

it.each<[string, (text: string) => Attempt, string]>([
  ['another key', (text) => [text, place, createKey('two')], 'needs the encryption key "one"'],
  ['another key of the same name', (text) => [text, place, createKey('one')], 'does not decrypt'],
  ['another row', (text) => [text, { ...place, key: '/T2' }, one], 'does not decrypt'],
  ['another namespace', (text) => [text, { ...place, namespace: 'm' }, one], 'does not decrypt'],
  ['another version', (text) => [text.replace('v1', 'v2'), place, one], 'not of the form'],
  ['something before it', (text) => [`x${text}`, place, one], 'not of the form'],
  ['something after it', (text) => [`${text}.`, place, one], 'not of the form'],
])('refuses %s', (_, change, words) => {
  const [text, where, key] = change(new Vault([one]).encrypt('secret', place))
  const decrypt = () => new Vault([key]).decrypt(text, where)
  expect(decrypt).toThrow(UnreadableRecordError)
  expect(decrypt).toThrow(words)
})

it('uses a new nonce for each text', () => {
  const vault = new Vault([one])
  const nonces = Array.from({ length: 1000 }, () => {
    const [, , packed = ''] = vault.encrypt('secret', place).split('.')
    return Buffer.from(packed, 'base64url').subarray(0, 12).toString('hex')
  })
  expect(new Set(nonces).size).toBe(1000)
})
