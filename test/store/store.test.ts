import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EncryptionKey } from '../../src/config/config.ts'
import { Database, type Place } from '../../src/store/engine/database.ts'
import { Repository } from '../../src/store/engine/rows.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { StoreError, UnreadableRecordError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { scopedKey, tenantKey } from '../../src/store/tenant.ts'
import { dayMs, type EpochMs } from '../../src/util/units.ts'
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
  it("separates tenants' records, in a file that only its owner can read", async () => {
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

  it('switches to a new key, and logs a missing one', async () => {
    const url = newUrl()
    const [old, next] = [newKey('old'), newKey('next')]
    await openAt(url, [old]).credentials.set(record, tenant)
    await expect(openAt(url, [next]).credentials.get(tenant)).rejects.toThrow('"old"')
    const both = openAt(url, [next, old])
    expect(await both.credentials.get(tenant)).toEqual(record)
    expect(await both.rotateKeys()).toBe(1)
    expect(await both.rotateKeys()).toBe(0)
    expect(await openAt(url, [next]).credentials.get(tenant)).toEqual(record)
  })

  it('yields to other work while it searches many records for an old key', async () => {
    const [url, old] = [newUrl(), newKey('k1')]
    const store = openAt(url, [old])
    for (let n = 0; n < 600; n += 1) await store.credentials.set(record, tenantKey({ teamId: `T${n}` }))
    const next = openAt(url, [newKey('k2'), old])
    await next.ready()
    const order: string[] = []
    setImmediate(() => order.push('another one'))
    await next.rotateKeys()
    expect([...order, 'the end']).toEqual(['another one', 'the end'])
  })

  it('never treats a failed or tampered read as absent', async () => {
    const url = newUrl()
    const key = newKey('k1')
    const store = openAt(url, [key])
    await store.credentials.set(record, tenant)
    const database = new Database(new SqliteDriver(url.slice('sqlite:'.length)), Date.now)
    const text = await database.get('credentials', tenant)
    await database.set('credentials', { key: tenant, value: `${text?.slice(0, -4)}AAAA` })
    await expect(store.credentials.get(tenant)).rejects.toThrow(UnreadableRecordError)
    await database.close()
    await store.close()
    open.splice(0)
    await expect(store.workspaceSettings.get(tenant)).rejects.toThrow(StoreError)
    await expect(store.workspaceSettings.set({}, tenant)).rejects.toThrow(StoreError)
  })

  it('skips a malformed row in lists, refuses to read it by key, logs it once, and overwrites it', async () => {
    const lines: unknown[] = []
    const url = newUrl()
    const store = new Store({
      url,
      encryptionKeys: [newKey('k1')],
      log: { warn: (line: unknown) => lines.push(line) },
    })
    open.push(store)
    const database = new Database(new SqliteDriver(url.slice('sqlite:'.length)), Date.now)
    const malformed = ['{"value":{"zone":7}}', '{"zone":"UTC"}', '{}', 'null', 'no JSON']
    for (const [n, value] of malformed.entries())
      await database.set('channel-settings', { key: scopedKey(tenant, `C${n}`), value })
    await database.set('alert-messages', { key: scopedKey(tenant, 'a'), value: 'no JSON' })
    await database.close()
    for (const n of malformed.keys())
      for (const _ of ['once', 'twice'])
        await expect(store.channelSettings.get(tenant, `C${n}`)).rejects.toThrow(UnreadableRecordError)
    expect(await store.alertMessages.get(tenant, 'a')).toBeUndefined()
    expect(await store.alertMessages.all(tenant)).toEqual([])
    expect(lines).toMatchObject([
      ...malformed.keys().map((n) => ({ namespace: 'channel-settings', row: scopedKey(tenant, `C${n}`) })),
      { namespace: 'alert-messages', row: scopedKey(tenant, 'a') },
    ])
    await store.channelSettings.set({ zone: 'UTC' }, tenant, 'C0')
    expect(await store.channelSettings.get(tenant, 'C0')).toEqual({ zone: 'UTC' })
  })

  it('reads every text unchanged', async () => {
    const { credentials } = openAt(newUrl(), [newKey('k1')])
    const strange = { ...record, key: ':bigint:1', secret: ':base64:AA==' }
    await credentials.set(strange, tenant)
    credentials.forgetReads()
    expect(await credentials.get(tenant)).toEqual(strange)
  })

  it('re-encrypts only when asked to, and counts what no key decrypts', async () => {
    const url = newUrl()
    const [old, next] = [newKey('old'), newKey('next')]
    await openAt(url, [old]).credentials.set(record, tenant)
    const both = openAt(url, [next, old])
    await both.rotateKeys({ isCounting: true })
    expect([...both.undecryptable]).toEqual([])
    const lost = openAt(url, [next])
    await lost.rotateKeys({ isCounting: true })
    expect([...lost.undecryptable]).toEqual([['old', 1]])
    expect(await both.rotateKeys()).toBe(1)
    await lost.rotateKeys({ isCounting: true })
    expect([...lost.undecryptable]).toEqual([])
  })

  it('lets one of many processes claim a key, until the claim expires', async () => {
    let now = 1000
    const url = newUrl()
    const stores = [1, 2, 3, 4].map(() => openAt(url, [newKey('k1')], () => now))
    const wins = await Promise.all(
      Array.from({ length: 300 }, (_, n) => stores.map((store) => store.claim('post', `${n}`, 50))).flat(),
    )
    expect(wins.filter(Boolean)).toHaveLength(300)
    now += 50
    expect(await stores[0]!.claim('post', '7', 50)).toBe(true)
  })
})

const named = (team: string, ...more: string[]) => ({ enterprise: undefined, team, more })
const part = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', ':'), maxLength: 6 })

describe('keys', () => {
  it('depend on everything except the organization', () => {
    const names = fc.record({
      enterprise: fc.option(part, { nil: undefined }),
      team: part,
      more: fc.array(part, { maxLength: 3 }),
    })
    type Names = { enterprise: string | undefined; team: string; more: string[] }
    const toKey = ({ enterprise, team, more }: Names) =>
      scopedKey(tenantKey({ enterpriseId: enterprise, teamId: `T${team}` }), ...more)
    fc.assert(
      fc.property(names, names, (a, b) => {
        const isSame = JSON.stringify([a.team, a.more]) === JSON.stringify([b.team, b.more])
        expect(toKey(a) === toKey(b)).toBe(isSame)
        expect(toKey({ ...a, enterprise: b.enterprise })).toBe(toKey(a))
      }),
      {
        examples: [
          [named('/a'), named('', 'a')],
          [named('', 'a/b'), named('', 'a', 'b')],
          [named('', '%2F'), named('', '/')],
        ],
      },
    )
  })
})

describe('the adapter under keyv', () => {
  it("behaves like keyv's Map", async () => {
    const database = new Database(new SqliteDriver(':memory:'), Date.now)
    await likeAMap(database)
    await database.close()
  })
})

it('reads a record again after a change', async () => {
  const store = openAt(newUrl(), [newKey('k1')])
  expect(await store.credentials.get(tenant)).toBeUndefined()
  for (let n = 0; n < 20; n += 1) {
    const writing = store.credentials.set({ ...record, connectedAt: n }, tenant)
    const meanwhile = store.credentials.get(tenant)
    await writing
    await meanwhile
    expect(await store.credentials.get(tenant)).toEqual({ ...record, connectedAt: n })
  }
  await store.deleteTenant(tenant)
  expect(await store.credentials.get(tenant)).toBeUndefined()
})

it('does not cache a read that began before a write', async () => {
  const read = Promise.withResolvers<void>()
  class SlowDriver extends SqliteDriver {
    override async get(place: Place, now: EpochMs): Promise<string | undefined> {
      const value = await super.get(place, now)
      await read.promise
      return value
    }
  }
  const database = new Database(new SlowDriver(':memory:'), Date.now)
  const numbers = new Repository(database, 'numbers', z.number())
  await numbers.set(1, tenant)
  const outdated = numbers.get(tenant)
  await numbers.set(2, tenant)
  read.resolve()
  expect(await outdated).toBe(1)
  expect(await numbers.get(tenant)).toBe(2)
  await database.close()
})

describe('the audit log', () => {
  const entryAt = (at: number) => ({ at, who: 'U1', what: 'time zone' })

  it('pages through entries of all processes, newest first, and keeps tenants apart', async () => {
    const url = newUrl()
    const key = newKey('k1')
    const [one, two] = [openAt(url, [key]).audit, openAt(url, [key]).audit]
    const other = tenantKey({ enterpriseId: undefined, teamId: 'T12' })
    await one.add(other, entryAt(1))
    for (let n = 0; n <= 600; n++) await (n % 2 === 0 ? one : two).add(tenant, entryAt(n))
    const everything = Array.from({ length: 601 }, (_, n) => entryAt(600 - n))
    expect(await two.latest(tenant, { limit: 1000 })).toEqual(everything)
    expect(await one.all(tenant)).toEqual(everything)
    expect(await two.latest(tenant, { skip: 100, limit: 2 })).toEqual([entryAt(500), entryAt(499)])
    expect(await two.latest(other)).toHaveLength(1)
  })

  it('forgets an entry after a year', async () => {
    const clock = { now: 1_800_000_000_000 }
    const { audit } = openAt(newUrl(), [newKey('k1')], () => clock.now)
    await audit.add(tenant, entryAt(clock.now))
    clock.now += 365 * dayMs
    expect(await audit.latest(tenant)).toHaveLength(1)
    clock.now += dayMs
    expect(await audit.latest(tenant)).toEqual([])
  })
})
