import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { buttonsOf } from '../../support/shown.ts'
import { eachKind, hourMs, Schedules } from './schedules.ts'

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
    expect(audit).toShow('schedule changed', 'schedule paused', 'schedule deleted')
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
      const time = `09:${String(n).padStart(2, '0')}`
      await admin.submit(await admin.open('/billing schedule'), { channel: slack.general.id, time })
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

describe.each(eachKind)('a schedule of the kind %s', (_, kind) => {
  const own = new Schedules(app, kind)
  const weekly = { day: 'weekly 1', ...kind.values }

  it('that is the same as another one is refused, by whomever', async () => {
    const { admin } = app
    const { id: channel } = await own.add()
    const again = await admin.open(`${kind.command} schedule`)
    const there = { channel: `This schedule already exists: see ${kind.command} schedules.` }
    expect((await admin.submit(again, { channel, ...weekly })).errors).toEqual(there)
    expect(await own.save(again, { channel, ...weekly, time: '10:00' })).toShow('Saved.')
    // What is changed into another one, too; what is saved as it was is not.
    const edit = await admin.open(await own.list(), `${kind.actions}.edit`)
    expect((await admin.submit(edit, { time: '10:00' })).errors).toEqual(there)
    expect(await own.save(edit, { time: '09:00' })).toShow('Saved.')
    expect(await own.list()).toShow('2 schedules')
  })

  it('says why nothing is posted while no account is connected, and not when it would be', async () => {
    const { admin } = app
    await own.add()
    const running = await own.list()
    await app.disconnect()
    const list = await own.list()
    expect(list).toShow(
      `⚠ Not posting. Callboard isn't connected to your phone account. An administrator can reconnect it.`,
    )
    expect(list.text).toContain(': not posting')
    expect(running).toShow('Next: ')
    expect(list).not.toShow('Next: ')
    expect(await own.click(list, 'pause')).toShow('Paused · Scheduled by')
    expect(await admin.openHome()).not.toShow('Next: ', 'Not posting')
  })

  it('keeps a pause of the moment at which it is changed, and stays deleted', async () => {
    const { admin, slack } = app
    await own.add()
    const asked = () => slack.callsTo('conversations.info').length
    /** Saves what is changed, and does something else meanwhile. */
    const saveDuring = async (time: string, doIt: (list: Message) => Promise<unknown>) => {
      const list = await own.list()
      const edit = await admin.open(list, `${kind.actions}.edit`)
      const last = kind.command === '/calls' ? await admin.submit(edit, { time }) : edit
      const before = asked()
      slack.failNext('conversations.members', { delayMs: 900 })
      const saved = admin.submit(last, last === edit ? { time } : {})
      await expect.poll(asked).toBeGreaterThan(before)
      await doIt(list)
      return saved
    }
    expect(await saveDuring('11:00', (list) => own.click(list, 'pause'))).toShow('still paused')
    expect(await own.list()).toShow('at 11:00', 'Paused')
    expect(await saveDuring('12:00', (list) => own.delete(list))).toShow('already deleted')
    expect(await own.list()).toShow(`No ${kind.posts} are scheduled yet`)
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
    await app.logged('a modal was not updated')
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
