import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Schedules, weekly } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)

describe('/billing schedules', () => {
  it('edits, mutes and deletes schedules', async () => {
    const { admin, slack } = app
    const finance = await schedules.add()
    const other = slack.addChannel({ name: 'board' })
    const old = await schedules.due()
    const edit = await schedules.edit(await schedules.list())
    expect(JSON.stringify(edit.blocks)).toContain(`"initial_conversation":"${finance.id}`)
    expect(await admin.submit(edit, { channel: other.id, time: '12:00' })).toShow('Saved')
    await schedules.at(old + 1000)
    expect(schedules.posts(finance)).toEqual([])
    const list = await schedules.list()
    expect(list).toShow('at 12:00')
    const muted = await schedules.click(list, 'Mute until turned on')
    expect(muted).toShow('Muted: ', 'Nothing is posted meanwhile.', `Muted by <@${admin.user.id}>`)
    expect(muted).not.toShow('Next: ')
    expect(await admin.submit(await schedules.edit(muted))).toShow('Saved.', 'Muted by ')
    await schedules.at(old + 5 * hourMs)
    expect(schedules.posts(other)).toEqual([])
    expect(await schedules.click(muted, 'Turn on')).toShow('Turned on: ', 'Next: ')
    const question = await admin.open(muted, 'billing.schedule.menu', 'Delete…')
    expect(question).toShow('Delete this schedule?', "This can't be undone.")
    expect(await admin.submit(question)).toShow('Deleted: ')
    await admin.sees(muted, 'No billing posts are scheduled yet')
    expect(await schedules.click(list, 'Mute for an hour')).toShow('already deleted')
    const audit = await schedules.audit()
    expect(audit).toShow('changed a', 'muted a', 'deleted a', ' schedule in ')
    expect(audit).toShow('turned on a')
  })

  it('posts nothing while it is muted, and the next time again', async () => {
    const finance = await schedules.add()
    const due = await schedules.due()
    await schedules.at(due - 10 * 60_000)
    const muted = await schedules.click(await schedules.list(), 'Mute for an hour')
    expect(muted).toShow('Muted until ', 'Next: ')
    await schedules.at(due + hourMs)
    expect(schedules.posts(finance)).toEqual([])
    expect(await schedules.list()).not.toShow('Muted')
    await schedules.at(due + 7 * 24 * hourMs + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('creates one schedule for two submissions of a modal', async () => {
    const { admin, slack } = app
    const modal = await admin.open('/billing schedule')
    await Promise.all([1, 2].map(() => admin.submit(modal, { channel: slack.general.id })))
    expect(await schedules.list()).toShow('1 schedule.')
  })

  it("rejects a channel that can't be posted to, and more schedules than the maximum", async () => {
    const { admin, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const modal = await admin.open('/billing schedule')
    slack.failNext('conversations.join', { body: { ok: false, error: 'missing_scope' } })
    const refused = await admin.submit(modal, { channel: away.id })
    expect(JSON.stringify(refused.errors)).toContain(
      "Callboard isn't in that channel. Invite it there with /invite @Callboard",
    )
    for (let n = 1; n <= 50; n++) {
      // Slack limits these calls per minute.
      app.clock.ahead += 4000
      const time = `09:${String(n).padStart(2, '0')}`
      await admin.submit(await admin.open('/billing schedule'), { channel: slack.general.id, time })
    }
    const ids = new Set<string>()
    let list = await schedules.list()
    for (let page = 1; ; page++) {
      expect(list).toShow(`Page ${page} of 8`)
      for (const { element, block } of elementsIn(list.blocks))
        if (element.action_id?.endsWith('.menu'))
          ids.add(JSON.parse(block.block_id?.split('|').at(-1) ?? '').id)
      if (page === 8) break
      list = await admin.click(list, 'billing.schedules.page.next')
    }
    expect(ids.size).toBe(50)
    const full = await admin.submit(await admin.open('/billing schedule'), { time: '10:00' })
    expect(full).toShow('50 schedules, the most it can have')
  })
})

describe('a schedule', () => {
  it('is shown first once it was saved, above the others', async () => {
    const { id: channel } = await schedules.add()
    const form = await app.admin.open('/billing schedule')
    const { blocks } = await schedules.save(form, { channel, ...weekly, time: '10:00' })
    expect({ blocks: blocks.slice(0, 1) }).toShow('Saved.', 'at 10:00')
    expect({ blocks: blocks.slice(1) }).toShow('at 09:00', 'Edit, mute or delete: `/billing schedules`')
  })

  it('stays muted if it is muted while it is changed, and stays deleted', async () => {
    const { admin, slack } = app
    await schedules.add()
    const asked = () => slack.callsTo('conversations.info').length
    /** Saves a change while something else happens. */
    const saveDuring = async (time: string, doIt: (list: Message) => Promise<unknown>) => {
      const list = await schedules.list()
      const edit = await schedules.edit(list)
      const before = asked()
      const { promise: until, resolve } = Promise.withResolvers<void>()
      slack.failNext('conversations.members', { until })
      const saved = admin.submit(edit, { time })
      await expect.poll(asked).toBeGreaterThan(before)
      await doIt(list)
      resolve()
      return saved
    }
    expect(await saveDuring('11:00', (list) => schedules.click(list, 'Mute until turned on'))).toShow(
      'Muted by ',
    )
    expect(await schedules.list()).toShow('at 11:00', 'Muted')
    expect(await saveDuring('12:00', (list) => schedules.delete(list))).toShow('already deleted')
    expect(await schedules.list()).toShow('No billing posts are scheduled yet')
  })
})

describe('the form of a schedule', () => {
  const inZone = async (name: string, zone: string) => {
    const channel = app.slack.addChannel({ name })
    const there = app.slack.as(app.admin.user, { channel })
    await there.command(`/calls timezone ${zone}`)
    return { channel, there }
  }

  it('is in the zone of the channel that is chosen; the list shows the time zone and when the first post comes', async () => {
    const { admin } = app
    const { there } = await inZone('finance', 'Asia/Tokyo')
    const { channel: board } = await inZone('board', 'America/New_York')
    const form = await there.open('/billing schedule')
    const hint = "In the channel's time zone, or the workspace's for direct messages."
    expect(form).toShow('Schedule billing posts', 'Repeat', hint)
    const saved = await admin.submit(form, { channel: board.id, rhythm: 'weekly 1', time: '08:30' })
    expect(saved).toShow('Saved.', `<#${board.id}>, `)
    const list = await schedules.list()
    expect(list).toShow('every Monday at 08:30 (America/New_York)', `Scheduled by <@${admin.user.id}>`)
    const [, next = ''] = /Next: ([^·]+) ·/.exec(JSON.stringify(list)) ?? []
    expect(next).toMatch(/^\d+ \w{3}( \d{4})?, 08:30$/)
    expect(saved).toShow(`Next: ${next} · `)
  })

  it('asks for a channel only where posts go to one', async () => {
    const { admin } = app
    const form = await admin.open('/billing schedule')
    expect(JSON.stringify(form.blocks)).not.toContain('"optional":true,"block_id":"channel"')
    const direct = await admin.open(form, 'billing.schedule.where', 'direct')
    expect(direct).not.toShow('Callboard joins a public channel.')
    const inChannel = await admin.open(direct, 'billing.schedule.where', 'channel')
    expect(inChannel).toShow('Callboard joins a public channel.')
    expect(JSON.stringify(inChannel.blocks)).toContain(`"initial_conversation":"${app.slack.general.id}"`)
    // Saved before the form was redrawn.
    const asked = await admin.submit(direct, { where: 'channel' })
    expect(asked).toShow('Schedule billing posts', 'Callboard joins a public channel.')
    expect(await admin.submit(asked)).toShow('Saved.', `<#${app.slack.general.id}>, `)
    const list = await schedules.list()
    const edit = await schedules.edit(list)
    await admin.submit(await admin.open(edit, 'billing.schedule.where', 'direct'))
    await admin.sees(list, 'Direct messages to')
  })

  it('posts to the person by direct message', async () => {
    const { admin } = app
    const form = await admin.open('/billing schedule')
    const saved = await admin.submit(form, { where: 'direct', rhythm: 'weekly 1' })
    expect(saved).toShow('Saved.', 'Direct messages to', 'Next: ')
    await schedules.pass()
    expect(app.slack.messages().findLast(({ channel }) => channel.startsWith('D'))).toShow('Business Plus')
  })

  it('updates its list although it was closed while it was saved', async () => {
    const { admin, slack } = app
    await schedules.add()
    const list = await schedules.list()
    const form = await schedules.edit(list)
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext('conversations.info', { until })
    const waiting = await admin.submit(form, { time: '07:15' })
    expect(waiting).toShow('Saving…')
    slack.closeView({ view: waiting, user: admin.user })
    resolve()
    await admin.sees(list, 'at 07:15')
  })

  it.each(['/billing schedule', '/calls schedule', '/calls alert'])(
    'begins with the channel that is named, beside a list too: %s',
    async (command) => {
      const { admin } = app
      const { channel: board } = await inZone('board', 'America/New_York')
      for (const written of [`<#${board.id}|board>`, `<#${board.id}>`]) {
        const form = await admin.open(`${command} ${written}`)
        expect(JSON.stringify(form)).toContain(`"initial_conversation":"${board.id}"`)
      }
      expect(await admin.command(`${command} #bored`)).toShow('I didn\'t understand "#bored".', command)
    },
  )
})

describe('without a connected account', () => {
  const unconnected = useApp()

  it('nothing can be scheduled', async () => {
    expect(await unconnected.admin.command('/billing schedule')).toShow("isn't connected")
  })
})
