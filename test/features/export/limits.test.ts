import { describe, expect, it } from 'vitest'
import { estimateFileBytes, FileMemory } from '../../../src/features/export/run.ts'
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

  it('makes large files wait until others are released, but not small ones', async () => {
    const memory = new FileMemory()
    const large = estimateFileBytes(200_000)
    await memory.reserve(large, signal)
    await memory.reserve(large, signal)
    const third = memory.reserve(large, signal)
    expect(await isSettled(third)).toBe(false)
    for (let n = 0; n < 40; n++)
      expect(await isSettled(memory.reserve(estimateFileBytes(2000), signal))).toBe(true)
    memory.release(large)
    expect(await isSettled(third)).toBe(true)
  })

  it('ends the wait of a cancelled export', async () => {
    const memory = new FileMemory()
    const cancelled = new AbortController()
    for (let n = 0; n < 2; n++) await memory.reserve(estimateFileBytes(), signal)
    const third = memory.reserve(estimateFileBytes(), cancelled.signal)
    cancelled.abort()
    await expect(third).rejects.toThrow('aborted')
  })

  it('never exceeds 100 MB with forty exports', () => {
    expect(estimateFileBytes(3_000_000)).toBe(estimateFileBytes(200_000))
    expect(80_000_000 + 40 * estimateFileBytes(0)).toBe(100_000_000)
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
