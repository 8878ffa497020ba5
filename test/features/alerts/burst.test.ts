import { expect, it } from 'vitest'
import { applyPoll } from '../../../src/features/alerts/watch.ts'
import type { AlertRecord, WatchRecord } from '../../../src/store/alerts.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { parseDay } from '../../../src/time/days.ts'
import { utcOffset } from '../../../src/time/zones.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const tenant = { enterpriseId: undefined, teamId: 'T1' }
const [from, to] = [parseDay('2026-11-19')!, parseDay('2026-11-20')!]
const range = { offset: utcOffset('+00:00'), from, to }
const toIds = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${20_000_000 + first + n}`)

/** Counts the turns that the event loop makes during the work. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const tick = () => {
    turns += 1
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isDone = true
  return turns
}

it('yields after each alert, with 20,000 new calls and 20,000 known ones', async () => {
  const count = 20_000
  const ids = toIds(count, count)
  const calls = ids.map(
    (id, n): Call => ({
      id,
      number: `+4930${1000 + (n % 60)}`,
      at: new Date(now - (n % 3600) * 1000),
      status: 'missed',
      direction: 'incoming',
      seconds: 0,
      cost: '0',
      recording: undefined,
    }),
  )
  const lines = Array.from({ length: 50 }, (_, n) => `+4930${1000 + n}`)
  const alerts = Array.from(
    { length: 10 },
    (_, n): AlertRecord => ({
      id: `a${n}`,
      tenant,
      channel: 'C1',
      owner: 'U1',
      since: 0,
      lines,
      threshold: { calls: 3, minutes: 10 },
    }),
  )
  const list = { range, readAt: now - 60_000, total: count, ids: toIds(0, count) }
  const watch: WatchRecord = { tenant, since: 0, list, alerts: {} }
  const reading = { range, calls, ids: [...list.ids, ...ids], isWhole: true, total: 2 * count }
  const poll = { at: now, reading, error: undefined }
  expect(await countTurns(() => applyPoll(watch, poll, alerts, now))).toBeGreaterThanOrEqual(alerts.length)
})
