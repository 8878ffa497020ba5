import { beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { hour, minute, Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

describe('each missed call is told once', () => {
  it('from when the alert was made on', async () => {
    watched.miss(5)
    await app.jobsDone()
    app.clock.ahead += 5000
    const channel = await watched.add()
    await watched.watch(3)
    expect(watched.posts(channel)).toEqual([])
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(watched.posts(channel)[0]).toShow('Missed call at')
  })

  it('by one request a look where nothing is new, whatever has been missed before', async () => {
    // At midnight, other days are asked for.
    watched.setTime('10:00')
    const channel = await watched.add()
    watched.miss(45)
    await watched.pass(minute)
    expect(watched.posts(channel)[0]).toShow('45 missed calls since')
    await watched.pass(minute)
    const before = watched.looks
    await watched.watch(5)
    expect(watched.looks - before).toBe(5)
    watched.miss(2)
    await watched.pass(minute)
    // They are on the first page, as many as there are more.
    expect(watched.looks - before).toBe(6)
    expect(watched.posts(channel)[0]).toShow('47 missed calls since')
  })

  it('in a burst of 500: by one message, and none is dropped', async () => {
    const channel = await watched.add()
    watched.miss(500)
    await watched.watch(2)
    const [post, ...more] = watched.posts(channel)
    expect(more).toEqual([])
    expect(post).toShow('500 missed calls since', 'Of the latest 200, ', 'Latest 10 of 500.')
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)[0]).toShow('501 missed calls since')
  })

  it('on whatever page the service shows it', async () => {
    const channel = await watched.add()
    watched.miss(60)
    await watched.pass(minute)
    // As a service does that sorts otherwise: one of them is older than all that are known.
    const [first] = watched.account
      .calls('incoming')
      .filter(({ answered }) => !answered)
      .slice(-1)
    watched.account.addCalls({ ...first!, id: 'late-1', at: new Date(watched.now - 20 * minute * 1000) })
    await watched.pass(minute)
    expect(watched.posts(channel)[0]).toShow('60 missed calls since')
    const { since } = (await watched.planned.kept())[0]!
    watched.account.addCalls({ ...first!, id: 'late-2', at: new Date(since + 1000) })
    await watched.pass(minute)
    expect(watched.posts(channel)[0]).toShow('61 missed calls since')
  })

  it('after a restart, and what was missed meanwhile in one message that says so', async () => {
    const channel = await watched.add()
    watched.miss(2)
    await watched.pass(minute)
    await app.restart(() => {
      app.clock.ahead += 2 * hour * 1000
      watched.miss(1)
      app.clock.ahead += hour * 1000
      watched.miss(2)
      app.clock.ahead += 1000
    })
    await watched.watch(2)
    const [before, late, ...more] = watched.posts(channel)
    expect(before).toShow('2 missed calls since')
    expect(late).toShow('3 missed calls since', 'Posted up to 1 h')
    expect(more).toEqual([])
  })

  it('and what is older than a day by then is not told, but counted', async () => {
    const channel = await watched.add()
    await app.restart(() => {
      watched.setTime('09:00')
      watched.miss(4)
      app.clock.ahead += 25 * hour * 1000
      watched.miss(1)
      app.clock.ahead += 2 * hour * 1000
    })
    await watched.watch(2)
    const [late, ...more] = watched.posts(channel)
    expect(late).toShow('Missed call at', 'Posted up to 2 h', '4 more were missed over a day ago')
    expect(more).toEqual([])
  })

  it('after the same account is connected again, also with another secret', async () => {
    const channel = await watched.add()
    watched.miss(2)
    await watched.pass(minute)
    await app.disconnect()
    await watched.watch(2)
    watched.miss(1)
    await watched.connect()
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(watched.posts(channel)[0]).toShow('3 missed calls since')
  })

  it('and an account that is connected in place of another one begins anew', async () => {
    const channel = await watched.add()
    watched.miss(1)
    await watched.pass(minute)
    const { lively } = app.sandbox.accounts
    lively.missCalls(3)
    app.clock.ahead += 2000
    await app.connect(lively)
    await watched.pass(1)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(watched.posts(channel)[0]).toShow('Missed call at')
  })

  it('by an account that two alerts are for, to each of them', async () => {
    const channels = [await watched.add(), await watched.add()]
    watched.miss(3)
    await watched.pass(minute)
    for (const channel of channels) {
      expect(watched.posts(channel)).toHaveLength(1)
      expect(watched.posts(channel)[0]).toShow('3 missed calls since')
    }
    const before = watched.looks
    await watched.watch(3)
    expect(watched.looks - before).toBe(3)
  })

  it('not for an alert that is deleted; and nobody asks for calls that nobody is told of', async () => {
    const channel = await watched.add()
    await watched.planned.click(await watched.planned.list(), 'delete', 'Delete alert…')
    await watched.pass(minute)
    const before = watched.looks
    watched.miss(1)
    await watched.watch(3)
    expect(watched.posts(channel)).toEqual([])
    expect(watched.looks).toBe(before)
  })

  it.each([
    ['delete', 'Delete alert…'],
    ['pause', undefined],
  ])('not for an alert that has %s clicked while its account is looked at', async (action, choice) => {
    const channel = await watched.add()
    const list = await watched.planned.list()
    watched.miss(1)
    const { faults, requests } = app.sandbox
    const before = requests.count('incoming')
    faults.next({ kind: 'delay', ms: 500 }, { operation: 'incoming' })
    app.clock.ahead += minute * 1000
    await expect.poll(() => requests.count('incoming')).toBeGreaterThan(before)
    await watched.planned.click(list, action, choice)
    await watched.watch(2)
    expect(watched.posts(channel)).toEqual([])
  })

  it.each<readonly [string, (list: Message) => Promise<unknown>]>([
    ['is paused', (list) => watched.planned.click(list, 'pause')],
    ['is muted', (list) => watched.planned.click(list, 'mute', 'Mute for an hour')],
    [
      'goes to another channel',
      async (list) => {
        const form = await app.member.open(list, 'calls.alert.edit')
        const view = await app.member.submit(form, { channel: app.slack.general.id })
        await app.member.sees(view, 'Saved.')
      },
    ],
  ])('not where its alert %s while another one of the same turn is posted', async (_, change) => {
    const [first, second] = [await watched.add(), await watched.add()]
    const list = await watched.planned.list()
    const ofSecond = list.blocks.findIndex((block) => JSON.stringify(block).includes(second.id))
    watched.miss(1)
    app.slack.failNext('chat.postMessage', { delayMs: 700 })
    app.clock.ahead += minute * 1000
    await expect.poll(() => app.slack.callsTo('chat.postMessage').length).toBe(1)
    await change({ ...list, blocks: list.blocks.slice(ofSecond) })
    await app.jobsDone()
    await watched.watch(2)
    expect(watched.posts(first)).toHaveLength(1)
    expect(watched.posts(second)).toEqual([])
  })

  it('at its time, though a process ended before it kept when that is', async () => {
    watched.setTime('20:00')
    const channel = await watched.add()
    await watched.planned.store(async (store, tenant) => {
      const [alert] = await store.alerts.all(tenant)
      const night = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '17:00' }
      await store.alerts.set(tenant, alert!.id, { ...alert!, hours: night })
    })
    watched.miss(2)
    const allow = watched.refuseChanges('watches-%')
    await watched.pass(minute)
    allow()
    await watched.watch(2)
    await watched.pass(13 * hour)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since')
  })

  it('though a process ended before it noted them as seen, and the next look found some of them alone', async () => {
    const channel = await watched.add()
    watched.miss(45)
    const allow = watched.refuseChanges('shard-polls')
    await watched.pass(minute)
    expect(watched.posts(channel)[0]).toShow('45 missed calls since')
    allow()
    watched.miss(1)
    const { faults, requests } = app.sandbox
    const before = requests.count('incoming')
    // The first page comes as it is, and no other one.
    faults.next({ kind: 'set' }, { operation: 'incoming' })
    faults.always({ kind: 'status', status: 503 }, { operation: 'incoming' })
    await watched.pass(minute)
    expect(requests.count('incoming')).toBeGreaterThan(before)
    faults.clear()
    await watched.watch(9)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(watched.posts(channel)[0]).toShow('46 missed calls since')
  })

  it('though the job that is to watch from now on was not kept', async () => {
    const channel = await watched.add()
    const allow = watched.refuseChanges('job:alert-polls')
    await watched.planned.click(await watched.planned.list(), 'mute', 'Mute for an hour')
    allow()
    await watched.watch(2)
    await watched.pass(hour)
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)).toHaveLength(1)
  })
})
