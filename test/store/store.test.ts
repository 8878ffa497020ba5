import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { EncryptionKey } from '../../src/config/config.ts'
import { Database } from '../../src/store/engine/database.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { StoreError, UndecryptableError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { scopedKey, tenantKey } from '../../src/store/tenant.ts'
import { likeAMap } from './like-a-map.ts'

const folder = mkdtempSync(join(tmpdir(), 'callboard-store-'))
const log = { warn: () => {}, error: () => {} }
const newKey = (id: string): EncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) })
const tenant = tenantKey({ enterpriseId: undefined, teamId: 'T1' })
const record = { key: 'a key', secret: 'a secret', connectedBy: 'U1', connectedAt: 1 }
const open: Store[] = []
let files = 0
const newUrl = () => `sqlite:${join(folder, `sub${files++}`, 'store.sqlite')}`

function openAt(url: string, keys: [EncryptionKey, ...EncryptionKey[]], now?: () => number): Store {
  const store = new Store({ url, encryptionKeys: keys, log, ...(now ? { now } : {}) })
  open.push(store)
  return store
}

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the store', () => {
  it('keeps records of one tenant from another, in a file of its owner alone', async () => {
    const url = newUrl()
    const store = openAt(url, [newKey('k1')])
    await store.credentials.set(record, tenant)
    expect(await store.credentials.get(tenant)).toEqual(record)
    expect(await store.credentials.get(tenantKey({ enterpriseId: undefined, teamId: 'T12' }))).toBeUndefined()
    const path = url.slice('sqlite:'.length)
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    await store.credentials.delete(tenant)
    expect(await store.credentials.get(tenant)).toBeUndefined()
  })

  it('turns to a new key and says which one is missing', async () => {
    const url = newUrl()
    const [old, next] = [newKey('old'), newKey('next')]
    await openAt(url, [old]).credentials.set(record, tenant)
    await expect(openAt(url, [next]).credentials.get(tenant)).rejects.toThrow('"old"')
    const both = openAt(url, [next, old])
    expect(await both.credentials.get(tenant)).toEqual(record)
    expect(await both.keyRotation.run()).toBe(1)
    expect(await both.keyRotation.run()).toBe(0)
    expect(await openAt(url, [next]).credentials.get(tenant)).toEqual(record)
  })

  it('lets others take their turn while it looks through many records for those under an old key', async () => {
    const store = openAt(newUrl(), [newKey('k1')])
    for (let n = 0; n < 60; n += 1) await store.credentials.set(record, tenantKey({ teamId: `T${n}` }))
    const order: string[] = []
    setImmediate(() => order.push('another one'))
    await store.keyRotation.run()
    expect([...order, 'the end']).toEqual(['another one', 'the end'])
  })

  it('never takes a failed or tampered read for nothing', async () => {
    const url = newUrl()
    const key = newKey('k1')
    const store = openAt(url, [key])
    await store.credentials.set(record, tenant)
    const database = new Database(new SqliteDriver(url.slice('sqlite:'.length)), Date.now)
    const text = await database.get('credentials', tenant)
    await database.set('credentials', { key: tenant, value: `${text?.slice(0, -4)}AAAA` })
    await expect(store.credentials.get(tenant)).rejects.toThrow(UndecryptableError)
    await database.close()
    await store.close()
    open.splice(0)
    await expect(store.workspaceSettings.get(tenant)).rejects.toThrow(StoreError)
    await expect(store.workspaceSettings.set({}, tenant)).rejects.toThrow(StoreError)
  })

  it('counts a malformed row as absent wherever it is read, names it in the log once, and writes over it', async () => {
    const lines: unknown[] = []
    const url = newUrl()
    const store = new Store({
      url,
      encryptionKeys: [newKey('k1')],
      log: { warn: (line: unknown) => lines.push(line) },
    })
    open.push(store)
    const database = new Database(new SqliteDriver(url.slice('sqlite:'.length)), Date.now)
    await database.set('channel-settings', { key: tenant, value: '{"value":{"zone":7}}' })
    await database.set('exports', { key: scopedKey(tenant, 'a'), value: 'no JSON' })
    await database.close()
    expect(await store.channelSettings.get(tenant)).toBeUndefined()
    expect(await store.channelSettings.change(tenant, () => ({ zone: 'UTC' }))).toBeUndefined()
    expect(await store.exports.get(tenant, 'a')).toBeUndefined()
    expect(await store.exports.all(tenant)).toEqual([])
    expect(lines).toMatchObject([
      { namespace: 'channel-settings', row: tenant },
      { namespace: 'exports', row: scopedKey(tenant, 'a') },
    ])
    await store.channelSettings.set({ zone: 'UTC' }, tenant)
    expect(await store.channelSettings.get(tenant)).toEqual({ zone: 'UTC' })
  })

  it('lets one of many claim, until it runs out', async () => {
    let now = 1000
    const url = newUrl()
    const stores = [1, 2, 3, 4].map(() => openAt(url, [newKey('k1')], () => now))
    const wins = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        stores.map((store) => store.claims.claim('post', `${n}`, 50)),
      ).flat(),
    )
    expect(wins.filter(Boolean)).toHaveLength(300)
    now += 50
    expect(await stores[0]!.claims.claim('post', '7', 50)).toBe(true)
  })
})

const part = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', ':'), maxLength: 6 })

describe('keys', () => {
  it('differ where anything differs but the organisation', () => {
    const names = fc.record({
      enterprise: fc.option(part, { nil: undefined }),
      team: part,
      more: fc.array(part, { maxLength: 3 }),
    })
    type Names = { enterprise: string | undefined; team: string; more: string[] }
    const keyOf = ({ enterprise, team, more }: Names) =>
      scopedKey(tenantKey({ enterpriseId: enterprise, teamId: `T${team}` }), ...more)
    fc.assert(
      fc.property(names, names, (a, b) => {
        const isSame = JSON.stringify([a.team, a.more]) === JSON.stringify([b.team, b.more])
        expect(keyOf(a) === keyOf(b)).toBe(isSame)
        expect(keyOf({ ...a, enterprise: b.enterprise })).toBe(keyOf(a))
      }),
    )
  })
})

describe('KeyvAdapter under keyv', () => {
  it("does what keyv's own Map does", async () => {
    const database = new Database(new SqliteDriver(':memory:'), Date.now)
    await likeAMap(database)
    await database.close()
  })
})

it('what was read before is read again after a change', async () => {
  const store = openAt(newUrl(), [newKey('k1')])
  expect(await store.credentials.get(tenant)).toBeUndefined()
  for (let n = 0; n < 20; n += 1) {
    const writing = store.credentials.set({ ...record, connectedAt: n }, tenant)
    const meanwhile = store.credentials.get(tenant)
    await writing
    await meanwhile
    expect(await store.credentials.get(tenant)).toEqual({ ...record, connectedAt: n })
  }
  await store.credentials.change(tenant, (before) => ({ ...before, connectedAt: 99 }))
  expect((await store.credentials.get(tenant))?.connectedAt).toBe(99)
  expect(await store.credentials.change(tenant, () => undefined)).toBeUndefined()
  await store.deleteTenant(tenant)
  expect(await store.credentials.get(tenant)).toBeUndefined()
})

describe('the audit trail', () => {
  const dayMs = 24 * 60 * 60_000
  const entryAt = (at: number) => ({ at, who: 'U1', what: 'time zone' })

  it("keeps everything for a year and 500 of each room, whoever adds them, and another room's never counts", async () => {
    const url = newUrl()
    const key = newKey('k1')
    const stores = [openAt(url, [key]), openAt(url, [key])]
    const [one, two] = stores.map(({ audit }) => audit)
    if (!one || !two) throw new Error('unreachable')
    const other = tenantKey({ enterpriseId: undefined, teamId: 'T12' })
    await one.add(other, entryAt(1), 'others')
    await one.add(tenant, entryAt(0), 'admins')
    // As many of each process as are between two looks at what is too old.
    for (let n = 1; n <= 600; n++) await (n % 2 === 0 ? one : two).add(tenant, entryAt(n), 'others')
    const everything = await two.latest(tenant, { limit: 1000 })
    expect(everything.map(({ at }) => at)).toEqual(Array.from({ length: 601 }, (_, n) => 600 - n))
    expect(await two.latest(tenant, { skip: 100, limit: 2 })).toEqual([entryAt(500), entryAt(499)])

    await one.add(tenant, entryAt(365 * dayMs), 'others')
    expect(await two.latest(tenant, { limit: 1000 })).toHaveLength(602)
    await two.add(tenant, entryAt(400 * dayMs), 'others')
    const kept = await one.latest(tenant, { limit: 1000 })
    expect(kept).toHaveLength(501)
    expect(kept.at(-1)).toEqual(entryAt(0))
    expect(await two.latest(other)).toHaveLength(1)
  })

  it('is no way to fill the disk', async () => {
    const { audit } = openAt('sqlite::memory:', [newKey('k1')])
    for (let n = 0; n <= 10_100; n++) await audit.add(tenant, entryAt(n), 'others')
    const [oldest] = await audit.latest(tenant, { skip: 9_999, limit: 1 })
    expect(oldest).toEqual(entryAt(101))
    expect(await audit.latest(tenant, { skip: 10_000 })).toEqual([])
  })
})
