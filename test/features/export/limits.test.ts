import { describe, expect, it } from 'vitest'
import { FileMemory } from '../../../src/features/export/memory.ts'
import { type TenantKey, tenantKey } from '../../../src/store/tenant.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { direct } from './exports.ts'

describe('the memory for files', () => {
  const { signal } = new AbortController()
  const [one, two, three] = ['T1', 'T2', 'T3'].map((teamId) => tenantKey({ teamId })) as [
    TenantKey,
    TenantKey,
    TenantKey,
  ]
  async function isSettled(work: Promise<unknown>) {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    await new Promise(setImmediate)
    return isDone
  }

  it.each([
    [200_000, 2],
    [25_000, 4],
    [5000, 40],
  ])('holds files of %i calls: %i at a time, without waiting for others', async (calls, maxFiles) => {
    const memory = new FileMemory()
    const size = memory.findSize(calls)
    for (let n = 0; n < maxFiles; n += 1) await size.reserve(one, signal)
    const next = size.reserve(two, signal)
    expect(await isSettled(next)).toBe(false)
    for (const others of [200_000, 25_000, 5000].filter((count) => count !== calls))
      expect(await isSettled(memory.findSize(others).reserve(two, signal))).toBe(true)
    size.release(one)
    expect(await isSettled(next)).toBe(true)
  })

  it('serves the workspaces first that have no file, in turn, and drops those that are cancelled', async () => {
    const size = new FileMemory().findSize()
    for (let n = 0; n < 2; n += 1) await size.reserve(one, signal)
    const again = size.reserve(one, signal)
    const cancelled = new AbortController()
    const dropped = size.reserve(two, cancelled.signal)
    const first = size.reserve(three, signal)
    cancelled.abort()
    await expect(dropped).rejects.toThrow('aborted')
    await expect(size.reserve(two, cancelled.signal)).rejects.toThrow('aborted')
    size.release(one)
    expect([await isSettled(again), await isSettled(first)]).toEqual([false, true])
    size.release(three)
    expect(await isSettled(again)).toBe(true)
  })

  it('never exceeds 140 MB with forty exports', () => {
    const sizes = [200_000, 25_000, 5000].map((calls) => new FileMemory().findSize(calls).maxBytes)
    expect(sizes).toEqual([40_000_000, 5_000_000, 1_000_000])
    expect(2 * 40_000_000 + 4 * 5_000_000 + 40 * 1_000_000).toBe(140_000_000)
  })
})

describe('with three other workspaces that export slowly', () => {
  const app = useApp(withOAuth)

  it('an export arrives as usual', async () => {
    const { slack, sandbox } = app
    for (let n = 0; n < 3; n++) {
      const { admin } = await installTeam(slack)
      await app.connect(sandbox.accounts.lively, admin)
      for (const words of ['missed', 'answered']) {
        slack.failNext('upload', { hang: true })
        await admin.command(`/calls export ${words}`)
      }
    }
    await expect.poll(() => slack.callsTo('upload').length).toBe(6)
    const { admin } = await installTeam(slack)
    await app.connect(sandbox.accounts.lively, admin)
    await admin.command('/calls export outgoing')
    await direct(slack, admin, 'Here are')
  })
})
