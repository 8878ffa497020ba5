import { describe, expect, it } from 'vitest'
import { estimateFileBytes, FileMemory } from '../../../src/features/export/memory.ts'
import { type TenantKey, tenantKey } from '../../../src/store/tenant.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { direct } from './exports.ts'

describe('the memory for files', () => {
  const { signal } = new AbortController()
  const isSettled = async (work: Promise<unknown>) => {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    await new Promise(setImmediate)
    return isDone
  }

  const [one, two, three] = ['T1', 'T2', 'T3'].map((teamId) => tenantKey({ teamId })) as [
    TenantKey,
    TenantKey,
    TenantKey,
  ]
  const large = estimateFileBytes(200_000)

  it('makes large files wait for each other, but neither medium nor small ones', async () => {
    const memory = new FileMemory()
    for (const tenant of [one, two]) await memory.reserve(tenant, large, signal)
    const third = memory.reserve(three, large, signal)
    expect(await isSettled(third)).toBe(false)
    for (let n = 0; n < 4; n++)
      expect(await isSettled(memory.reserve(three, estimateFileBytes(25_000), signal))).toBe(true)
    for (let n = 0; n < 40; n++)
      expect(await isSettled(memory.reserve(three, estimateFileBytes(5000), signal))).toBe(true)
    expect(await isSettled(memory.reserve(three, estimateFileBytes(3000), signal))).toBe(true)
    memory.release(one, large)
    expect(await isSettled(third)).toBe(true)
  })

  it('serves the workspace first that holds the least', async () => {
    const memory = new FileMemory()
    for (let n = 0; n < 2; n++) await memory.reserve(one, large, signal)
    const again = memory.reserve(one, large, signal)
    const first = memory.reserve(two, large, signal)
    memory.release(one, large)
    expect([await isSettled(again), await isSettled(first)]).toEqual([false, true])
    memory.release(one, large)
    expect(await isSettled(again)).toBe(true)
  })

  it('lets nobody overtake a file for which there is too little', async () => {
    const memory = new FileMemory()
    const half = estimateFileBytes(100_000)
    for (let n = 0; n < 3; n++) await memory.reserve(one, half, signal)
    const cancelled = new AbortController()
    const waiting = memory.reserve(two, large, cancelled.signal)
    const next = memory.reserve(three, half, signal)
    expect([await isSettled(waiting.catch(() => {})), await isSettled(next)]).toEqual([false, false])
    cancelled.abort()
    await expect(waiting).rejects.toThrow('aborted')
    expect(await isSettled(next)).toBe(true)
  })

  it('never exceeds 140 MB with forty exports', () => {
    expect(estimateFileBytes(3_000_000)).toBe(large)
    expect(20_000_000 + 80_000_000 + 40 * estimateFileBytes(0)).toBe(140_000_000)
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
