import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Store } from '../../src/store/store.ts'
import { useApp } from '../support/app.ts'

const app = useApp({ connected: true })

/** Another program that has the file open. */
function openElsewhere(): DatabaseSync {
  const db = new DatabaseSync(app.storePath)
  onTestFinished(() => db.close())
  return db
}

const readiness = async () => (await fetch(`${app.url}/readyz`)).status

it('asks the database at most once a second whether it is ready', async () => {
  using asked = vi.spyOn(Store.prototype, 'ready')
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const counts: number[] = []
  for (const ms of [0, 999, 1]) {
    vi.advanceTimersByTime(ms)
    expect(await readiness()).toBe(200)
    counts.push(asked.mock.calls.length)
  }
  expect(counts).toEqual([1, 1, 2])
})

describe('another program that writes', () => {
  it("doesn't block readers", async () => {
    const { admin, member } = app
    const message = await member.command('/calls')
    const db = openElsewhere()
    db.exec('BEGIN IMMEDIATE')
    expect(await member.command('/calls missed')).toShow('missed calls')
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    expect(await member.click(message, 'calls.page.next')).toShow('Page 2 of')
    db.exec('COMMIT')
    await admin.command('/calls timezone Asia/Tokyo')
    expect(await admin.command('/calls timezone')).toShow('Asia/Tokyo')
  })

  it('makes a change fail if it never ends, with the reason in the log', async () => {
    openElsewhere().exec('BEGIN IMMEDIATE')
    expect(await app.member.command('/calls timezone Asia/Tokyo')).toShow('something went wrong')
    await app.logged('database is locked')
    expect(await readiness()).toBe(200)
  })
})

it('a full disk still lets people read and turn pages', async () => {
  const { member } = app
  const message = await member.command('/calls')
  const full = "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
  for (const change of ['INSERT', 'UPDATE'])
    openElsewhere().exec(`CREATE TRIGGER full_${change} BEFORE ${change} ON callboard_store ${full}`)
  const next = await member.click(message, 'calls.page.next')
  expect(next).toShow('Page 2 of')
  expect(await member.click(next, 'calls.page.last')).toShow('Page 15 of 15')
  expect(await member.command('/calls missed')).toShow('missed calls')
  expect(await readiness()).toBe(200)
})
