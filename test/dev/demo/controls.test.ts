import { expect, it } from 'vitest'
import { hourMs } from '../../../src/util/units.ts'
import { start } from './started-demo.ts'

it("adds missed calls to the phone account of the person's workspace", async () => {
  const demo = await start()
  const { lively, quiet } = demo.sandbox.accounts
  const before = lively.calls('incoming').length
  const missCalls = async (count: number) => (await demo.act({ kind: 'missed', count })).json()
  const one = await missCalls(1)
  expect(one).toEqual({
    note: expect.stringMatching(/^A call just came in on (Support Berlin|Sales \w+) and was missed\.$/),
  })
  const { note } = (await missCalls(40)) as { note: string }
  const counts = [...note.matchAll(/(\d+) on S/g)].map(([, count]) => Number(count))
  expect(note).toMatch(/^40 calls were missed now: \d+ on /)
  expect(counts.reduce((sum, count) => sum + count)).toBe(40)
  expect(lively.calls('incoming')).toHaveLength(before + 41)
  expect(await demo.write('/calls missed today')).toMatch(/\d missed calls? today/)
  const [, bakery] = (await demo.state()).workspaces
  await demo.act({ kind: 'missed', count: 2, user: bakery?.user })
  expect(quiet.calls('incoming')).toHaveLength(5)
  expect((await demo.act({ kind: 'missed', count: 0 })).status).toBe(400)
})

it('moves the clock of the app, the phone service and Slack', async () => {
  const demo = await start()
  const { aheadMs: beforeMs } = await demo.state()
  await demo.act({ kind: 'clock', to: 'hour' })
  // Two clock readings may be a few milliseconds apart.
  expect((await demo.state()).aheadMs / hourMs).toBeCloseTo(beforeMs / hourMs + 1, 3)

  await demo.write('/calls timezone Asia/Tokyo')
  const now = demo.clock.now()
  await demo.act({ kind: 'clock', to: 'weekday-morning' })
  const { aheadMs } = await demo.state()
  const tokyo = new Intl.DateTimeFormat('en', {
    timeZone: 'Asia/Tokyo',
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  })
  expect(tokyo.format(Date.now() + aheadMs)).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? 0?9$/)
  expect(Date.now() + aheadMs).toBeGreaterThan(now)

  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(Date.now() + aheadMs)
  const [call] = demo.sandbox.accounts.lively.missCalls(1)
  expect(call?.at.getTime()).toBeGreaterThan(Date.now() + aheadMs - 60_000)
  expect(await demo.write(`/calls missed ${today}`)).toMatch(/\d missed calls? today/)
  const { messages } = await demo.state()
  expect(Number(messages.at(-1)?.ts) * 1000).toBeGreaterThan(Date.now() + aheadMs - 60_000)
})
