import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { countCalls, useWatched } from './watched.ts'

const { app, watched } = useWatched()

/** Returns the offset of the latest request. */
const getOffset = () => app.sandbox.requests.entries('incoming').at(-1)?.params['timezone']

describe('each missed call is posted once', () => {
  it('if it was missed after the alert was saved', async () => {
    watched.miss(5)
    await app.jobsDone()
    app.clock.ahead += 5000
    const channel = await watched.add()
    await watched.watch(3)
    expect(watched.posts(channel)).toEqual([])
    await watched.missed(1)
    expect(watched.counts(channel)).toEqual([1])
  })

  it('by each of two alerts, with one request per poll if nothing is new', async () => {
    // At midnight, the range changes.
    watched.setTime('10:00')
    const channels = [await watched.add(), await watched.add()] as const
    await watched.missed(45)
    for (const channel of channels) expect(watched.counts(channel)).toEqual([45])
    await watched.pass(minuteMs)
    const before = watched.looks
    await watched.watch(5)
    expect(watched.looks - before).toBe(5)
    await watched.missed(2)
    // All new calls are on the first page.
    expect(watched.looks - before).toBe(6)
    expect(watched.counts(channels[0])).toEqual([47])
  })

  it('in one message, even in a burst of 1,500', async () => {
    const channel = await watched.add()
    watched.miss(1500)
    await watched.watch(2)
    expect(watched.post(channel)).toShow('1,500 missed calls since', 'The oldest 500 are only counted')
    // A message has up to 1,000 calls that can be taken.
    await watched.missed(1)
    expect(watched.posts(channel)[1]).toShow('Missed call at')
    expect(await app.member.command('/calls open')).toShow('1,001 missed calls are waiting')
  })

  it('after a restart, in one message', async () => {
    const channel = await watched.add()
    await watched.missed(2)
    await app.restart(() => {
      app.clock.ahead += 2 * hourMs
      watched.miss(1)
      app.clock.ahead += hourMs
      watched.miss(2)
      app.clock.ahead += 1000
    })
    await watched.watch(2)
    const [before, late, ...more] = watched.posts(channel)
    expect(before).toShow('2 missed calls since')
    expect(late).toShow('3 missed calls since')
    expect(more).toEqual([])
  })

  it('after the same account was connected again', async () => {
    const channel = await watched.add()
    await watched.missed(2)
    await app.disconnect()
    await watched.watch(2)
    watched.miss(1)
    app.clock.ahead += 2000
    Object.assign(watched.account, { secret: 'changed since' })
    await watched.connect()
    await watched.watch(2)
    expect(watched.counts(channel)).toEqual([3])
  })

  it('after another account was connected: only calls from then on', async () => {
    const channel = await watched.add()
    await watched.missed(1)
    const { lively } = app.sandbox.accounts
    lively.missCalls(3)
    app.clock.ahead += 2000
    await app.connect(lively)
    await watched.pass(minuteMs)
    expect(watched.counts(channel)).toEqual([1])
  })

  it.each<readonly [string, (list: Message) => Promise<unknown>]>([
    ['is muted for good', (list) => watched.alerts.click(list, 'Mute until turned on')],
    ['is muted', (list) => watched.alerts.click(list, 'Mute for an hour')],
    [
      'goes to another channel',
      async (list) => app.member.submit(await watched.alerts.edit(list), { channel: app.slack.general.id }),
    ],
  ])('but not if the alert %s while another alert is posted', async (_, change) => {
    const [first, second] = [await watched.add(), await watched.add()]
    const list = await watched.alerts.list()
    const ofSecond = list.blocks.findIndex((block) => JSON.stringify(block).includes(second.id))
    watched.miss(1)
    const ofSecondAlert = { ...list, blocks: list.blocks.slice(ofSecond) }
    await watched.whileSlackHangs('chat.postMessage', () => change(ofSecondAlert))
    await watched.watch(2)
    expect(watched.posts(first)).toHaveLength(1)
    expect(watched.posts(second)).toEqual([])
  })

  it('if the process ended before any of its writes', async () => {
    const channel = await watched.add()
    const rounds = 10
    for (let writes = 0; writes < rounds; writes += 1) {
      watched.miss(2)
      await watched.kill(writes)
    }
    const counts = [...watched.messages(channel).values()].map(countCalls)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * rounds)
    expect(await app.member.command('/calls open')).toShow(`${2 * rounds} missed calls are waiting`)
  })

  it('if the next job could not be stored', async () => {
    const channel = await watched.add()
    const allow = app.stored.refuse('job:alert-polls')
    await watched.alerts.click(await watched.alerts.list(), 'Mute for an hour')
    allow()
    await watched.watch(2)
    await watched.pass(hourMs)
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('around midnight', async () => {
    watched.setTime('23:50')
    const channel = await watched.add()
    watched.miss(1)
    await watched.watch(5)
    watched.miss(24)
    // No poll before midnight.
    await watched.pass(9 * minuteMs)
    watched.miss(1)
    await watched.watch(2)
    expect(watched.posts(channel).at(-1)).toShow('25 missed calls since', ', 23:5')
    expect(watched.total(channel)).toBe(26)
    await watched.pass(5 * hourMs)
    await watched.watch(8)
    expect(watched.total(channel)).toBe(26)
  })

  it('after a change of time zone, in the new one', async () => {
    const { admin, slack } = app
    watched.setTime('12:00')
    const channel = await watched.add()
    await watched.missed(2)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since 12:00')
    await slack.as(admin.user, { channel }).command('/calls timezone +05:00')
    await watched.watch(2)
    await watched.missed(1)
    expect(watched.counts(channel)).toEqual([3])
    expect(watched.posts(channel)[0]).toShow('3 missed calls since 17:00', 'Times in UTC+05:00')
    // Polls use the workspace's days.
    expect(getOffset()).toBe('+00:00')
    const { key, secret } = watched.account
    const zone = { text: { type: 'plain_text', text: 'Auckland' }, value: 'Pacific/Auckland' }
    const modal = await admin.submit(await admin.open('/calls connect'), { key, secret, zone })
    await admin.sees(modal, 'Connected')
    await watched.watch(2)
    expect(getOffset()).toMatch(/^\+1[23]:00$/)
    await watched.missed(1)
    expect(watched.counts(channel)).toEqual([4])
  })
})
