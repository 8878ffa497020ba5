import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { useWatched } from './watched.ts'

const { app, watched } = useWatched()

const changed = (values: object) =>
  watched.alerts.store(async (store, tenant) => {
    const [alert] = await store.alerts.all(tenant)
    await store.alerts.set(tenant, alert!.id, { ...alert!, ...values })
  })

/** Does something while a poll waits for the service's response. */
async function whilePolled(work: () => Promise<unknown>): Promise<void> {
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  app.sandbox.faults.next({ kind: 'hold', until }, { operation: 'incoming' })
  const before = watched.looks
  app.clock.ahead += minuteMs
  await expect.poll(() => watched.looks).toBe(before + 1)
  await work()
  answer()
  await app.jobsDone()
}

describe('an alert', () => {
  it('with a threshold posts nothing below it, and all calls that reach it', async () => {
    const channel = await watched.add()
    await changed({ threshold: { calls: 3, minutes: 10 } })
    watched.miss(2)
    await watched.watch(12)
    expect(watched.posts(channel)).toEqual([])
    for (let n = 0; n < 3; n += 1) {
      watched.miss(1)
      await watched.watch(4)
    }
    expect(watched.counts(channel)).toEqual([3])
    // Any calls of the next ten minutes are added to it.
    await watched.missed(1)
    expect(watched.counts(channel)).toEqual([4])
    // Too few for another message, because posted calls don't count again.
    await watched.watch(20)
    await watched.missed(2)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('with hours posts calls from outside them in one message when they begin', async () => {
    watched.setTime('17:00')
    const channel = await watched.add()
    await app.slack.as(app.member.user, { channel }).command('/calls timezone +03:00')
    await changed({ hours: { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '17:00' } })
    watched.miss(3)
    await watched.watch(2)
    await watched.pass(6 * hourMs)
    watched.miss(25)
    await watched.watch(2)
    await watched.pass(5 * hourMs)
    expect(watched.posts(channel)).toEqual([])
    await watched.pass(hourMs)
    expect(watched.post(channel)).toShow('28 missed calls since')
    await watched.pass(hourMs)
    await watched.missed(1)
    expect(watched.posts(channel)[1]).toShow('Missed call at')
  })

  it('that is changed posts waiting calls in its new channel', async () => {
    watched.setTime('16:55')
    const before = await watched.add()
    await changed({ hours: { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '17:00' } })
    watched.miss(1)
    await watched.watch(4)
    expect(watched.posts(before)).toHaveLength(1)
    await watched.pass(minuteMs)
    watched.miss(3)
    await watched.watch(2)
    const channel = app.slack.addChannel({ name: 'back-office' })
    // Saving makes the other person the owner.
    await app.admin.sees(await watched.alerts.change({ channel: channel.id }, app.admin), 'Saved.')
    await watched.pass(15 * hourMs)
    expect(watched.posts(before)).toHaveLength(1)
    expect(watched.counts(channel)).toEqual([3])
  })

  it.each([
    ['muted', () => watched.alerts.list().then((list) => watched.alerts.click(list, 'Mute until turned on'))],
    ['deleted', () => watched.alerts.list().then((list) => watched.alerts.delete(list))],
  ])('that is %s during a poll posts nothing', async (_, turnOff) => {
    const channel = await watched.add()
    watched.miss(1)
    await whilePolled(turnOff)
    await watched.pass(minuteMs)
    expect(watched.posts(channel)).toEqual([])
  })

  it('that is saved while its account is polled posts the calls that this poll finds', async () => {
    await watched.add()
    const channel = app.slack.addChannel({ name: 'late' })
    await whilePolled(async () => {
      await app.member.sees(await watched.alerts.add({ channel: channel.id }), 'Saved.')
      watched.miss(1)
    })
    await watched.watch(2)
    expect(watched.counts(channel)).toEqual([1])
  })

  it('that is muted again during a mute posts no call of the first one', async () => {
    watched.setTime('10:00')
    const { alerts } = watched
    const channel = await watched.add()
    await watched.pass(minuteMs)
    const list = await alerts.list()
    await alerts.click(list, 'Mute for an hour')
    await watched.pass(hourMs / 2)
    watched.miss(2)
    await watched.pass(minuteMs)
    await alerts.click(list, 'Mute until tomorrow')
    await watched.pass(14 * hourMs)
    await watched.watch(2)
    expect(watched.posts(channel)).toEqual([])
    expect(watched.told(channel).at(-1)).toShow('2 calls were missed meanwhile and not posted.')
    // A call from between two mutes is posted after the second one.
    watched.miss(1)
    app.clock.ahead += 2000
    await alerts.click(await alerts.list(), 'Mute for an hour')
    await watched.pass(hourMs + minuteMs)
    expect(watched.counts(channel)).toEqual([1])
  })

  it("that is muted isn't polled; turned on again, it posts later calls", async () => {
    const { alerts } = watched
    const channel = await watched.add()
    await alerts.click(await alerts.list(), 'Mute until turned on')
    await watched.pass(minuteMs)
    const before = watched.looks
    watched.miss(2)
    await watched.watch(5)
    expect(watched.looks).toBe(before)
    app.clock.ahead += 5000
    await alerts.click(await alerts.list(), 'Turn on')
    watched.miss(1)
    await watched.watch(2)
    expect(watched.counts(channel)).toEqual([1])
    expect(watched.told(channel).at(-1)).toShow('2 calls were missed meanwhile and not posted.')
  })
})
