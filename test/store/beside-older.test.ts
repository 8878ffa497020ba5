import { createSecretKey } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Backend, Row } from '../../src/store/backend.ts'
import type { Schedule } from '../../src/store/schedules.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { Vault } from '../../src/store/vault.ts'
import { type OlderDatabases, startOnPostgres, startSqlite } from './older-databases.ts'
import { olderKey, olderVersions } from './older-rows.ts'

const dayMs = 24 * 60 * 60_000
/** Everything at once, of a workspace in an organisation, under `E7/T7`. */
const older = olderVersions.at(-1)!
const first = olderVersions[0]!
const tenant = tenantKey({ teamId: 'T7' })
const encryptionKeys = [{ id: olderKey.id, key: createSecretKey(Buffer.alloc(32, olderKey.byte)) }] as const
const credentials = { key: 'a key', secret: 'a secret', connectedBy: 'U1', connectedAt: 1 }

describe.each([
  ['SQLite', startSqlite],
  ['PostgreSQL', startOnPostgres],
])('beside a process of the version before, on %s,', (_, start) => {
  let databases: OlderDatabases
  let url: string
  let stores: Store[]
  let raw: Backend
  let ahead: number

  function open(): Store {
    const now = () => Date.now() + ahead
    const store = new Store({ url, encryptionKeys, log: { warn: () => {} }, now })
    stores.push(store)
    return store
  }
  async function rowOf(namespace: string, key: string): Promise<Row | undefined> {
    return (await raw.get(namespace, [key]))[0]
  }
  /** As the older version writes: no end, whatever was there. */
  const olderWrites = (namespace: string, key: string, value: unknown) =>
    raw.set(namespace, { key, value: JSON.stringify(value) })

  beforeAll(async () => {
    databases = await start()
  })
  beforeEach(async () => {
    ahead = 0
    stores = []
    url = await databases.fill(older)
    raw = databases.open(url)
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    await raw.close()
  })
  afterAll(() => databases.stop())

  it('everything is known by its team alone at once, and stays for the older one for a week', async () => {
    const before = await rowOf('credentials', 'E7/T7')
    const store = open()
    expect(await store.workspaceSettings.get(tenant)).toEqual({ zone: 'Europe/Berlin' })
    expect((await rowOf('credentials', '/T7'))?.value).toMatch(/^v2\.k1\./)
    const kept = await rowOf('credentials', 'E7/T7')
    expect(kept?.value).toBe(before?.value)
    expect(kept?.expires).toBeGreaterThan(Date.now() + 6 * dayMs)
    expect(kept?.expires).toBeLessThan(Date.now() + 8 * dayMs)
    expect(await store.tenantsOf('E7')).toEqual([{ enterpriseId: 'E7', teamId: 'T7' }])
    expect(await store.tenantsOf('E8')).toEqual([])
    // Of two that start at the same moment.
    expect(await open().schedules.all(tenant)).toHaveLength(3)

    ahead = 8 * dayMs
    await store.sweep()
    expect(await rowOf('credentials', 'E7/T7')).toBeUndefined()
    expect(await store.credentials.get(tenant)).toMatchObject({ key: 'a key' })
  })

  it('the newer write wins, whichever version made it', async () => {
    const store = open()
    await store.ready()
    expect(await store.workspaceSettings.get(tenant)).toEqual({ zone: 'Europe/Berlin' })
    await olderWrites('workspace-settings', 'E7/T7', { value: { zone: 'Asia/Tokyo' } })
    await olderWrites('channel-settings', 'E7/T7/C2', { value: { zone: 'Asia/Tokyo' } })
    await olderWrites('audit', 'E7/T7/001895258800000-x', { at: 1_895_258_800_000, who: 'U2', what: 'zone' })
    await store.sweep()
    expect(await store.workspaceSettings.get(tenant)).toEqual({ zone: 'Asia/Tokyo' })
    expect([...(await store.channelSettings.names(tenant))].sort()).toEqual(['C1', 'C2'])
    expect((await store.audit.latest(tenant))[0]).toMatchObject({ who: 'U2' })

    // What this version writes, the older one reads; and it is not taken back by what the older one wrote before.
    await olderWrites('workspace-settings', 'E7/T7', { value: { zone: 'Asia/Seoul' } })
    await store.workspaceSettings.set({ zone: 'UTC' }, tenant)
    await store.credentials.set({ ...credentials, key: 'another' }, tenant)
    await store.sweep()
    expect(await store.workspaceSettings.get(tenant)).toEqual({ zone: 'UTC' })
    expect((await rowOf('workspace-settings', 'E7/T7'))?.value).toBe('{"value":{"zone":"UTC"}}')
    const forOlder = (await rowOf('credentials', 'E7/T7'))?.value ?? ''
    expect(forOlder).toMatch(/^v1\./)
    expect(new Vault(encryptionKeys).decrypt(forOlder, { namespace: '', key: '' })).toContain('another')

    await store.credentials.delete(tenant)
    await store.sweep()
    expect(await rowOf('credentials', 'E7/T7')).toBeUndefined()
    expect(await store.credentials.get(tenant)).toBeUndefined()
  })

  it('a schedule goes on where either version moves it, and its job is asked for again', async () => {
    const store = open()
    const moved: Schedule[] = []
    store.on('schedule-moved', (schedule) => moved.push(schedule))
    const [schedule] = await store.schedules.all(tenant)
    expect(moved.map(({ id }) => id).sort()).toEqual(['s1', 's2', 's3'])
    // The older version changes what is there without touching the end that the row has.
    const before = (await rowOf('schedules', 'E7/T7/s1'))?.value ?? ''
    const next = JSON.stringify({ ...schedule, due: 1_795_863_600_000 })
    expect(await raw.replace('schedules', 'E7/T7/s1', before, next)).toBe(true)
    moved.splice(0)
    await store.sweep()
    expect(moved).toEqual([{ ...schedule, due: 1_795_863_600_000 }])
    expect((await store.schedules.get(tenant, 's1'))?.due).toBe(1_795_863_600_000)
    await store.schedules.change(tenant, 's1', (current) => ({ ...current, due: 1_796_468_400_000 }))
    expect((await rowOf('schedules', 'E7/T7/s1'))?.value).toContain('1796468400000')
    moved.splice(0)
    await store.sweep()
    expect(moved).toEqual([])
    expect((await store.schedules.get(tenant, 's1'))?.due).toBe(1_796_468_400_000)
  })

  it('what happens once happens once', async () => {
    const store = open()
    const claim = (name: string) => store.claims.claim('post', `${tenant}/${name}`, dayMs)
    const olderClaims = (name: string) =>
      raw.insert('claim:post', { key: `E7/T7/${name}`, value: '1', expires: Date.now() + dayMs })
    expect(await olderClaims('one')).toBe(true)
    expect(await claim('one')).toBe(false)
    expect(await store.claims.isClaimed('post', `${tenant}/one`)).toBe(true)
    expect(await claim('two')).toBe(true)
    expect(await claim('two')).toBe(false)
    expect(await olderClaims('two')).toBe(false)
    await store.claims.release('post', `${tenant}/two`)
    expect(await olderClaims('two')).toBe(true)
  })

  it('a deletion is one of both', async () => {
    const store = open()
    await store.claims.claim('post', `${tenant}/one`, dayMs)
    await store.deleteTenant(tenant)
    await store.sweep()
    const namespaces = [
      'credentials',
      'schedules',
      'audit',
      'audit-log',
      'claim:post',
      'organisations',
      'generations',
    ]
    for (const namespace of namespaces) expect(await raw.list(namespace, '', 10)).toEqual([])
    expect(await store.schedules.all(tenant)).toEqual([])
    // Its installation is not part of it.
    expect(await raw.list('installations', '', 10)).toHaveLength(2)
  })

  it('records are bound to their rows from an hour on, when it can be taken to have ended', async () => {
    const anotherUrl = await databases.fill(first)
    await raw.close()
    raw = databases.open(anotherUrl)
    url = anotherUrl
    const store = open()
    await store.sweep()
    expect((await rowOf('credentials', '/T1'))?.value).toMatch(/^v1\./)
    ahead = 61 * 60_000
    await store.sweep()
    expect((await rowOf('credentials', '/T1'))?.value).toMatch(/^v2\./)
    expect(await store.credentials.get(tenantKey({ teamId: 'T1' }))).toMatchObject({ secret: 'a secret' })
  })

  it('a generation ends with its tenant, and whatever is written for it afterwards is not kept', async () => {
    const store = open()
    const generation = await store.generations.of(tenant)
    await store.credentials.setIn(generation, credentials)
    expect(await store.generations.of(tenant)).toEqual(generation)
    await store.deleteTenant(tenant)
    await expect(store.credentials.setIn(generation, credentials)).rejects.toThrow('deleted meanwhile')
    const entry = { at: 1, who: 'U1', what: 'connect' }
    await expect(store.audit.add(tenant, entry, 'admins', generation)).rejects.toThrow('deleted meanwhile')
    expect(await store.connection.setWhileThereIs(store.credentials, {}, tenant)).toBe(false)
    expect(await store.credentials.get(tenant)).toBeUndefined()
    const next = await store.generations.of(tenant)
    expect(next.value).not.toBe(generation.value)
    await expect(store.credentials.setIn(generation, credentials)).rejects.toThrow('deleted meanwhile')
    await store.credentials.setIn(next, credentials)
    // One that is near its end is replaced while there is time.
    ahead = 7.5 * dayMs
    expect((await store.generations.of(tenant)).value).not.toBe(next.value)
  })
})
