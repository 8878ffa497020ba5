import { createSecretKey, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { EncryptionKey } from '../../src/config/config.ts'
import { Database, type Place } from '../../src/store/engine/database.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { Vault } from '../../src/store/engine/vault.ts'
import { UnreadableRecordError, UnusableStoreError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { isTenantKey, tenantKey } from '../../src/store/tenant.ts'
import { installationKey } from '../../src/store/workspaces.ts'
import { asADatabase } from './as-a-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'callboard-store-parts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const createKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) })
const log = { warn: () => {} }
let files = 0
const newPath = () => join(folder, `${files++}.sqlite`)

function openStore(path: string): Store {
  const store = new Store({ url: `sqlite:${path}`, encryptionKeys: [createKey('k1')], log })
  onTestFinished(() => store.close().catch(() => {}))
  return store
}

/** Writes to a database that a store created. */
function write(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

describe('SQLite', () => {
  it.each([
    ['a file', newPath()],
    ['memory', ':memory:'],
  ])('is a database: %s', async (_, path) => {
    const clock = { now: 1_800_000_000_000 }
    const database = new Database(new SqliteDriver(path), () => clock.now)
    await asADatabase(database, clock)
    await database.close()
  })

  it('refuses rows of a version that it does not know', async () => {
    const path = newPath()
    await openStore(path).close()
    write(path, "UPDATE callboard_store SET value = '2' WHERE namespace = 'version'")
    expect(() => openStore(path)).toThrow(UnusableStoreError)
    expect(() => openStore(path)).toThrow('The database holds rows of version 2')
  })

  it('restricts a file that others could read to its owner', () => {
    const path = newPath()
    writeFileSync(path, '')
    chmodSync(path, 0o644)
    openStore(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('fails after it was closed', async () => {
    const database = new Database(new SqliteDriver(newPath()), Date.now)
    await database.close()
    await expect(database.get('n', 'a')).rejects.toThrow('the store could not get')
  })

  it('can be used by one process at a time, and read by others', async () => {
    const path = newPath()
    const first = openStore(path)
    await first.open()
    const second = openStore(path)
    await expect(second.open()).rejects.toThrow(UnusableStoreError)
    await expect(second.open()).rejects.toThrow('Another process uses')
    const reader = new DatabaseSync(path, { readOnly: true })
    expect(reader.prepare('SELECT count(*) AS rows FROM callboard_store').get()).toMatchObject({ rows: 1 })
    reader.close()
    await first.close()
    await second.open()
  })

  it('can be used by one process at a time through a symbolic link, too', async () => {
    const [path, link] = [newPath(), newPath()]
    const first = openStore(path)
    await first.open()
    symlinkSync(path, link)
    await expect(openStore(link).open()).rejects.toThrow('Another process uses')
    await first.close()
    await openStore(link).open()
    await expect(openStore(path).open()).rejects.toThrow('Another process uses')
  })
})

describe('the vault', () => {
  const [one, two] = [createKey('one'), createKey('two')]
  const place = { namespace: 'n', key: '/T1' }
  type Attempt = readonly [text: string, place: Place, key: EncryptionKey]

  it('decrypts its own texts of a row with any of its keys', () => {
    const text = new Vault([one]).encrypt('secret', place)
    expect(text).toMatch(/^v1\.one\.[\w-]+$/)
    const vault = new Vault([two, one])
    expect(vault.decrypt(text, place)).toBe('secret')
    expect(vault.isCurrent(text)).toBe(false)
    const anew = vault.encrypt('secret', place)
    expect(vault.isCurrent(anew)).toBe(true)
    expect([vault.isCurrent(`x${anew}`), vault.isCurrent('v2')]).toEqual([false, false])
  })

  it.each<[string, (text: string) => Attempt, string]>([
    ['another key', (text) => [text, place, createKey('two')], 'needs the encryption key "one"'],
    ['another key of the same name', (text) => [text, place, createKey('one')], 'does not decrypt'],
    ['another row', (text) => [text, { ...place, key: '/T2' }, one], 'does not decrypt'],
    ['another namespace', (text) => [text, { ...place, namespace: 'm' }, one], 'does not decrypt'],
    ['another version', (text) => [text.replace('v1', 'v2'), place, one], 'not of the form'],
    ['something before it', (text) => [`x${text}`, place, one], 'not of the form'],
    ['something after it', (text) => [`${text}.`, place, one], 'not of the form'],
    ['nothing', () => ['', place, one], 'not of the form'],
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

  it('throws an error with the cause of a failed decryption', () => {
    const vault = new Vault([one])
    try {
      vault.decrypt(vault.encrypt('secret', place), { ...place, key: '' })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ cause: expect.any(Error) })
    }
  })
})

describe('names', () => {
  it('a tenant and an installation require a team or an organization', () => {
    expect(() => tenantKey({ teamId: '' })).toThrow(RangeError)
    expect([isTenantKey('/T1'), isTenantKey('/'), isTenantKey('')]).toEqual([true, false, false])
    expect(installationKey({ teamId: 'T1', enterpriseId: 'E1' })).toBe('team/T1')
    expect(installationKey({ teamId: '', enterpriseId: 'E1' })).toBe('organization/E1')
    expect(() => installationKey({ teamId: '', enterpriseId: undefined })).toThrow(RangeError)
  })
})

describe('the store', () => {
  const tenant = tenantKey({ teamId: 'T1' })
  const record = { key: 'k', secret: 's', connectedBy: 'U1', connectedAt: 1 }

  it('returns whether a record exists, and whether a key was claimed', async () => {
    const store = openStore(newPath())
    expect(await store.credentials.has(tenant)).toBe(false)
    await store.credentials.set(record, tenant)
    expect(await store.credentials.has(tenant)).toBe(true)
    expect(await store.isClaimed('post', '/T1/a')).toBe(false)
    await store.claim('post', '/T1/a', 1000)
    expect(await store.isClaimed('post', '/T1/a')).toBe(true)
    await store.releaseClaim('post', '/T1/a')
    expect(await store.isClaimed('post', '/T1/a')).toBe(false)
  })

  it('overwrites no concurrent change, and restores no deleted row', async () => {
    const path = newPath()
    const { watches } = openStore(path)
    const watch = { tenant: { enterpriseId: undefined, teamId: 'T1' }, since: 1, alerts: {} }
    await watches.set(tenant, 'w', watch)
    const seen: unknown[] = []
    const meanwhile = (value: unknown, sql: string) => {
      if (seen.push(value) % 2 === 1) write(path, `${sql} WHERE key LIKE '/T1%'`)
    }
    const another = `UPDATE callboard_store SET value = replace(value, '"since":1', '"since":5')`
    const changed = await watches.change(tenant, 'w', (before) => {
      meanwhile(before.since, another)
      return { ...before, account: 'k' }
    })
    expect(changed).toMatchObject({ since: 5, account: 'k' })
    expect(seen).toEqual([1, 5])
    expect(
      await watches.change(tenant, 'w', (before) => {
        write(path, 'DELETE FROM callboard_store')
        return before
      }),
    ).toBeUndefined()
    expect(await watches.get(tenant, 'w')).toBeUndefined()
  })

  it('limits the number of named channels', async () => {
    const { channelSettings } = openStore(newPath())
    for (const channel of ['C1', 'C2', 'C3']) await channelSettings.set({ zone: 'UTC' }, tenant, channel)
    expect(await channelSettings.names(tenant, 2)).toEqual(['C1', 'C2'])
    expect(await channelSettings.names(tenant, 9)).toEqual(['C1', 'C2', 'C3'])
  })

  it('deletes expired rows at start', async () => {
    const path = newPath()
    await openStore(path).ready()
    write(path, "INSERT INTO callboard_store VALUES ('n', 'a', '1', 1), ('n', 'b', '1', NULL)")
    openStore(path)
    const db = new DatabaseSync(path, { readOnly: true })
    const keys = db.prepare("SELECT key FROM callboard_store WHERE namespace = 'n'")
    await expect.poll(() => keys.all().map(({ key }) => key)).toEqual(['b'])
    db.close()
  })

  it("isn't ready if rows of a newer version appear", async () => {
    const path = newPath()
    const store = openStore(path)
    await store.ready()
    write(path, "UPDATE callboard_store SET value = '2' WHERE namespace = 'version'")
    await expect(store.ready()).rejects.toThrow(UnusableStoreError)
  })
})
