import { execFile } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { backUpStore, restoreStore } from '../../src/store/engine/backup.ts'
import { UnusableStoreError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { StoredRows } from '../support/stored-rows.ts'

const encryptionKeys = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }] as const
const tenant = tenantKey({ teamId: 'T1' })
const log = { warn: () => {} }
let folder: string
let path: string
let url: string
let file: string
const stores: Store[] = []

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'callboard-backup-'))
  path = join(folder, 'store.sqlite')
  url = `sqlite:${path}`
  file = join(folder, 'backup.sqlite')
})
async function close(): Promise<void> {
  for (const store of stores.splice(0)) await store.close()
}
afterEach(async () => {
  await close()
  fs.rmSync(folder, { recursive: true })
})

async function open(storeUrl = url): Promise<Store> {
  const store = new Store({ url: storeUrl, encryptionKeys, log })
  stores.push(store)
  await store.open()
  return store
}

const writeZone = (store: Store, zone: string) => store.workspaceSettings.set({ zone }, tenant)

/** Opens a store in Tokyo and backs it up. */
async function startWithBackup(): Promise<Store> {
  const store = await open()
  await writeZone(store, 'Asia/Tokyo')
  await backUpStore(url, file)
  return store
}

async function readZone(): Promise<string | undefined> {
  const store = await open()
  return (await store.workspaceSettings.get(tenant))?.zone
}

it('backs up a running database privately, and restores it', async () => {
  const store = await open()
  await writeZone(store, 'Asia/Tokyo')
  fs.writeFileSync(file, 'an older backup', { mode: 0o644 })
  expect(await backUpStore(url, file)).toContain('Keep ENCRYPTION_KEYS')
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  await writeZone(store, 'Asia/Dubai')
  await close()
  fs.writeFileSync(`${path}.replaced-wal`, 'of an earlier restore')
  expect(await restoreStore(url, file)).toContain(`${path}.replaced`)
  expect([fs.statSync(path).mode & 0o777, fs.existsSync(`${path}.replaced-wal`)]).toEqual([0o600, false])
  expect(await readZone()).toBe('Asia/Tokyo')
  // A backup is one file, before and after.
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite'])
})

it('replaces what a killed process left in the -wal, and keeps it aside', async () => {
  const store = await startWithBackup()
  await writeZone(store, 'Asia/Dubai')
  // A killed process leaves these files behind.
  const killed = join(folder, 'killed.sqlite')
  for (const suffix of ['', '-wal', '-shm', '.lock']) fs.copyFileSync(path + suffix, killed + suffix)
  expect(fs.statSync(`${killed}-wal`).size).toBeGreaterThan(0)
  // Replacing a link would leave the database in use behind.
  url = `sqlite:${join(folder, 'link.sqlite')}`
  fs.symlinkSync(killed, join(folder, 'link.sqlite'))
  await restoreStore(url, file)
  expect(await readZone()).toBe('Asia/Tokyo')
  await close()
  path = `${killed}.replaced`
  url = `sqlite:${path}`
  expect(await readZone()).toBe('Asia/Dubai')
})

it.each([
  ['nothing', () => {}, 'There is no file'],
  ['text', () => fs.writeFileSync(file, 'a'.repeat(10_000)), 'damaged'],
  ['an empty file', () => fs.writeFileSync(file, ''), 'damaged'],
  ['half a backup', () => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)), 'damaged'],
  ['rows of a newer version', () => new StoredRows(file).setValue('version', "'2'"), 'rows of version 2'],
  ['overwritten', () => fs.writeFileSync(file, fs.readFileSync(file).fill(7, 12_288, 16_384)), 'damaged'],
])('changes nothing if the file is %s', async (_, spoil, reason) => {
  const store = await open()
  await writeZone(store, 'Asia/Tokyo')
  for (let n = 0; n < 100; n += 1) await store.claim('filler', 'x'.repeat(500) + n, 60_000)
  if (reason !== 'There is no file') await backUpStore(url, file)
  await close()
  spoil()
  const restoring = restoreStore(url, file)
  await expect(restoring).rejects.toThrow(UnusableStoreError)
  await expect(restoring).rejects.toThrow(reason)
  expect(fs.existsSync(`${path}.unfinished`)).toBe(false)
  expect(await readZone()).toBe('Asia/Tokyo')
})

it.each([
  ['runs', () => {}],
  ['runs and its lock file was deleted', () => fs.rmSync(`${path}.lock`)],
])('refuses to restore while Callboard %s', async (_, change) => {
  const store = await startWithBackup()
  change()
  await expect(restoreStore(url, file)).rejects.toThrow('Another process uses')
  expect((await store.workspaceSettings.get(tenant))?.zone).toBe('Asia/Tokyo')
})

it.each<[string, () => void, string?]>([
  ['a damaged database', () => fs.writeFileSync(path, 'x'.repeat(9000))],
  ['a database without its lock file', () => {}],
  ['nothing', () => {}, 'another/store.sqlite'],
])('restores over %s', async (_, change, name = 'store.sqlite') => {
  await startWithBackup()
  await close()
  change()
  fs.rmSync(`${path}.lock`)
  url = `sqlite:${join(folder, name)}`
  await restoreStore(url, file)
  expect(await readZone()).toBe('Asia/Tokyo')
})

it('leaves PostgreSQL to its own programs', async () => {
  for (const run of [backUpStore, restoreStore])
    await expect(run('postgres://localhost/db', file)).rejects.toThrow('pg_dump')
})

it.each([0.999_999, 0.9999, 0.95, 0.5, 0.01])(
  'refuses to start with a database that was cut to %f of its size',
  async (part) => {
    const store = await open()
    for (let n = 0; n < 300; n += 1) await store.claim('filler', 'x'.repeat(500) + n, 60_000)
    await close()
    fs.truncateSync(path, Math.floor(fs.statSync(path).size * part))
    const start = () => new Store({ url, encryptionKeys, log })
    expect(start).toThrow('The database is damaged: restore a backup.')
  },
)

it('starts through a symbolic link after a crash that left part of a page', async () => {
  await writeZone(await open(), 'Asia/Tokyo')
  const crashed = join(folder, 'crashed.sqlite')
  for (const suffix of ['', '-wal']) fs.copyFileSync(path + suffix, crashed + suffix)
  fs.appendFileSync(crashed, 'x'.repeat(100))
  const link = join(folder, 'link', 'store.sqlite')
  fs.mkdirSync(dirname(link))
  fs.symlinkSync(crashed, link)
  url = `sqlite:${link}`
  expect(await readZone()).toBe('Asia/Tokyo')
})

it('runs as commands that need no other settings', async () => {
  await writeZone(await open(), 'Asia/Tokyo')
  const run = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['start.js', ...args], { env: { STORE_URL: `${url}\n` } })
  expect((await run('backup', file)).stdout).toMatch(/^Backed up \d+ bytes to [^\n]*\n$/)
  expect(new DatabaseSync(file).prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' })
  const isRefused = (stderr: string) => ({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
  await expect(run('restore', file)).rejects.toMatchObject(isRefused('^Another process uses [^\n]*\n$'))
  await expect(run('backup')).rejects.toMatchObject(isRefused('the file: npm run backup -- FILE\n$'))
  await close()
  expect((await run('restore', file)).stdout).toMatch(/^Restored [^\n]*\n$/)
  expect(await readZone()).toBe('Asia/Tokyo')
})

/** Only root can own what another user then can't write. */
it.skipIf(process.getuid?.() !== 0)('explains a folder or a database that root owns', async () => {
  const program = `import('./src/store/engine/sqlite.ts').then((m) => new m.SqliteDriver(process.argv[1])).catch((e) => console.log(e.message))`
  const start = (storeUrl: string) =>
    promisify(execFile)(process.execPath, ['-e', program, storeUrl], { uid: 65_534 })
  await open()
  const byRoot = 'STORE_URL: the user who runs Callboard must own the database and its folder'
  expect((await start(path)).stdout).toContain(byRoot)
  fs.chmodSync(folder, 0o755)
  expect((await start(join(folder, 'another.sqlite'))).stdout).toContain(byRoot)
  fs.chownSync(path, 65_534, 65_534)
  const { stdout } = await start(path)
  expect(stdout).toContain(byRoot)
  expect(stdout).not.toContain(folder)
})
