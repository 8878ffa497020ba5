import { expect, it } from 'vitest'
import { applyPoll } from '../../../src/features/alerts/watch.ts'
import type { AlertRecord, WatchRecord } from '../../../src/store/alerts.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { parseDay } from '../../../src/time/days.ts'
import { utcOffset } from '../../../src/time/offsets.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const tenant = { enterpriseId: undefined, teamId: 'T1' }
const [from, to] = [parseDay('2026-11-19')!, parseDay('2026-11-20')!]
const range = { offset: utcOffset('+00:00'), from, to }
const toIds = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${20_000_000 + first + n}`)

/** Returns the longest time for which the work keeps everything else waiting. */
async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isDone] = [0, performance.now(), false]
  const tick = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  longest = Math.max(longest, performance.now() - last)
  isDone = true
  return longest
}

it('20,000 new calls against 20,000 known ones block nothing for more than 50 ms', async () => {
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
  const list = { range, readAt: now - 60_000, total: count, ids: toIds(0, count), earlierIds: [] }
  const watch: WatchRecord = { tenant, since: 0, list, alerts: {} }
  const reading = { range, calls, ids: [...list.ids, ...ids], isWhole: true, total: 2 * count }
  const blocks: number[] = []
  for (let run = 0; run < 3; run += 1)
    blocks.push(
      await measureLongestBlock(() => applyPoll(watch, { at: now, reading, error: undefined }, alerts, now)),
    )
  expect(Math.min(...blocks)).toBeLessThan(50)
})
