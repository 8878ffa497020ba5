import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../dev/service/app.ts'
import type { SandboxAccount } from '../../../../dev/service/sandbox-account.ts'
import type { SandboxCall } from '../../../../dev/service/types.ts'
import { ask, NOW, sandboxAt } from '../support.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const lively = sandboxAt().accounts.lively

function all(account: SandboxAccount): SandboxCall[] {
  return [...account.calls('incoming'), ...account.calls('outgoing')]
}

function later(ms: number): Date {
  return new Date(NOW.getTime() + ms)
}

describe('the same seed', () => {
  it('gives the same data at the same time', () => {
    const again = sandboxAt().accounts
    expect(all(again.lively)).toEqual(all(lively))
    expect(again.lively.agents).toEqual(lively.agents)
    expect(all(again.quiet)).toEqual(all(sandboxAt().accounts.quiet))
  })

  it('gives other data than another seed, under the same keys', () => {
    const other = sandboxAt(NOW, { seed: 2 }).accounts.lively
    expect(all(other)).not.toEqual(all(lively))
    expect([other.key, other.secret]).toEqual([lively.key, lively.secret])
    expect(other.agents[0]?.sipPassword).not.toBe(lively.agents[0]?.sipPassword)
  })

  it.each([HOUR, 10 * HOUR])('keeps every call over a restart %d ms later the same day', (ms) => {
    const restarted = sandboxAt(later(ms)).accounts
    for (const direction of ['incoming', 'outgoing'] as const) {
      const before = lively.calls(direction)
      const after = restarted.lively.calls(direction)
      expect(after.length).toBeGreaterThan(before.length)
      expect(after.slice(after.length - before.length)).toEqual(before)
    }
    expect(restarted.quiet.calls('incoming')).toEqual(sandboxAt().accounts.quiet.calls('incoming'))
  })

  it('keeps what is left in the window over a restart on another day', () => {
    const before = new Map(all(lively).map((call) => [call.id, call]))
    const after = all(sandboxAt(later(3 * DAY)).accounts.lively)
    const kept = after.filter(({ at, agentId }) => at <= NOW && agentId !== '1012')
    expect(kept.length).toBeGreaterThan(4000)
    for (const call of kept) expect(before.get(call.id)).toEqual(call)
  })
})

it('misses as many calls a day as it is told to, besides those that it would have anyway', () => {
  const more = all(sandboxAt(NOW, { missedADay: 2 }).accounts.lively)
  const usual = new Set(all(lively).map(({ id }) => id))
  expect(more.filter(({ id }) => usual.has(id))).toEqual(all(lively))
  const added = more.filter(({ id }) => !usual.has(id))
  expect(added.every(({ answered, direction }) => !answered && direction === 'incoming')).toBe(true)
  const yesterday = later(-DAY).toISOString().slice(0, 10)
  expect(added.filter(({ at }) => at.toISOString().startsWith(yesterday))).toHaveLength(2)
})

describe('as time goes on', () => {
  it('new calls appear and the old ones stay', async () => {
    let now = NOW
    const running = createSandbox({ now: () => now })
    const before = running.accounts.lively.calls('incoming')
    for (const hours of [1, 24, 24 * 5, 24 * 40]) {
      now = later(hours * HOUR)
      const calls = running.accounts.lively.calls('incoming')
      expect(calls.slice(calls.length - before.length)).toEqual(before)
      expect(calls[0]!.at <= now).toBe(true)
      expect(now.getTime() - calls[0]!.at.getTime()).toBeLessThan(DAY)
      expect((await ask(running, 'incoming')).body.total_record).toBe(String(calls.length))
    }
    expect(all(running.accounts.lively)).toHaveLength(
      new Set(all(running.accounts.lively).map(({ id }) => id)).size,
    )
  })

  it('shows a call from its own second on', () => {
    const next = sandboxAt(later(DAY))
      .accounts.lively.calls('incoming')
      .findLast(({ at }) => at > NOW)!
    const shown = (now: Date) =>
      sandboxAt(now)
        .accounts.lively.calls('incoming')
        .some(({ id }) => id === next.id)
    expect(shown(new Date(next.at.getTime() - 1))).toBe(false)
    expect(shown(next.at)).toBe(true)
  })
})

describe('the lively account', () => {
  it('has several thousand calls over ninety days, each with an id of its own', () => {
    const calls = all(lively)
    expect(calls.length).toBeGreaterThan(4200)
    expect(calls.length).toBeLessThan(5200)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(Math.min(...calls.map(({ at }) => at.getTime()))).toBeLessThan(NOW.getTime() - 89 * DAY)
    expect(calls.every(({ at }) => at <= NOW && at.getMilliseconds() === 0)).toBe(true)
  })

  it.each([0, 500, 20_000])('can be asked to have about %d', (calls) => {
    const made = all(sandboxAt(NOW, { calls }).accounts.lively).length
    expect(Math.abs(made - calls)).toBeLessThan(180 + calls * 0.08)
  })

  it.each([-1, Number.NaN, 2_000_000])('cannot be asked to have %d', (calls) => {
    expect(() => sandboxAt(NOW, { calls })).toThrow(RangeError)
  })

  it('is busiest in office hours on weekdays', () => {
    const calls = all(lively)
    const berlin = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      weekday: 'short',
      hour: '2-digit',
    })
    const office = calls.filter(({ at }) => {
      const parts = Object.fromEntries(berlin.formatToParts(at).map(({ type, value }) => [type, value]))
      return !parts['weekday']?.startsWith('S') && Number(parts['hour']) >= 8 && Number(parts['hour']) < 18
    })
    expect(office.length / calls.length).toBeGreaterThan(0.65)
  })

  it('holds numbers set aside for fiction only', () => {
    const numbers = [
      ...all(lively).map(({ number }) => number),
      ...lively.agents.map(({ callerId }) => callerId),
    ]
    const fictitious = /^\+(120255501\d\d|442079460\d{3}|493023125\d{3}|331990\d{5,6})$/
    expect(numbers.filter((number) => !fictitious.test(number))).toEqual([])
  })
})

describe('clock changes', () => {
  it.each([
    // Berlin forward and back, New York forward and back.
    '2026-03-29T01:00:00Z',
    '2026-10-25T01:00:00Z',
    '2026-03-08T07:00:00Z',
    '2026-11-01T06:00:00Z',
  ])('there are calls of both directions around %s', (text) => {
    const change = new Date(text).getTime()
    for (const direction of ['incoming', 'outgoing'] as const) {
      const seconds = lively.calls(direction).map(({ at }) => (at.getTime() - change) / 1000)
      expect(seconds).toEqual(expect.arrayContaining([-3600, -1, 0, 1, 3599, 3600]))
    }
  })

  it.each(['2027-02-10T12:00:00Z', '2026-07-01T00:00:00Z'])(
    'the latest two of each zone are there at %s',
    (text) => {
      const now = new Date(text)
      const calls = sandboxAt(now).accounts.lively.calls('incoming')
      const changes = [
        '2026-10-25T01:00:00Z',
        '2026-11-01T06:00:00Z',
        '2026-03-29T01:00:00Z',
        '2026-03-08T07:00:00Z',
      ]
        .concat('2025-10-26T01:00:00Z', '2025-11-02T06:00:00Z')
        .map((change) => new Date(change))
        .filter((change) => change < now)
        .slice(0, 4)
      expect(changes).toHaveLength(4)
      for (const change of changes)
        expect(calls.some(({ at }) => at.getTime() === change.getTime())).toBe(true)
    },
  )

  it('those that a running sandbox lives through get theirs', () => {
    let now = new Date('2026-10-20T12:00:00Z')
    const running = createSandbox({ now: () => now })
    running.accounts.lively.calls('incoming')
    now = NOW
    const times = running.accounts.lively.calls('incoming').map(({ at }) => at.toISOString())
    expect(times).toEqual(expect.arrayContaining(['2026-10-25T01:00:00.000Z', '2026-11-01T06:00:00.000Z']))
  })
})
