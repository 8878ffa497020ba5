import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { toOption } from './alerts.ts'
import { everyDay, useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '06:00' })

/** Sets up another alert for a channel, and returns what the person is told. */
async function addTo(channel: Channel, values: object) {
  const view = await watched.alerts.add({ channel: channel.id, ...values })
  await app.member.sees(view, 'Saved.')
  await app.jobsDone()
  return view
}

describe('a conversation shows a call once', () => {
  it('although two alerts find it, which is said when the second is saved', async () => {
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add({ lines: toOption(first) })
    expect(await addTo(channel, { lines: toOption(second) })).not.toShow('Another alert here')
    const both = await addTo(channel, {})
    expect(both).toShow('Another alert here posts each missed call on ', 'Each call is posted once')
    const third = await addTo(channel, { lines: toOption(watched.lines[2] ?? '') })
    expect(third).toShow('Another alert here posts each missed call. Each')
    const shared = await addTo(await watched.add({ lines: toOption(first) }), { lines: toOption(first) })
    expect(shared).toShow('Another alert here posts each missed call on ')
    watched.miss(2, { line: first })
    watched.miss(1, { line: second })
    watched.miss(1, { line: watched.lines[2] ?? '' })
    await watched.watch(2)
    expect(watched.total(channel)).toBe(4)
    expect(await app.member.command('/calls open')).toShow('4 missed calls are waiting')
    expect(await app.member.command('/calls report')).toShow('4 missed · 0 taken')
  })

  it('and reserves the other calls for the process that sends them', async () => {
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add({ lines: toOption(first) })
    await addTo(channel, { calls: '2' })
    await watched.missed(1, { line: first })
    watched.miss(1, { line: second })
    await watched.whileSlackHangs('chat.postMessage', async () => {
      const claims = (await watched.alerts.kept()).map(({ state }) => state.sendingUntil ?? 0)
      expect(Math.max(...claims)).toBeGreaterThan(watched.now + 25_000)
    })
    expect(watched.counts(channel)).toEqual([1, 1])
    await watched.pass(11 * minuteMs)
    await watched.missed(1, { line: first })
    app.slack.failNext('chat.postMessage', { status: 500 })
    await watched.missed(1, { line: second })
    await watched.watch(2)
    expect(watched.counts(channel)).toEqual([1, 1, 1, 1])
    expect((await watched.alerts.kept()).flatMap(({ state }) => state.waiting.calls)).toEqual([])
  })

  it('also those that are only counted', async () => {
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add({ lines: toOption(first) })
    await addTo(channel, {})
    watched.miss(1200, { line: first })
    await watched.watch(2)
    expect(watched.posts(channel)[0]).toShow('1,200 missed calls since')
    await watched.missed(1, { line: second })
    expect(watched.posts(channel)[1]).toShow('Missed call at ')
  })

  it('although the row of the account is lost', async () => {
    const channel = await watched.add()
    await watched.missed(2)
    await app.restart(() => app.stored.setValue('polls-%', "'no JSON'"))
    watched.miss(1)
    await watched.watch(11)
    expect(watched.total(channel)).toBe(3)
  })

  it('and all conversations show its one state', async () => {
    const { admin, member } = app
    const [here, there] = [await watched.add(), await watched.add()]
    await watched.missed(2)
    const [post, copy] = [watched.posts(here)[0]!, watched.posts(there)[0]!]
    Object.assign(here, { members: [member.user.id] })
    Object.assign(there, { members: [admin.user.id] })
    for (const person of [member, admin])
      expect(await person.command('/calls open')).toShow('2 missed calls are waiting')
    await member.press(post, 'alert.take')
    await member.sees(copy, 'Taken by *member*')
    expect(await admin.click(copy, 'alert.take')).toShow('Already taken by member at ')
    await admin.press(copy, 'alert.done')
    await admin.sees(post, 'Done by *admin*')
    // Later calls start new messages in both.
    await watched.missed(1)
    expect([watched.posts(here).length, watched.posts(there).length]).toEqual([2, 2])
    expect(await member.command('/calls report')).toShow('3 missed · 2 taken · 2 done · 1 waiting')
  })
})

it('a call that was taken elsewhere before its message came shows that, and later calls start a new one', async () => {
  const [here, there] = [await watched.add(), await watched.add()]
  Object.assign(there, { isArchived: true })
  await watched.missed(1)
  await watched.pass(2 * minuteMs)
  await watched.take(watched.posts(here)[0]!)
  Object.assign(there, { isArchived: false })
  await watched.watch(11)
  expect(watched.posts(there)[0]).toShow('Taken by *member*')
  await watched.missed(1)
  expect(watched.counts(there)).toEqual([1, 1])
  // The reply is about the clicked message.
  Object.assign(there, { isExtShared: true })
  await watched.pass(2 * minuteMs)
  const [clicked] = watched.posts(there)
  expect(await app.member.click(clicked!, 'alert.done')).toShow('change this message any more.')
  // The time counts from the first message.
  expect(await app.member.command('/calls report')).toShow('1 waiting, taken after 2 min')
})

describe('calls that are not posted are counted, and listed:', () => {
  const toldIn = (channel: Channel) => watched.told(channel).filter(({ text }) => text.includes('not posted'))

  it('after a mute', async () => {
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add({ lines: toOption(first) })
    await watched.pass(minuteMs)
    await watched.alerts.click(await watched.alerts.list(), 'Mute for an hour')
    await watched.pass(minuteMs)
    watched.miss(3, { line: first })
    watched.miss(2, { line: second })
    await watched.pass(30 * minuteMs)
    expect(toldIn(channel)).toEqual([])
    await watched.pass(hourMs)
    await watched.watch(2)
    const [told, ...more] = toldIn(channel)
    expect(more).toEqual([])
    expect(told).toShow('3 calls were missed meanwhile and not posted.')
    expect(await app.member.click(told!, 'alert.show')).toShow('3 missed calls')
    expect(watched.posts(channel)).toEqual([])
    expect(await app.member.command('/calls open')).toShow('No missed calls are waiting')
    // The mute is over, whenever someone turns the alert on.
    watched.miss(1, { line: first })
    app.clock.ahead += 5000
    await app.member.click(watched.told(channel)[0]!, 'alert.turn-on')
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('only within the hours of the alert', async () => {
    const channel = await watched.add({ from: '05:00', to: '07:00', weekdays: everyDay })
    await watched.pass(30 * minuteMs)
    await watched.alerts.click(await watched.alerts.list(), 'Mute for an hour')
    watched.miss(1)
    await watched.pass(2 * hourMs)
    expect(toldIn(channel)).toEqual([])
    watched.setTime('05:00')
    await watched.watch(2)
    expect(toldIn(channel)).toHaveLength(1)
  })

  it('except calls of a message that the service left out for a while', async () => {
    watched.setTime('10:00')
    const channel = await watched.add()
    await watched.missed(2)
    await watched.pass(25 * hourMs)
    await watched.watch(2)
    const body = JSON.stringify({ status: '200', message: 'Success', total_record: '0', result: [] })
    app.sandbox.faults.always({ kind: 'body', body }, { operation: 'incoming' })
    await watched.watch(2)
    app.sandbox.faults.clear()
    await watched.watch(2)
    expect(watched.counts(channel)).toEqual([2])
    expect(toldIn(channel)).toEqual([])
  })

  it('after a gap, except calls of its last day', async () => {
    const channel = await watched.add()
    await watched.pass(minuteMs)
    await app.restart(() => {
      app.clock.ahead += dayMs
      watched.miss(4)
      app.clock.ahead += dayMs + hourMs
      watched.miss(2)
      app.clock.ahead += hourMs
    })
    app.slack.failNext('conversations.info', { status: 500 })
    await watched.pass(minuteMs)
    expect(toldIn(channel)).toEqual([])
    await watched.watch(2)
    expect(toldIn(channel)).toHaveLength(1)
    expect(toldIn(channel)[0]).toShow('4 calls were missed meanwhile and not posted.')
    expect(await watched.take(watched.post(channel))).toShow('2 missed calls since')
  })
})

it('calls that share an id are different calls if their time or line differs', async () => {
  const channel = await watched.add()
  await watched.pass(minuteMs)
  const [first = '', second = ''] = watched.lines
  const [call] = watched.miss(1, { line: first })
  app.clock.ahead += 5000
  watched.account.addCalls({ ...call!, number: second })
  watched.account.addCalls({ ...call!, at: new Date(call!.at.getTime() + 3000) })
  await watched.watch(2)
  expect(watched.posts(channel)[0]).toShow('3 missed calls since')
  // The id of this call is known by now.
  watched.account.addCalls({ ...call!, at: new Date(watched.now - 1000) })
  await watched.watch(2)
  expect(watched.posts(channel)[0]).toShow('4 missed calls since')
  const before = watched.looks
  await watched.watch(2)
  expect(watched.looks - before).toBe(2)
})
