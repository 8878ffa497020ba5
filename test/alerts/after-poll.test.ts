import { expect, it } from 'vitest'
import { afterPoll } from '../../src/alerts/after-poll.ts'
import type { AlertRecord, WatchRecord } from '../../src/store/alerts.ts'
import type { Call } from '../../src/telephony/types.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
const tenant = { enterpriseId: undefined, teamId: 'T1' }

it('a call that comes to the lists of two agents one after the other is counted once', () => {
  const alert: AlertRecord = {
    id: 'a',
    tenant,
    channel: 'C1',
    owner: 'U1',
    since: 0,
    lines: [],
    agents: ['1001', '1002'].map((id) => ({ id, name: id })),
    threshold: { calls: 2, minutes: 10 },
    isPaused: false,
  }
  const call: Call = {
    id: 'c1',
    direction: 'incoming',
    number: '+4930123',
    at: new Date(now - minute),
    seconds: 0,
    status: 'missed',
    cost: '0',
    recording: undefined,
  }
  const pollOf = (watch: WatchRecord, agentId: string, at: number) =>
    afterPoll(
      watch,
      {
        at,
        polledAt: undefined,
        tookMs: 0,
        account: { id: 'k', connectedAt: 0 },
        news: new Map([[agentId, { calls: [call], end: { range: 'today', total: 1 } }]]),
        refused: new Set(),
        error: undefined,
      },
      [alert],
      { everyMs: minute, now: at },
    )
  const first = pollOf({ tenant, since: 0, lists: {}, alerts: {} }, '1001', now)
  const second = pollOf(first, '1002', now + minute)
  expect(second.alerts).toEqual(first.alerts)
  expect(second.alerts['a']?.below).toHaveLength(1)
})
