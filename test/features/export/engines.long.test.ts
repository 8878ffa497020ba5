import { describe, expect, it } from 'vitest'
import { dayMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { createDatabase } from '../../support/shared/database.ts'
import { direct, directMessages, expectCalls, getFiles, rowsOfFile } from './exports.ts'

const inPostgres = async () => ({ storeUrl: await createDatabase() })

describe.each([
  ['in the process', {}],
  ['pg-boss', { config: inPostgres }],
])('an export of many calls: %s', (_, options) => {
  const app = useApp({ connected: true, calls: 100_000, ...options })
  const calls = () => app.sandbox.accounts.lively.calls('incoming')

  it('is cancelled within 2 s without leftovers', { timeout: 30_000 }, async () => {
    const { member, slack, sandbox } = app
    sandbox.faults.always({ kind: 'delay', ms: 50 })
    expect(await member.command('/calls export')).toShow('Exporting incoming calls')
    await expect.poll(() => sandbox.requests.count('incoming'), { timeout: 8000 }).toBeGreaterThan(20)
    const [message] = directMessages(slack, member)
    const start = performance.now()
    await member.press(message!, 'calls.export-cancel')
    await direct(slack, member, 'Export cancelled')
    expect(performance.now() - start).toBeLessThan(2000)
    const asked = sandbox.requests.count()
    // The next one starts at once, because nothing of the first is left.
    sandbox.faults.clear()
    await member.command('/calls export yesterday')
    await expect.poll(() => directMessages(slack, member).length, { timeout: 8000 }).toBeGreaterThan(1)
    expect(sandbox.requests.count()).toBeLessThan(asked + 100)
    expect(slack.files.filter(({ name }) => name.includes('until'))).toEqual([])
  })

  it('contains each call once, although calls are added and pages fail', { timeout: 150_000 }, async () => {
    const { member, slack, sandbox } = app
    const { lively } = sandbox.accounts
    const today = new Date()
    const days = [10, 1].map((ago) => new Date(today.getTime() - ago * dayMs).toISOString().slice(0, 10))
    await member.command('/calls timezone UTC')
    sandbox.faults.every(10, { kind: 'status', status: 500 })
    const since = Date.parse(`${days[0]}T00:00:00Z`)
    const before = Date.parse(`${days[1]}T00:00:00Z`) + dayMs
    const wanted = calls().filter(({ at }) => at.getTime() >= since && at.getTime() < before)
    await member.command(`/calls export ${days[0]}..${days[1]}`)
    let n = 0
    const coming = setInterval(() => {
      n += 1
      lively.addCalls({ ...calls()[0]!, id: `new${n}`, at: new Date(before - 1000 + n) })
    }, 200)
    await direct(slack, member, 'Here are', 120_000)
    clearInterval(coming)
    const rows = rowsOfFile(slack, member)
    expect(new Set(rows.map(({ ID }) => ID)).size).toBe(rows.length)
    expectCalls(
      rows.filter(({ ID = '' }) => !ID.startsWith('new')),
      wanted,
    )
    expect(wanted.length).toBeGreaterThan(3000)
    expect(getFiles(slack, member)).toHaveLength(1)
  })
})
