import { type ChildProcess, fork } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { listen } from '../../dev/listen.ts'
import { PgBossJobs } from '../../src/jobs/pg-boss.ts'
import { Database } from '../../src/store/engine/database.ts'
import { PostgresDriver } from '../../src/store/engine/postgres.ts'
import { StoreError, UnusableStoreError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { createDatabase } from '../support/shared/database.ts'
import { checkDatabase } from './check-database.ts'

const encryptionKeys = [{ id: 'k1', key: createSecretKey(randomBytes(32)) }] as const
const log = { warn: () => {}, error: () => {} }
const tenant = tenantKey({ teamId: 'T1' })
let database: string
let one: Store
let ahead = 0
let two: Store

beforeAll(async () => {
  database = await createDatabase()
  one = new Store({ url: database, encryptionKeys, log, now: () => Date.now() + ahead })
  two = new Store({ url: database, encryptionKeys, log })
})

afterAll(() => Promise.all([one.close(), two.close()]))

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)))
  })
}

/** Tells processes to do something at the same time, and returns their answers. */
function tell(children: readonly ChildProcess[], word: string): Promise<readonly unknown[]> {
  const answers = children.map(nextMessage)
  for (const child of children) child.send(word)
  return Promise.all(answers)
}

it('can be created by eight processes at once, and claims each of 300 keys once', async () => {
  const children = Array.from({ length: 8 }, () => fork(new URL('racer.ts', import.meta.url), [database]))
  onTestFinished(() => {
    for (const child of children) child.kill()
  })
  await Promise.all(children.map(nextMessage))
  await tell(children, 'open')
  const claimCounts = await tell(children.slice(0, 4), 'claim')
  expect(claimCounts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(300)
  await Promise.all([one.ready(), two.ready()])
})

it('is a database', async () => {
  const clock = { now: 1_800_000_000_000 }
  const url = await createDatabase()
  const database = new Database(new PostgresDriver({ url, onIdleError: () => {} }), () => clock.now)
  await checkDatabase(database, clock)
  await database.close()
  await expect(database.get('n', 'a')).rejects.toThrow(StoreError)
})

it('refuses rows of a version that it does not know', async () => {
  const url = await createDatabase()
  const newer = new Store({ url, encryptionKeys, log })
  await newer.open()
  await newer.close()
  const client = new pg.Client(url)
  await client.connect()
  await client.query("UPDATE callboard_store SET value = '2' WHERE namespace = 'version'")
  await client.end()
  const store = new Store({ url, encryptionKeys, log })
  await expect(store.open()).rejects.toThrow(UnusableStoreError)
  await expect(store.credentials.get(tenant)).rejects.toThrow('The database holds rows of version 2')
  await store.close()
})

it('reads each record once during an interaction, unless this process changes it', async () => {
  await one.lines.set({ lines: [] }, tenant)
  await one.database.shareReads(async () => {
    one.prefetch({ teamId: 'T1', enterpriseId: undefined }, 'C1')
    expect(await one.lines.get(tenant)).toEqual({ lines: [] })
    await two.lines.delete(tenant)
    expect(await one.lines.get(tenant)).toEqual({ lines: [] })
    // A process sees its own changes at once.
    await one.lines.set({ lines: [{ number: '+49', name: 'Sales' }] }, tenant)
    expect((await one.lines.get(tenant))?.lines).toHaveLength(1)
    await two.lines.delete(tenant)
    // An interaction may leave work running.
    ahead += 5000
    expect(await one.lines.get(tenant)).toBeUndefined()
    await two.lines.set({ lines: [] }, tenant)
  })
  await two.lines.delete(tenant)
  expect(await one.lines.get(tenant)).toBeUndefined()
})

it.each<[string, (store: Store) => Promise<unknown>, readonly unknown[] | undefined]>([
  ['a change', (store) => store.lines.set({ lines: [] }, tenant), []],
  ['a deletion', (store) => store.lines.delete(tenant), undefined],
  ["the workspace's deletion", (store) => store.deleteTenant(tenant), undefined],
])('reads a record again after %s during which it was read', async (_, write, expected) => {
  await one.lines.set({ lines: [{ number: '+49', name: 'Sales' }] }, tenant)
  const locker = new pg.Client(database)
  await locker.connect()
  await locker.query('BEGIN; SELECT * FROM callboard_store FOR UPDATE')
  await one.database.shareReads(async () => {
    const writing = write(one)
    expect((await one.lines.get(tenant))?.lines).toHaveLength(1)
    await locker.query('ROLLBACK')
    await writing
    expect((await one.lines.get(tenant))?.lines).toEqual(expected)
  })
  await locker.end()
})

it('holds at most ten connections while its table is locked, and opens others when they end', async () => {
  const url = await createDatabase()
  const { promise: idleError, resolve: onIdleError } = Promise.withResolvers<Error>()
  const driver = new PostgresDriver({ url, onIdleError, statementTimeoutMs: 200 })
  const rows = new Database(driver, Date.now)
  await rows.set('n', { key: 'a', value: '1' })
  const locker = new pg.Client(url)
  await locker.connect()
  await locker.query('BEGIN; LOCK TABLE callboard_store')
  const countWaiting = async () => {
    // Within a transaction, PostgreSQL would show the same activity again.
    await locker.query('SELECT pg_stat_clear_snapshot()')
    const { rows } = await locker.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return rows.length
  }
  for (let round = 0; round < 3; round += 1) {
    let failures = 0
    const onFailure = () => (failures += 1)
    for (let n = 0; n < 15; n += 1) rows.set('n', { key: `${n}`, value: '1' }).catch(onFailure)
    while (failures < 15) expect(await countWaiting()).toBeLessThanOrEqual(10)
    expect(await countWaiting()).toBe(0)
  }
  await locker.query('ROLLBACK')
  expect(await rows.get('n', 'a')).toBe('1')
  const ends = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'
  await locker.query(`${ends} AND datname = current_database()`)
  expect(await idleError).toBeInstanceOf(Error)
  await locker.end()
  await expect.poll(() => rows.get('n', 'a')).toBe('1')
  await rows.close()
})

it('gives up a server that no longer answers, before and after it connects', async () => {
  const url = new URL(await createDatabase())
  const port = Number(url.port)
  const sockets: Socket[] = []
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    // The server would report its own timeout a second earlier.
    const wait = () => void vi.advanceTimersByTimeAsync(6000)
    near.on('data', (chunk) => (vi.isFakeTimers() ? wait() : far.write(chunk)))
    far.pipe(near)
    sockets.push(
      near.on('error', () => {}),
      far.on('error', () => {}),
    )
  })
  url.port = String(await listen(proxy))
  const rows = new Database(new PostgresDriver({ url: url.href, onIdleError: () => {} }), Date.now)
  const jobs = new PgBossJobs(url.href, { log: { ...log, info: () => {} } })
  await rows.set('n', { key: 'a', value: '1' })
  onTestFinished(() => {
    vi.useRealTimers()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // The first read uses the open connection.
  for (const _ of [1, 2]) await expect(rows.get('n', 'a')).rejects.toThrow(StoreError)
  const queue = { name: 'q', schema: z.object({}) }
  await expect(jobs.enqueue(queue, 'one', {}, new Date())).rejects.toThrow('timeout')
})

it('starts while the server is down, and then reports it', async () => {
  const store = new Store({ url: 'postgres://callboard:invented@127.0.0.1:1/none', encryptionKeys, log })
  await expect(store.ready()).rejects.toThrow(StoreError)
  await expect(store.credentials.get(tenant)).rejects.toThrow(StoreError)
  await store.close()
})
