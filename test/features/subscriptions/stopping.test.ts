import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getButtons } from '../../support/shown.ts'
import { eachKind, Schedules } from './schedules.ts'

const app = useApp({ connected: true })

describe('a schedule stops, and its owner is told,', () => {
  const schedules = new Schedules(app)
  const { operation } = schedules.kind

  it.each([
    [
      'the channel is archived',
      (finance: Channel) => Object.assign(finance, { isArchived: true }),
      'is archived',
    ],
    [
      'the channel is shared',
      (finance: Channel) => Object.assign(finance, { isExtShared: true }),
      'another company',
    ],
    [
      'the token was revoked',
      () => app.slack.failNext('chat.postMessage', { body: { ok: false, error: 'token_revoked' } }),
      'install it in this workspace again',
    ],
    [
      'key and secret are not accepted',
      () => app.sandbox.faults.next({ kind: 'status', status: 401 }, { operation }),
      'An administrator can replace them',
    ],
  ])('if %s; it can be turned on again', async (_, break_, why) => {
    const finance = await schedules.add()
    const due = await schedules.due()
    break_(finance)
    await schedules.at(due + 1000)
    expect(schedules.notices()).toHaveLength(1)
    expect(schedules.notices()[0]).toContain(why)
    expect(schedules.posts(finance)).toEqual([])
    const stopped = await schedules.list()
    expect(stopped).toShow('⚠ Stopped. ')
    expect(await schedules.audit()).toShow(', Callboard stopped a ')
    const direct = () => app.slack.messages().findLast(({ channel }) => channel.startsWith('D'))
    const notice = await app.slack.waitFor(direct)
    expect(await app.admin.click(notice, 'command.schedules')).toShow('Scheduled billing posts')
    Object.assign(finance, { isArchived: false, isExtShared: false })
    // A refused pair isn't tried again for a while.
    await expect.poll(() => app.admin.command('/billing')).toShow('Business Plus')
    expect(await schedules.click(stopped, 'Turn on')).toShow('Next: ')
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('and may post later on the same day, because nothing was posted', async () => {
    await schedules.add({ rhythm: 'weekly 1', time: '09:00' })
    const due = await schedules.due()
    app.slack.failNext('chat.postMessage', { body: { ok: false, error: 'token_revoked' } })
    await schedules.at(due + 1000)
    const edit = await schedules.edit(await schedules.list())
    expect(await schedules.save(edit, { time: '12:00' })).toShow('Saved')
    expect(await schedules.due()).toBe(due + 3 * hourMs)
  })

  it.each(eachKind)('if its owner may not see what it posts any more: %s', async (_, kind) => {
    const schedules = new Schedules(app, kind)
    const { area } = kind
    const { admin, member } = app
    const finance = await schedules.add()
    await admin.submit(await admin.open('/billing settings'), { [area]: 'admins' })
    expect(await schedules.list(member)).toShow('have access to')
    await admin.submit(await admin.open('/billing settings'), { [area]: 'everyone' })
    const muted = await schedules.click(await schedules.list(member), 'Mute for an hour', member)
    const turnedOn = await schedules.click(muted, 'Turn on', member)
    expect(turnedOn).toShow(`Scheduled by <@${member.user.id}>`)
    await admin.submit(await admin.open('/billing settings'), { [area]: 'admins' })
    await schedules.pass()
    expect(schedules.notices(member)).toEqual([expect.stringContaining(`can't see ${area} any more`)])
    expect(schedules.notices(admin)).toHaveLength(1)
    expect(schedules.posts(finance)).toEqual([])
  })

  it('if its owner has left, even since an attempt half a minute ago', async () => {
    const finance = await schedules.add()
    const due = await schedules.due()
    app.slack.rateLimitNext('chat.postMessage', 30)
    await schedules.at(due + 1000)
    app.slack.people.admin.deleted = true
    await schedules.at(due + 40_000)
    expect(schedules.posts(finance)).toEqual([])
    expect(app.stored.all('%schedules')[0]?.value).toContain('"stopped"')
  })

  it('if no account is connected; it continues by itself after reconnecting, unless it was muted', async () => {
    const finance = await schedules.add()
    await schedules.click(await schedules.list(), 'Mute for an hour')
    const due = await schedules.due()
    await app.disconnect()
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

  describe('sends notices if direct messages fail', () => {
    const unreachable = { body: { ok: false, error: 'messages_tab_disabled' } }
    const rejected = () => app.sandbox.faults.next({ kind: 'status', status: 401 }, { operation })

    it('in the channel, once and without a mention', async () => {
      const finance = await schedules.add()
      rejected()
      app.slack.failNext('chat.postMessage', unreachable)
      await schedules.pass()
      const [told, ...more] = schedules.posts(finance)
      expect(told).toShow(' have stopped: ', 'Manage schedules: `/billing schedules`')
      // A click there would replace everyone's message.
      expect(told && getButtons(told)).toEqual([])
      expect(more).toEqual([])
      expect(await schedules.list()).toShow('Stopped')
    })

    it("also if the person who connected the account can't be reached, but not otherwise", async () => {
      const { admin, member, slack } = app
      const finance = await schedules.add()
      await admin.submit(await admin.open('/billing settings'), { billing: 'everyone' })
      const muted = await schedules.click(await schedules.list(member), 'Mute for an hour', member)
      await schedules.click(muted, 'Turn on', member)
      slack.people.member.deleted = true
      slack.failNext('chat.postMessage', unreachable)
      await schedules.pass()
      expect(schedules.notices()).toHaveLength(1)
      expect(schedules.posts(finance)).toEqual([])

      slack.people.member.deleted = false
      app.clock.ahead += 5 * 60_000
      await schedules.click(await schedules.list(member), 'Turn on', member)
      slack.people.member.deleted = true
      for (const fault of [unreachable, unreachable]) slack.failNext('chat.postMessage', fault)
      await schedules.pass()
      expect(schedules.posts(finance)).toHaveLength(1)
    })

    it('and nowhere if the channel is the problem', async () => {
      const finance = await schedules.add()
      const due = await schedules.due()
      finance.isExtShared = true
      app.slack.failNext('chat.postMessage', unreachable)
      await schedules.at(due + 1000)
      expect(schedules.posts(finance)).toEqual([])
    })
  })
})
