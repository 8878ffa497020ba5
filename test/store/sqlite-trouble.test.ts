import { truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp({ connected: true })
const elsewhere: DatabaseSync[] = []

/** Another program that has the file open. */
function openElsewhere(): DatabaseSync {
  const db = new DatabaseSync(app.storePath)
  elsewhere.push(db)
  return db
}

afterEach(() => {
  for (const db of elsewhere.splice(0)) db.close()
})

const readiness = async () => (await fetch(`${app.url}/readyz`)).status
const soon = { timeout: 8000, interval: 50 }

describe('a writer elsewhere', () => {
  it('keeps nobody from reading', async () => {
    const { admin, member } = app
    const message = await member.command('/calls')
    const db = openElsewhere()
    db.exec('BEGIN IMMEDIATE')
    expect(await member.command('/calls missed')).toShow('Missed')
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    expect(await member.click(message, 'calls.page.next')).toShow('Page 2 of')
    db.exec('COMMIT')
    await admin.command('/calls timezone Asia/Tokyo')
    expect(await admin.command('/calls timezone')).toShow('Asia/Tokyo')
  })

  it('that never lets go is told as what it is, by /readyz too', async () => {
    openElsewhere().exec('BEGIN IMMEDIATE')
    await expect.poll(readiness, { ...soon, timeout: 12_000 }).toBe(503)
    await app.logged('database is locked')
  })
})

describe('a file that can be written no more', () => {
  it('lets people read and page, and takes this process out of service', async () => {
    const { member } = app
    expect(await readiness()).toBe(200)
    const message = await member.command('/calls')
    const full = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
    for (const change of ['INSERT', 'UPDATE'])
      openElsewhere().exec(`CREATE TRIGGER full_${change} BEFORE ${change} ON callboard_store ${full}`)
    const next = await member.click(message, 'calls.page.next')
    expect(next).toShow('Page 2 of')
    expect(await member.click(next, 'calls.page.last')).toShow('Page 15 of 15')
    expect(await member.command('/calls missed')).toShow('Missed')
    await expect.poll(readiness, soon).toBe(503)
    for (const change of ['INSERT', 'UPDATE']) openElsewhere().exec(`DROP TRIGGER full_${change}`)
    await expect.poll(readiness, soon).toBe(200)
  })

  it('that was overwritten takes this process out of service', async () => {
    expect(await readiness()).toBe(200)
    writeFileSync(app.storePath, Buffer.alloc(64 * 1024, 7))
    truncateSync(`${app.storePath}-wal`)
    await expect.poll(readiness, soon).toBe(503)
  })
})
