import { expect, it } from 'vitest'
import { createSandbox } from '../../../../dev/service/app.ts'
import type { SandboxAccount } from '../../../../dev/service/sandbox-account.ts'
import { dayMs, hourMs } from '../../../../src/util/units.ts'
import { NOW, sandboxAtNow } from '../support.ts'

const lively = sandboxAtNow().accounts.lively

const all = (account: SandboxAccount) => [...account.calls('incoming'), ...account.calls('outgoing')]

it('adds calls as time goes on, and keeps the old ones', async () => {
  let now = NOW
  const running = createSandbox({ now: () => now })
  const before = running.accounts.lively.calls('incoming')
  for (const hours of [1, 24, 24 * 40]) {
    now = new Date(NOW.getTime() + hours * hourMs)
    const calls = running.accounts.lively.calls('incoming')
    expect(calls.slice(calls.length - before.length)).toEqual(before)
    expect(now.getTime() - calls[0]!.at.getTime()).toBeLessThan(dayMs)
  }
  const ids = all(running.accounts.lively).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

it('the lively account has only fictional numbers', () => {
  const numbers = all(lively).map(({ number }) => number)
  numbers.push(...lively.agents.map(({ callerId }) => callerId))
  const fictitious = /^\+(120255501\d\d|442079460\d{3}|493023125\d{3}|331990\d{5,6})$/
  expect(numbers.filter((number) => !fictitious.test(number))).toEqual([])
})

it.each([
  // Berlin forward and back, New York forward and back.
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
])('there are calls of both directions around the clock change of %s', (text) => {
  const change = new Date(text).getTime()
  for (const direction of ['incoming', 'outgoing'] as const) {
    const seconds = lively.calls(direction).map(({ at }) => (at.getTime() - change) / 1000)
    expect(seconds).toEqual(expect.arrayContaining([-3600, -1, 0, 1, 3599, 3600]))
  }
})
