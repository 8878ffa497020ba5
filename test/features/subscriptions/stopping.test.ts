import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getButtons } from '../../support/shown.ts'
import { eachKind, type Kind, Schedules, weekly } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const archive = (channel: Channel) => Object.assign(channel, { isArchived: true })
const shareMeanwhile = (finance: Channel) => {
  const patch = (record: Record<string, unknown>) => Object.assign(finance, { isExtShared: true }) && record
  app.sandbox.faults.next({ kind: 'patch', patch }, { operation: schedules.kind.operation })
}
const revoked = () => app.slack.failNext('chat.postMessage', { body: { ok: false, error: 'token_revoked' } })
const rejected = () =>
  app.sandbox.faults.next({ kind: 'status', status: 401 }, { operation: schedules.kind.operation })
const unreachable = () =>
  app.slack.failNext('chat.postMessage', { body: { ok: false, error: 'messages_tab_disabled' } })

const setAccess = async (area: Kind['area'], who: 'admins' | 'everyone') =>
  app.admin.submit(await app.admin.open('/billing settings'), { [area]: who })

/** Makes the member the owner, who may see what is posted. */
async function handOver(of = schedules): Promise<void> {
  const { member } = app
  await setAccess(of.kind.area, 'everyone')
  const muted = await of.click(await of.list(member), 'Mute for an hour', member)
  expect(await of.click(muted, 'Turn on', member)).toShow(`Scheduled by <@${member.user.id}>`)
}

describe('a schedule stops, and its owner is told,', () => {
  it.each([
    ['the channel is archived', archive, 'archived'],
    ['the channel is shared while the service is read', shareMeanwhile, 'company'],
    ['the token was revoked', revoked, 'install it in this workspace again'],
    ['key and secret are not accepted', rejected, 'An administrator can replace them'],
  ])('if %s; it can be turned on again', async (_, break_, why) => {
    const { finance, due } = await schedules.addDue()
    break_(finance)
    await schedules.at(due + 1000)
    expect(schedules.notices()).toEqual([expect.stringContaining(why)])
    expect(schedules.posts(finance)).toEqual([])
    const stopped = await schedules.list()
    expect(stopped).toShow('⚠ Stopped. ')
    expect(await schedules.audit()).toShow(', Callboard stopped a ')
    const list = await app.admin.click(await schedules.notice(), 'command.schedules')
    expect(list).toShow('Scheduled billing posts')
    Object.assign(finance, { isArchived: false, isExtShared: false })
    // A refused pair isn't tried again for a while.
    await expect.poll(() => app.admin.command('/billing')).toShow('Business Plus')
    expect(await schedules.click(stopped, 'Turn on')).toShow('Next: ')
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('and may post later on the same day, because nothing was posted', async () => {
    const { due } = await schedules.addDue({ rhythm: 'weekly 1', time: '09:00' })
    const list = await schedules.list()
    revoked()
    await schedules.at(due + 1000)
    const muted = await schedules.click(list, 'Mute for an hour')
    expect(muted).toShow('Muted until', '⚠ Stopped. ')
    expect(muted).not.toShow('Next: ')
    expect(await schedules.save(await schedules.edit(muted))).toShow('Saved', 'Next: ')
    expect(await schedules.save(await schedules.edit(muted), { time: '12:00' })).toShow('Saved')
    expect(await schedules.due()).toBe(due + 3 * hourMs)
  })

  it.each(eachKind)('if its owner may not see what it posts any more: %s', async (_, kind) => {
    const { admin, member } = app
    const schedules = new Schedules(app, kind)
    const finance = await schedules.add()
    await setAccess(kind.area, 'admins')
    expect(await schedules.list(member)).toShow('have access to')
    await handOver(schedules)
    await setAccess(kind.area, 'admins')
    await schedules.pass()
    expect(schedules.notices(member)).toEqual([expect.stringContaining(`can't see ${kind.area} any more`)])
    expect(schedules.notices(admin)).toHaveLength(1)
    expect(schedules.posts(finance)).toEqual([])
  })

  it.each(eachKind)('if its owner has left, even since an attempt half a minute ago: %s', async (_, kind) => {
    const schedules = new Schedules(app, kind)
    const { finance, due } = await schedules.addDue()
    app.slack.rateLimitNext('chat.postMessage', 30)
    await schedules.at(due + 1000)
    app.slack.people.admin.deleted = true
    await schedules.at(due + 40_000)
    expect(schedules.posts(finance)).toEqual([])
    expect(app.stored.all('%schedules')[0]?.value).toContain('"stopped"')
  })

  it('if no account is connected; it continues by itself after reconnecting, unless it was muted', async () => {
    const { finance, due } = await schedules.addDue()
    await schedules.click(await schedules.list(), 'Mute for an hour')
    const form = await app.admin.open('/billing schedule')
    await app.disconnect()
    expect(await schedules.save(form, weekly)).toShow("isn't connected")
    await schedules.at(due + 1000)
    expect(schedules.notices()).toEqual([expect.stringContaining('reconnecting the account does that, too')])
    expect(await schedules.list()).toShow('⚠ Stopped. ')
    await app.connect()
    expect(await schedules.list()).toShow('Next: ')
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
    await schedules.click(await schedules.list(), 'Mute until turned on')
    await app.disconnect()
    await app.connect()
    expect(await schedules.list()).toShow('Muted by')
  })
})

it('each of two schedules has notices of its own', async () => {
  const { slack, clock, admin } = app
  const { finance, due } = await schedules.addDue()
  const form = await admin.open('/billing schedule')
  expect(await schedules.save(form, { channel: finance.id, ...weekly })).toShow('Saved')
  async function expectTwo(instant: number) {
    const { promise: until, resolve } = Promise.withResolvers<void>()
    for (let n = 0; n < 2; n += 1) slack.failNext('chat.postMessage', { until })
    const allow = app.stored.refuse('job:notices')
    app.logs.length = 0
    clock.ahead = instant - Date.now()
    await app.logged('a job failed', 2)
    allow()
    await expect.poll(() => app.stored.all('job:notices')).toHaveLength(2)
    resolve()
    await app.jobsDone()
  }
  await app.disconnect()
  await expectTwo(due + 1000)
  await app.connect()
  await expectTwo(due + 7 * dayMs + 25 * hourMs)
})

describe('if direct messages fail, the notice', () => {
  it('goes to the channel, once and without a mention', async () => {
    const finance = await schedules.add()
    rejected()
    unreachable()
    await schedules.pass()
    const [told, ...more] = schedules.posts(finance)
    expect(told).toShow(' have stopped: ', 'Manage schedules: `/billing schedules`')
    // A click on a button in the channel would replace everyone's message.
    expect(told && getButtons(told)).toEqual([])
    expect(more).toEqual([])
    expect(await schedules.list()).toShow('Stopped')
  })

  it.each([
    ['goes to the person who connected the account', 1, 0],
    ["goes to the channel if that person can't be reached either", 2, 1],
  ])('%s', async (_, failures, posts) => {
    const finance = await schedules.add()
    await handOver()
    app.slack.people.member.deleted = true
    for (let n = 0; n < failures; n += 1) unreachable()
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(posts)
    expect(schedules.notices()).toHaveLength(1)
  })

  it('goes nowhere if the channel is the problem, and is tried again if it could not be stored', async () => {
    const { finance, due } = await schedules.addDue()
    await handOver()
    finance.isExtShared = true
    unreachable()
    const allow = app.stored.refuse('job:notices')
    app.clock.ahead = due + 1000 - Date.now()
    await app.logged('a job failed')
    allow()
    await schedules.at(due + minuteMs)
    expect(schedules.posts(finance)).toEqual([])
    expect(app.slack.callsTo('chat.postMessage')).toHaveLength(1)
  })
})
