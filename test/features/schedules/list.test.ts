import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/elements.ts'
import { useApp } from '../../support/app.ts'
import { buttonsOf } from '../../support/shown.ts'
import { hourMs, Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)

describe('/billing schedules', () => {
  it('edits, pauses and deletes: a schedule keeps to what it is then', async () => {
    const { admin, slack } = app
    const finance = await schedules.add()
    const other = slack.addChannel({ name: 'board' })
    const old = await schedules.due()
    const edit = await admin.open(await schedules.list(), 'billing.schedule.edit')
    expect(JSON.stringify(edit.blocks)).toContain(`"initial_conversation":"${finance.id}`)
    expect(await admin.submit(edit, { channel: other.id, time: '12:00' })).toShow('Saved')
    await schedules.at(old + 1000)
    expect(schedules.posts(finance)).toEqual([])
    const list = await schedules.list()
    expect(list).toShow('at 12:00')
    const paused = await schedules.click(list, 'pause')
    expect(paused).toShow('Paused: ')
    const again = await admin.open(paused, 'billing.schedule.edit')
    expect(await admin.submit(again)).toShow('still paused')
    await schedules.at(old + 5 * hourMs)
    expect(schedules.posts(other)).toEqual([])
    expect(admin.dialog(paused, 'billing.schedule.delete')).toContain('Delete this schedule?')
    expect(await schedules.delete(paused)).toShow('Deleted: ', 'No billing posts are scheduled yet')
    expect(await schedules.click(paused, 'resume')).toShow('already deleted')
    const audit = await schedules.audit()
    expect(audit).toShow('changed the billing posts', 'paused the billing posts', 'deleted the billing posts')
  })

  it('has one schedule of two submissions of one modal', async () => {
    const { admin, slack } = app
    const modal = await admin.open('/billing schedule')
    await Promise.all([1, 2].map(() => admin.submit(modal, { channel: slack.general.id })))
    expect(await schedules.list()).toShow('1 schedule.')
  })

  it('takes no channel that can not be posted to, and not more than fit', async () => {
    const { admin, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const modal = await admin.open('/billing schedule')
    slack.failNext('conversations.join', { body: { ok: false, error: 'missing_scope' } })
    const refused = await admin.submit(modal, { channel: away.id })
    expect(JSON.stringify(refused.errors)).toContain(
      "Callboard isn't in that channel. Invite it there with /invite @Callboard",
    )
    for (let n = 1; n <= 50; n++) {
      // Slack takes no more a minute.
      app.clock.ahead += 4000
      await admin.submit(await admin.open('/billing schedule'), { channel: slack.general.id })
    }
    const ids = new Set<string>()
    let list = await schedules.list()
    for (let page = 1; ; page++) {
      expect(list).toShow(`Page ${page} of 8`)
      for (const { action_id, value } of buttonsOf(list)) if (action_id.endsWith('edit')) ids.add(value)
      if (page === 8) break
      list = await admin.click(list, 'billing.schedules.page.next')
    }
    expect(ids.size).toBe(50)
    expect(await admin.open('/billing schedule')).toShow('50 schedules, the most it can have')
  })
})

describe('the form of a schedule', () => {
  const inZone = async (name: string, zone: string) => {
    const channel = app.slack.addChannel({ name })
    const there = app.slack.as(app.admin.user, { channel })
    await there.command(`/calls timezone ${zone}`)
    return { channel, there }
  }

  it('shows the time zone of the channel that is chosen, and says when the first post comes', async () => {
    const { admin } = app
    const { there } = await inZone('finance', 'Asia/Tokyo')
    const { channel: board } = await inZone('board', 'America/New_York')
    const form = await there.open('/billing schedule')
    expect(form).toShow('Schedule billing posts', 'Repeats', 'Asia/Tokyo')
    const inNewYork = await admin.open(form, 'billing.schedule.channel', board.id)
    expect(inNewYork).toShow('America/New_York')
    expect(inNewYork).not.toShow('Asia/Tokyo')
    const saved = await admin.submit(inNewYork, { day: 'weekly 1', time: '08:30' })
    expect(saved).toShow(`Saved. First post in <#${board.id}>: `)
    const list = await schedules.list()
    expect(list).toShow('every Monday at 08:30 (America/New_York)', `Scheduled by <@${admin.user.id}>`)
    const [, next = ''] = /Next: ([^·]+) ·/.exec(JSON.stringify(list)) ?? []
    expect(next).toMatch(/^\d+ \w{3}( \d{4})?, 08:30$/)
    expect(saved).toShow(`: ${next}.`)
  })

  it('shows the time zone of the channel that was chosen last, however slow Slack is', async () => {
    const { admin, slack } = app
    const [{ channel: finance }, { channel: board }] = [
      await inZone('finance', 'Asia/Tokyo'),
      await inZone('board', 'America/New_York'),
    ]
    const form = await admin.open('/billing schedule')
    slack.failNext('views.update', { delayMs: 800 })
    await admin.press(form, 'billing.schedule.channel', finance.id)
    await slack.waitFor(() => slack.callsTo('views.update')[0])
    await admin.press(form, 'billing.schedule.channel', board.id)
    await app.logged('"interaction":"billing.schedule.channel"', 2)
    expect(slack.view(form.id)).toShow('America/New_York')
  })

  it('stays as it was filled in where Slack does not show the time zone', async () => {
    const { admin, slack } = app
    const form = await admin.open('/billing schedule')
    slack.failNext('views.update', { status: 500 })
    await admin.press(form, 'billing.schedule.channel', slack.general.id)
    await app.logged('a modal was not shown anew')
    expect(slack.view(form.id)).toEqual(form)
  })

  it('brings its list up to date although it was closed while it was saved', async () => {
    const { admin, slack } = app
    await schedules.add()
    const list = await schedules.list()
    const form = await admin.open(list, 'billing.schedule.edit')
    slack.failNext('conversations.info', { delayMs: 2300 })
    const waiting = await admin.submit(form, { time: '07:15' })
    expect(waiting).toShow('Saving…')
    slack.closeView({ view: waiting, user: admin.user })
    await admin.sees(list, 'at 07:15')
  })

  it('stays the form of the schedule that it changes, whatever channel is chosen', async () => {
    const { admin } = app
    await schedules.add()
    const { channel: board } = await inZone('board', 'America/New_York')
    const form = await admin.open(await schedules.list(), 'billing.schedule.edit')
    expect(form).toShow('UTC')
    const [{ action_id = '' } = {}] = elementsIn(form.blocks).map(({ element }) => element)
    const inNewYork = await admin.open(form, action_id, board.id)
    expect(inNewYork).toShow('America/New_York')
    expect(await admin.submit(inNewYork)).toShow(`Saved. Next post in <#${board.id}>: `)
    expect(await schedules.list()).toShow('1 schedule.', 'every Monday at 09:00 (America/New_York)')
    const stale = await admin.open(await schedules.list(), 'billing.schedule.edit')
    await schedules.delete(await schedules.list())
    expect(await admin.open(stale, action_id, board.id)).toShow('already deleted')
  })

  it('names no time zone before a channel is chosen', async () => {
    const direct = { name: 'directmessage', id: 'D0DIRECT' }
    const there = app.slack.as(app.admin.user, { channel: app.slack.addChannel(direct) })
    const form = await there.open('/billing schedule')
    expect(form).toShow("In the channel's time zone.")
  })
})

describe('where no account is connected', () => {
  const unconnected = useApp()

  it('nothing can be scheduled', async () => {
    expect(await unconnected.admin.command('/billing schedule')).toShow("isn't connected")
  })
})
