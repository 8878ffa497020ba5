import { describe, expect, it } from 'vitest'
import { AlertDelivery } from '../../../src/features/alerts/delivery.ts'
import { AlertMessages } from '../../../src/features/alerts/messages.ts'
import type { Services } from '../../../src/services.ts'
import type { Actor } from '../../../src/slack/access/guards.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { toOption } from './alerts.ts'
import { everyDay, useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '10:00' })

/** Returns the replies in threads. */
const reminders = () => app.slack.callsTo('chat.postMessage').filter(({ args }) => 'thread_ts' in args)

/** Posts two calls of an alert that reminds after 15 minutes. */
async function postReminding(values: object = {}) {
  const channel = await watched.add({ remind: '15', mention: [app.admin.user.id], ...values })
  await watched.missed(2, { line: watched.lines[0] ?? '' })
  return { channel, post: watched.posts(channel)[0]! }
}

describe('a reminder', () => {
  it('mentions the chosen people in the thread, three times at most, though calls were added', async () => {
    const { channel, post } = await postReminding()
    await watched.missed(1)
    await watched.pass(13 * minuteMs)
    expect(reminders()).toEqual([])
    await watched.pass(minuteMs)
    const [first] = reminders()
    expect(first?.args).toMatchObject({ channel: channel.id, thread_ts: post.ts })
    expect(first?.args['text']).toBe(`3 calls have been waiting for 15 min. <@${app.admin.user.id}>`)
    expect(first?.args).toMatchObject({ reply_broadcast: false })
    for (let n = 0; n < 4; n += 1) await watched.pass(15 * minuteMs)
    const waits = reminders().map(({ args }) => /for (.+)\./.exec(String(args['text']))?.[1])
    expect(waits).toEqual(['15 min', '30 min', '45 min'])
  })

  it('counts only the calls that still wait, and none is sent once all are taken', async () => {
    const { member } = app
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add({ remind: '15' })
    watched.miss(2, { line: first })
    await watched.missed(1, { line: second })
    const post = watched.post(channel)
    await member.press(post, 'alert.take-line.0')
    await member.sees(post, 'member has them')
    await watched.pass(15 * minuteMs)
    expect(reminders().map(({ args }) => args['text'])).toEqual(['A call has been waiting for 15 min.'])
    await member.press(post, 'alert.take')
    await expect.poll(async () => (await member.command('/calls open')).text).toContain('No missed calls')
    for (let n = 0; n < 3; n += 1) await watched.pass(15 * minuteMs)
    expect(reminders()).toHaveLength(1)
  })

  it('may be shown in the channel once', async () => {
    const [first = '', second = ''] = watched.lines
    await postReminding({ broadcast: ['channel'], lines: toOption(first) })
    await watched.add({ lines: toOption(second) })
    // Polls that find calls only for another alert.
    for (let n = 0; n < 2; n += 1) {
      watched.miss(1, { line: second })
      await watched.pass(15 * minuteMs)
    }
    expect(reminders().map(({ args }) => args['reply_broadcast'] === true)).toEqual([true, false])
  })

  it('is not sent in direct messages, which have one reader', async () => {
    await app.member.sees(await watched.alerts.add({ where: 'direct', remind: '15' }), 'Saved.')
    await app.jobsDone()
    watched.miss(1)
    await watched.watch(2)
    expect(app.slack.messages().some(({ text }) => text.startsWith('Missed call at'))).toBe(true)
    await watched.pass(15 * minuteMs)
    expect(reminders()).toEqual([])
  })

  it('waits for the hours of the alert, and for the end of a mute', async () => {
    const { post } = await postReminding({ from: '08:00', to: '10:10', weekdays: everyDay })
    for (let n = 0; n < 3; n += 1) await watched.pass(15 * minuteMs)
    expect(reminders()).toEqual([])
    watched.setTime('08:01')
    await watched.watch(2)
    expect(reminders()).toHaveLength(1)
    await app.member.click(post, 'alert.menu', 'Mute for an hour')
    await watched.pass(30 * minuteMs)
    expect(reminders()).toHaveLength(1)
  })

  it("is sent although the account can't be polled for a while", async () => {
    await postReminding({ remind: '60' })
    // The next message's reminder is due before that of the first one.
    await watched.alerts.change({ remind: '15' })
    await watched.pass(11 * minuteMs)
    await watched.missed(1)
    app.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    for (const minutes of [10, 5]) await watched.pass(minutes * minuteMs)
    expect(reminders()).toHaveLength(1)
  })

  it("is sent to nobody in a shared channel, and not by an owner who can't see calls any more", async () => {
    const { channel } = await postReminding()
    // The alert moves, but its message stays.
    await app.member.sees(await watched.alerts.change({ channel: app.slack.general.id }), 'Saved.')
    Object.assign(channel, { isExtShared: true })
    await watched.pass(15 * minuteMs)
    expect(reminders()).toEqual([])
    Object.assign(channel, { isExtShared: false })
    await watched.pass(15 * minuteMs)
    expect(reminders().map(({ args }) => args['channel'])).toEqual([channel.id])
    app.slack.people.member.deleted = true
    await watched.pass(hourMs)
    await watched.watch(2)
    expect(reminders()).toHaveLength(1)
  })

  it.each([
    ['the answer is lost', { cut: true, isDone: true }],
    ['Slack fails', { status: 500 }],
  ])('is sent at most once if %s', async (_, fault) => {
    await postReminding()
    app.slack.failNext('chat.postMessage', fault)
    await watched.pass(15 * minuteMs)
    await watched.watch(3)
    expect(reminders()).toHaveLength(1)
  })

  it('is sent once if two processes find it due', async () => {
    await postReminding()
    const texts: string[] = []
    await watched.alerts.store(async (store, tenant) => {
      const [alert] = await store.alerts.all(tenant)
      const postMessage = async ({ text }: { text: string }) => texts.push(text)
      const services = { store, backgroundWebApi: { chat: { postMessage } } } as unknown as Services
      const messages = new AlertMessages(services)
      messages.admit = async () => ({ installation: { botToken: 'x' } }) as Actor
      const context = { alert: alert!, zone: parseZone('UTC')!, now: watched.now + 15 * minuteMs }
      const delivery = new AlertDelivery(services, messages, context)
      await Promise.all([1, 2].map(() => delivery.sendReminders(alert!.state)))
    })
    expect(texts).toEqual([expect.stringContaining('2 calls have been waiting for 15 min.')])
  })

  it('is sent at most once, whenever the process ends', async () => {
    const { post } = await postReminding()
    for (let writes = 0; writes < 4; writes += 1) {
      const before = reminders().length
      await watched.kill(writes, 15 * minuteMs)
      expect(reminders().length - before).toBeLessThanOrEqual(1)
    }
    expect(reminders().length).toBeLessThanOrEqual(3)
    expect(app.slack.message(post.ts)).toShow('2 missed calls since')
  })

  it('is not sent for messages from before, nor without people or minutes', async () => {
    const channel = await watched.add()
    await watched.missed(1)
    const form = await app.member.open(await watched.alerts.list(), 'calls.alert.menu', 'Edit…')
    const people = Array.from({ length: 6 }, (_, n) => app.slack.addPerson({ name: `p${n}` }).id)
    const tooMany = await app.member.submit(form, { remind: '15', mention: people })
    expect(tooMany.errors).toEqual({ mention: 'Choose up to 5 people.' })
    const tooLate = await app.member.submit(form, { remind: '721', mention: [] })
    expect(tooLate.errors).toEqual({ remind: 'Enter a whole number from 0 to 720.' })
    const saved = await app.member.submit(form, { remind: '15', mention: people.slice(0, 5) })
    expect(saved).toShow('Saved.', 'At any time, reminds after 15 minutes')
    for (let n = 0; n < 2; n += 1) await watched.pass(15 * minuteMs)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(reminders()).toEqual([])
  })
})
