import { createSecretKey, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { EncryptionKey } from '../../src/config/config.ts'
import { Database } from '../../src/store/engine/database.ts'
import { Repository } from '../../src/store/engine/repository.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { StoreError, UnreadableRecordError, UnusableStoreError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { scopedKey, type TenantKey, tenantKey } from '../../src/store/tenant.ts'
import { type AccessRule, installationKey } from '../../src/store/workspaces.ts'
import { dayMs, minuteMs } from '../../src/util/units.ts'
import { StoredRows } from '../support/stored-rows.ts'
import { checkDatabase } from './check-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'callboard-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const createKey = (id: string): EncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) })
const [old, next] = [createKey('old'), createKey('next')]
const [tenant, other] = [tenantKey({ teamId: 'T1' }), tenantKey({ teamId: 'T12' })]
// keyv's own serialization would change these texts.
const record = { key: ':bigint:1', secret: ':base64:AA==', connectedBy: 'U1', connectedAt: 1 }
let files = 0
const newPath = () => join(folder, `sub${files++}`, 'store.sqlite')

const toRow = (namespace: string, id: string, value: string) => {
  return { namespace, key: `/T1/${id}`, value, expires: null }
}

type Options = Partial<ConstructorParameters<typeof Store>[0]>

function openStore(path = newPath(), options: Options = {}): Store {
  const store = new Store({ url: `sqlite:${path}`, encryptionKeys: [old], log: { warn() {} }, ...options })
  onTestFinished(() => store.close().catch(() => {}))
  return store
}

/** A new store, and the rows of its file. */
function openWithRows(options: Options = {}) {
  const path = newPath()
  return { path, store: openStore(path, options), rows: new StoredRows(path) }
}

describe('an SQLite file', () => {
  it('is a database', async () => {
    const clock = { now: 1_800_000_000_000 }
    const database = new Database(new SqliteDriver(newPath()), () => clock.now)
    await checkDatabase(database, clock)
    await database.close()
  })

  it('is restricted to its owner, even if others could read it before', async () => {
    const path = join(folder, 'shared.sqlite')
    writeFileSync(path, '')
    chmodSync(path, 0o644)
    await openStore(path).credentials.set(record, tenant)
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    const inside = newPath()
    openStore(inside)
    expect(statSync(dirname(inside)).mode & 0o777).toBe(0o700)
  })

  it('can be used by one process at a time, also through a symbolic link, and read by others', async () => {
    const [path, link] = [newPath(), join(folder, 'link.sqlite')]
    const first = openStore(path)
    await first.open()
    symlinkSync(path, link)
    const second = openStore(link)
    await expect(second.open()).rejects.toThrow(UnusableStoreError)
    const reader = new DatabaseSync(path, { readOnly: true })
    expect(reader.prepare('SELECT count(*) AS rows FROM callboard_store').get()).toMatchObject({ rows: 1 })
    reader.close()
    await first.close()
    await second.open()
    await expect(openStore(path).open()).rejects.toThrow('Another process uses')
    // The lock file is deleted while the process runs.
    rmSync(`${path}.lock`)
    for (const _ of [1, 2]) await expect(openStore(path).open()).rejects.toThrow('Another process uses')
  })

  it("isn't ready if rows of a newer version appear", async () => {
    const { store, rows } = openWithRows()
    await store.ready()
    rows.setValue('version', "'2'")
    await expect(store.ready()).rejects.toThrow(UnusableStoreError)
  })

  it('deletes expired rows at the next start', async () => {
    const { path, store, rows } = openWithRows()
    await store.ready()
    for (const expires of [1, null]) rows.write([{ namespace: 'n', key: `${expires}`, value: '1', expires }])
    openStore(path)
    await expect.poll(() => rows.all('n').map(({ key }) => key)).toEqual(['null'])
  })

  it('deletes expired rows and counts undecryptable records every ten minutes', async () => {
    const path = newPath()
    const first = openStore(path)
    await first.credentials.set(record, tenant)
    await first.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const clock = { now: 1_800_000_000_000 }
    const store = openStore(path, { encryptionKeys: [next], now: () => clock.now })
    await store.claim('door', 'a', minuteMs)
    clock.now += 2 * minuteMs
    vi.advanceTimersByTime(10 * minuteMs)
    await expect.poll(() => [...store.undecryptable]).toEqual([['old', 1]])
    expect(new StoredRows(path).all('claim:door')).toEqual([])
  })
})

describe('keys', () => {
  it('require a team or an organization', () => {
    expect(() => tenantKey({ teamId: '' })).toThrow(RangeError)
    expect(installationKey({ teamId: 'T1', enterpriseId: 'E1' })).toBe('team/T1')
    expect(installationKey({ teamId: '', enterpriseId: 'E1' })).toBe('organization/E1')
    expect(() => installationKey({ teamId: '', enterpriseId: undefined })).toThrow(RangeError)
  })

  it('differ for different parts', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', ':'), maxLength: 6 })
    const names = fc.tuple(part, fc.array(part, { maxLength: 3 }))
    const toKey = ([team, more]: readonly [string, readonly string[]]) =>
      scopedKey(tenantKey({ teamId: `T${team}` }), ...more)
    expect(toKey(['/a', []])).not.toBe(toKey(['', ['a']]))
    expect(toKey(['', ['a/b']])).not.toBe(toKey(['', ['a', 'b']]))
    expect(toKey(['', ['%2F']])).not.toBe(toKey(['', ['/']]))
    const isSame = fc.property(names, names, (a, b) => {
      expect(toKey(a) === toKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
    })
    fc.assert(isSame)
  })
})

describe('key rotation', () => {
  it('re-encrypts records of other keys, and counts what no key decrypts', async () => {
    const path = newPath()
    const { credentials, installations } = openStore(path)
    await credentials.set(record, tenant)
    const installation = { botToken: 'xoxb', botUserId: 'U0', scopes: [], installer: 'U1', installedAt: 1 }
    await installations.set(installation, installationKey({ teamId: 'T1' }))
    const lost = openStore(path, { encryptionKeys: [next] })
    const wrong = openStore(path, { encryptionKeys: [createKey('old')] })
    for (const store of [lost, wrong]) {
      expect(await store.rotateKeys()).toBe(0)
      expect([...store.undecryptable]).toEqual([['old', 2]])
    }
    await expect(lost.credentials.get(tenant)).rejects.toThrow('"old"')
    const both = openStore(path, { encryptionKeys: [next, old] })
    expect([await both.rotateKeys(), await both.rotateKeys(), await lost.rotateKeys()]).toEqual([2, 0, 0])
    for (const store of [both, lost]) expect([...store.undecryptable]).toEqual([])
    expect(await lost.credentials.get(tenant)).toEqual(record)
  })

  it("doesn't restore a record that is deleted meanwhile", async () => {
    const path = newPath()
    await openStore(path).credentials.set(record, tenant)
    const both = openStore(path, { encryptionKeys: [next, old] })
    // The records are read when it starts.
    const rotating = both.rotateKeys()
    new StoredRows(path).delete('credentials')
    expect(await rotating).toBe(0)
    expect(await both.credentials.get(tenant)).toBeUndefined()
  })

  it('ends if the database fails', async () => {
    const path = newPath()
    await openStore(path).credentials.set(record, tenant)
    const both = openStore(path, { encryptionKeys: [next, old] })
    both.database.replace = () => Promise.reject(new StoreError('no space'))
    await expect(both.rotateKeys()).rejects.toThrow('no space')
  })

  it('yields to other work, and finds records of other keys among hundreds', async () => {
    const path = newPath()
    const [first, both] = [openStore(path), openStore(path, { encryptionKeys: [next, old] })]
    // The records of the first key come last.
    for (let n = 100; n < 900; n += 1)
      await (n < 300 ? both : first).credentials.set(record, tenantKey({ teamId: `T${n}` }))
    await both.ready()
    const rotating = both.rotateKeys()
    expect(await Promise.race([rotating, turn('other work')])).toBe('other work')
    expect(await rotating).toBe(600)
  })
})

describe('records', () => {
  it('that were tampered with or could not be read are never taken for absent', async () => {
    const { store, rows } = openWithRows()
    await store.credentials.set(record, tenant)
    rows.setValue('credentials', "substr(value, 1, length(value) - 4) || 'AAAA'")
    await expect(store.credentials.get(tenant)).rejects.toThrow(UnreadableRecordError)
    await store.close()
    await expect(store.workspaceSettings.get(tenant)).rejects.toThrow(StoreError)
    await expect(store.credentials.has(tenant)).rejects.toThrow(StoreError)
    await expect(store.workspaceSettings.set({}, tenant)).rejects.toThrow(StoreError)
  })

  it('that are malformed are skipped in lists, refused by key, logged once, and overwritten', async () => {
    const lines: unknown[] = []
    const { store, rows } = openWithRows({ log: { warn: (line: unknown) => lines.push(line) } })
    const { channelSettings, alertMessages } = store
    const malformed = ['{"value":{"zone":7}}', '{"zone":"UTC"}', '{}', 'null', 'no JSON']
    const zones = malformed.map((value, n) => toRow('channel-settings', `C${n}`, value))
    const message = toRow('alert-messages', 'C0', 'no JSON')
    rows.write([...zones, message])
    for (const n of malformed.keys())
      for (const _ of ['once', 'twice'])
        await expect(channelSettings.get(tenant, `C${n}`)).rejects.toThrow(UnreadableRecordError)
    expect(await alertMessages.get(tenant, 'C0')).toBeUndefined()
    expect(await alertMessages.all(tenant)).toEqual([])
    expect(lines).toMatchObject([...zones, message].map(({ namespace, key }) => ({ namespace, row: key })))
    await channelSettings.set({ zone: 'UTC' }, tenant, 'C0')
    expect(await channelSettings.get(tenant, 'C0')).toEqual({ zone: 'UTC' })
  })

  it('are read again after a write of unknown outcome', async () => {
    const driver = new SqliteDriver(newPath())
    const run = driver.run.bind(driver)
    driver.run = async (name, values) => {
      await run(name, values)
      throw new Error('the connection was cut')
    }
    const database = new Database(driver, Date.now)
    const numbers = new Repository(database, 'numbers', z.number())
    expect(await numbers.get(tenant)).toBeUndefined()
    await expect(numbers.set(1, tenant)).rejects.toThrow(StoreError)
    expect(await numbers.get(tenant)).toBe(1)
    await expect(numbers.delete(tenant)).rejects.toThrow(StoreError)
    expect(await numbers.get(tenant)).toBeUndefined()
    await database.close()
  })

  it('are changed after a concurrent change, and not restored after a deletion', async () => {
    const { store, rows } = openWithRows()
    const { polls } = store
    await polls.set(tenant, 'w', { workspace: { enterpriseId: undefined, teamId: 'T1' }, since: 1 })
    const seen: number[] = []
    const changed = await polls.change(tenant, 'w', (before) => {
      if (seen.push(before.since) === 1) rows.setValue('polls-%', `replace(value, '"since":1', '"since":5')`)
      return { ...before, account: 'k' }
    })
    expect(changed).toMatchObject({ since: 5, account: 'k' })
    expect(seen).toEqual([1, 5])
    const deleted = await polls.change(tenant, 'w', (before) => {
      rows.delete('polls-%')
      return before
    })
    expect(deleted).toBeUndefined()
    expect(await polls.get(tenant, 'w')).toBeUndefined()
  })

  it('of one tenant are deleted together, and then announced', async () => {
    const store = openStore()
    const { credentials, access, workspaceSettings, channelSettings, lines, ownAgents, audit } = store
    const rule: AccessRule = { who: 'admins', people: [] }
    const rules = { calls: rule, recordings: rule, agents: rule, billing: rule }
    for (const one of [tenant, other]) {
      await credentials.set(record, one)
      await access.set({ ...rules, exports: 'admins', administrators: [] }, one)
      await workspaceSettings.set({ zone: 'UTC' }, one)
      await channelSettings.set({ zone: 'Europe/Berlin' }, one, 'C1')
      await lines.set({ lines: [] }, one)
      await ownAgents.set({ agentId: '1', agentName: 'Ada' }, one, 'U1')
      await audit.add(one, { at: 1, who: 'U1', what: 'connect' })
    }
    const read = (key: TenantKey) =>
      Promise.all([
        ...[credentials, access, workspaceSettings, lines].map((records) => records.get(key)),
        channelSettings.get(key, 'C1'),
        ownAgents.get(key, 'U1'),
        audit.listLatest(key).then(([latest]) => latest),
      ])
    // Each write empties the caches.
    for (const one of [tenant, other]) expect(await read(one)).not.toContain(undefined)
    const left: unknown[] = []
    store.on('tenant-deleted', async (key) => left.push(key, new Set(await read(key))))
    await store.deleteTenant(tenant)
    await expect.poll(() => left).toEqual([tenant, new Set([undefined])])
    expect(await read(other)).not.toContain(undefined)
    await store.close()
    await expect(store.deleteTenant(other)).rejects.toThrow(StoreError)
    expect(left).toHaveLength(2)
  })

  it('of the audit log are forgotten after a year', async () => {
    const clock = { now: 1_800_000_000_000 }
    const { audit } = openStore(newPath(), { now: () => clock.now })
    await audit.add(tenant, { at: clock.now, who: 'U1', what: 'time zone' })
    clock.now += 365 * dayMs
    expect(await audit.listLatest(tenant)).toHaveLength(1)
    clock.now += dayMs
    expect(await audit.listLatest(tenant)).toEqual([])
  })
})

const call = '{"id":"20777100","at":1795248000000,"line":"+493055501000"}'
const messageId = '2026-11-21T08:00:05.000Z-a1'
const callId = '2026-11-21T08:00:00.000Z-20777100-+493055501000'

/** Stored records of version 1, by namespace and id. The tenant's shard is 29. */
const alertRecords: Record<string, Record<string, string>> = {
  'alerts-29': {
    a1: '{"id":"a1","workspace":{"teamId":"T1"},"channel":"C1","owner":"U1","since":1795240000000,"lines":[],"state":{"waiting":{"calls":[],"older":0},"messageId":"m1","postedAt":1795248005000}}',
    a2: `{"id":"a2","workspace":{"teamId":"T1"},"channel":"C2","owner":"U2","since":1795240000000,"lines":["+493055501000"],"threshold":{"calls":3,"minutes":10},"hours":{"weekdays":[1,5],"from":"09:00","to":"17:30"},"muted":{"by":"U2","from":1795245400000,"until":1795249000000},"remind":{"afterMinutes":15,"people":["U1"],"isBroadcast":true},"state":{"waiting":{"calls":[${call}],"older":2},"skipped":{"calls":[${call}],"older":0},"messageId":"m2","sendingUntil":1795248605000,"reminders":[{"message":"m2","at":1795248605000,"sent":1}]}}`,
  },
  'alert-messages': {
    [messageId]: `{"id":"${messageId}","openedAt":1795248005000,"count":1,"firstAt":1795248000000,"calls":["${callId}"],"workspace":{"teamId":"T1"},"channel":"C1","ts":"1795248005.000100","isClosed":true,"revision":4,"shownRevision":2}`,
  },
  'missed-calls': {
    [callId]: `{"id":"20777100","at":1795248000000,"line":"+493055501000","shownIn":[{"message":"${messageId}","channel":"C1","at":1795248005000}],"taken":{"person":"U1","name":"Ada","at":1795248060000},"done":{"person":"U2","name":"Ben","at":1795248120000}}`,
  },
  'polls-29': {
    account: `{"workspace":{"teamId":"T1"},"account":"k3yOfAccount","since":1795230000000,"failing":{"since":1795248005000,"count":2,"why":"Away.","isPermanent":false,"retryAt":1795248605000,"isTold":false},"list":{"range":{"offset":"+00:00","from":"2026-11-21","to":"2026-11-21"},"readAt":1795248005000,"total":1,"ids":["20777100"]}}`,
  },
}

it('alerts of version 1 are read unchanged, and deleted with their tenant', async () => {
  const { store, rows } = openWithRows()
  const written: Record<string, unknown[]> = {}
  for (const [kind, records] of Object.entries(alertRecords)) {
    rows.write(Object.entries(records).map(([id, value]) => toRow(kind, id, value)))
    written[kind] = Object.values(records).map((value) => JSON.parse(value))
  }
  const all = async () => ({
    'alerts-29': await store.alerts.all(tenant),
    'alert-messages': await store.alertMessages.all(tenant),
    'missed-calls': await store.missedCalls.all(tenant),
    'polls-29': await store.polls.all(tenant),
  })
  expect(await all()).toEqual(written)
  expect(await store.missedCalls.get(tenant, callId)).toBeDefined()
  await store.deleteTenant(tenant)
  expect(Object.values(await all()).flat()).toEqual([])
})

it('an account and settings of version 1 are read', async () => {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const { store, rows } = openWithRows({ encryptionKeys: [{ id: 'k1', key }] })
  const account =
    'v1.k1.Q1JbOIESvEOq9ZgUgXXiY67wcrkbo4xpq3CM86VCFV41yTYQLYiqbjxgjhmZZkD8unItcdsMLZgMpLLg10rABnv2bKkfjIF7ujDIKzQlTv9KY6z_N-ggqWBjhIidaJQUkg'
  const toOwnRow = (namespace: string, value: string) => ({ namespace, key: '/T1', value, expires: null })
  rows.write([
    toOwnRow('credentials', account),
    toOwnRow('lines', '{"value":{"lines":[]}}'),
    toRow('own-agents', 'U1', '{"value":{"agentId":"1","agentName":"Ada"}}'),
  ])
  const records = [store.credentials.get(tenant), store.lines.get(tenant), store.ownAgents.get(tenant, 'U1')]
  expect(await Promise.all(records)).toMatchObject([{ secret: 's' }, { lines: [] }, { agentName: 'Ada' }])
})

it('alerts of an earlier version are read without the fields that it alone knew', async () => {
  const { store, rows } = openWithRows()
  const { a1 = '' } = alertRecords['alerts-29'] ?? {}
  const { state: _, ...alert } = JSON.parse(a1)
  const message = JSON.parse(alertRecords['alert-messages']?.[messageId] ?? '')
  const write = (namespace: string, id: string, value: object) =>
    rows.write([toRow(namespace, id, JSON.stringify(value))])
  write('alerts-29', 'a1', { ...alert, mutedFrom: 1795240000000 })
  write('alert-messages', messageId, { ...message, alertId: 'a1', lateByMs: 400_000 })
  const idle = { waiting: { calls: [], older: 0 } }
  expect(await store.alerts.all(tenant)).toEqual([{ ...alert, state: idle }])
  expect(await store.alertMessages.all(tenant)).toEqual([message])
  write('alerts-29', 'a1', { ...alert, onlyFor: 'what a later version knows' })
  expect(await store.alerts.all(tenant)).toEqual([])
})
