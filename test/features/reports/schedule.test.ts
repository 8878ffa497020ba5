import { describe, expect, it } from 'vitest'
import type { Channel, Message, View } from '../../../dev/slack/slack.ts'
import { rangeLabel, utcDay } from '../../../src/time/days.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, buttonsOf, rowsOf } from '../../support/shown.ts'
import { dayMs, hourMs, kinds, Schedules } from '../schedules/schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app, kinds.report)
const minuteMs = 60_000

const dayLabel = (instant: number) =>
  new Date(instant).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
/** A call like one that there is, at another instant. */
function addCall(at: number, id = String(at)) {
  const { lively } = app.sandbox.accounts
  lively.addCalls({ ...lively.calls('incoming')[0]!, id, at: new Date(at) })
}
const onlyPost = (channel: Channel): Message => {
  const posts = schedules.posts(channel)
  expect(posts).toHaveLength(1)
  return posts[0]!
}
const daily = { day: 'daily', weekdays: ['1', '2', '3', '4', '5', '6', '7'] }

describe('/calls schedule', () => {
  it('shows what would be posted, and saves nothing before that is agreed to', async () => {
    const { member, slack } = app
    const form = await member.open('/calls schedule')
    expect(form).toShow(
      'Schedule call reports',
      'Since the last report',
      'Only when there were calls',
      'On the weekdays below',
    )
    const preview = await member.submit(form, { channel: slack.general.id, range: 'week', by: 'hour' })
    expect(preview).toShow('Not saved yet.', `<#${slack.general.id}>, Monday to Friday at 09:00`)
    expect(preview).toShow('the week before, by hour', 'First post: ', 'Call report: ', 'Incoming calls')
    expect(await schedules.list()).toShow('No call reports are scheduled yet.')
    expect(await member.submit(preview)).toShow(`Saved. First post in <#${slack.general.id}>: `)
    const list = await schedules.list()
    expect(list).toShow('Scheduled call reports', 'Monday to Friday at 09:00', 'the week before, by hour')
    expect(list).toShow(`Scheduled by <@${member.user.id}>`, 'Only when there were calls.')
    expect(await schedules.audit()).toShow('report schedule', 'Monday to Friday at 09:00')
    // Nothing is in the channel yet.
    expect(schedules.posts(slack.general)).toEqual([])
  })

  it('leads back from the preview to the form as it was filled in, of a new one and of one that is changed', async () => {
    const { admin, slack } = app
    const support = slack.addChannel({ name: 'support' })
    const filled = { channel: support.id, range: 'month', by: 'agent', when: 'always', time: '07:45' }
    const form = await admin.open('/calls schedule')
    const preview = await admin.submit(form, { ...filled, day: 'daily', weekdays: ['2', '6'] })
    const back = await admin.open(preview, 'calls.schedule.back')
    expect(back.id).toBe(form.id)
    const blocks = JSON.stringify(back.blocks)
    const initial = (...values: string[]) => values.map((value) => expect.stringContaining(`"${value}"`))
    for (const shown of initial(support.id, '07:45')) expect(blocks).toEqual(shown)
    expect(blocks).toMatch(/"initial_option":[^}]*}?,"value":"month"/)
    expect(blocks).toMatch(/"initial_option":[^}]*}?,"value":"agent"/)
    const again = await admin.submit(back, { by: 'hour' })
    expect(again).toShow(`<#${support.id}>, every Tuesday and Saturday at 07:45`, 'the month before, by hour')
    expect(await admin.submit(again)).toShow('Saved. First post in')
    const edit = await admin.open(await schedules.list(), 'calls.schedule.edit')
    const changed = await admin.open(await admin.submit(edit, { time: '08:00' }), 'calls.schedule.back')
    expect(await schedules.save(changed)).toShow('Saved. Next post in')
    expect(await schedules.list()).toShow('1 schedule', 'at 08:00')
  })

  it('says in the preview where there is nothing to tell, and where the phone service is away', async () => {
    const { member, sandbox, slack } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '0', result: [] } })
    const form = await member.open('/calls schedule')
    const nothing = await member.submit(form, { channel: slack.general.id })
    expect(nothing).toShow('No incoming calls ', 'Nothing would be posted')
    sandbox.faults.clear()
    sandbox.faults.always({ kind: 'status', status: 500 })
    const again = await member.open('/calls schedule')
    const shown = await member.submit(again, { channel: slack.general.id, range: 'month' })
    const away = JSON.stringify(shown).includes('No preview') ? shown : await member.sees(shown, 'No preview')
    expect(away).toShow("The phone service isn't responding", 'You can still save the schedule')
    expect(await member.submit(away)).toShow('Saved')
  })

  it('asks for weekdays only where it comes on weekdays', async () => {
    const { admin, slack } = app
    const inputs = (view: View) =>
      view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? block_id : []))
    const form = await admin.open('/calls schedule')
    expect(inputs(form)).toContain('weekdays')
    const weekly = await admin.open(form, 'calls.schedule.rhythm', 'weekly 1')
    expect(inputs(weekly)).toEqual(inputs(form).filter((id) => id !== 'weekdays'))
    expect(await schedules.save(weekly)).toShow(`Saved. First post in <#${slack.general.id}>: `)
    expect(await schedules.list()).toShow('every Monday at 09:00')
    const edit = await admin.open(await schedules.list(), 'calls.schedule.edit')
    expect(inputs(edit)).not.toContain('weekdays')
    // Sent before the weekdays that it asks for were there.
    const daily = await admin.submit(edit, { day: 'daily' })
    expect(inputs(daily)).toContain('weekdays')
    expect(await schedules.save(daily)).toShow('Saved. Next post in')
    expect(await schedules.list()).toShow('Monday to Friday at 09:00')
  })

  it('asks for at least one weekday, and for a channel that takes posts', async () => {
    const { member, slack } = app
    const form = await member.open('/calls schedule')
    const none = await member.submit(form, { channel: slack.general.id, weekdays: [] }, { force: true })
    expect(form).toShow("Monday's covers Friday to Sunday, unless it's about the day before.")
    expect(form.blocks.find(({ block_id }) => block_id === 'weekdays')).not.toHaveProperty('optional')
    expect(none.errors).toEqual({ weekdays: 'Choose at least one weekday.' })
    const shared = slack.addChannel({ name: 'with-them', isExtShared: true })
    const refused = await member.submit(form, { channel: shared.id, weekdays: ['1'] }, { force: true })
    expect(JSON.stringify(refused.errors)).toContain('shared with another company')
    // Another channel became unfit while the preview was looked at.
    const support = slack.addChannel({ name: 'support' })
    const preview = await member.submit(form, { channel: support.id })
    support.isArchived = true
    expect(await member.submit(preview)).toShow('is archived')
    expect(await schedules.list()).toShow('No call reports are scheduled yet.')
  })

  it('is for whoever may see calls, and leads to no schedule of billing posts', async () => {
    const { admin, member, slack, url } = app
    const billing = new Schedules(app)
    await billing.add()
    await schedules.add()
    const value = buttonsOf(await billing.list()).find(({ action_id }) => action_id.endsWith('edit'))?.value
    const message = await schedules.list(member)
    const press = async (action_id: string) => {
      const exchange = await slack.clickRaw(url, { message, user: member.user, action: { action_id, value } })
      return exchange.waitForMessage(5000)
    }
    for (const action of ['pause', 'resume', 'delete'])
      expect(await press(`calls.schedule.${action}`)).toShow('already deleted')
    expect(await press('billing.schedule.pause')).toShow("You don't have access to billing")
    expect(await billing.list()).toShow('Next: ')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.command('/calls schedules')).toShow("You don't have access to calls")
  })
})

describe('/calls schedules', () => {
  it('is brought up to date by the form that it opened', async () => {
    const { admin } = app
    await schedules.add()
    const list = await schedules.list()
    const edit = await admin.open(list, 'calls.schedule.edit')
    expect(await schedules.save(edit, { day: 'monthly last', range: 'month' })).toShow('Saved. Next post in')
    const changed = await admin.sees(list, 'monthly on the last day')
    expect(changed).toShow('the month before, by line')
    const another = await admin.open(changed, 'calls.schedule.new')
    expect(await schedules.save(another, { channel: app.slack.general.id })).toShow('Saved. First post in')
    await admin.sees(list, '2 schedules.')
    expect(await schedules.audit()).toShow('report schedule changed')
  })
})

describe('a scheduled report', () => {
  it('is of the day before its own, with its chart and table, and says who scheduled it', async () => {
    const support = await schedules.add({ ...daily, time: '06:15' })
    const due = await schedules.due()
    const midnight = due - (due % dayMs)
    addCall(midnight - hourMs)
    addCall(midnight + minuteMs, 'of its own day')
    await schedules.at(due + 1000)
    const post = onlyPost(support)
    expect(post).toShow('Call report: ', dayLabel(midnight - 1), 'by line')
    expect(post).toShow('Scheduled by admin with Callboard')
    expect(post).not.toShow(app.admin.user.id, 'Late')
    expect(post.blocks.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['table', 'data_visualization']),
    )
    expect(rowsOf(post).length).toBeGreaterThan(0)
    expect(actionsOf(post)).toEqual([])
    await schedules.at(due + dayMs + 1000)
    expect(schedules.posts(support)).toHaveLength(2)
  })

  it('is of all days since the last one: on a Monday of Friday to Sunday, as in the week before', async () => {
    const support = await schedules.add({ day: 'daily', weekdays: ['1', '2', '3', '4', '5'], time: '06:15' })
    expect(await schedules.list()).toShow('since the last report, by line')
    let due = await schedules.due()
    for (; new Date(due).getUTCDay() !== 1; due = await schedules.due()) await schedules.at(due + 1000)
    const monday = due - (due % dayMs)
    for (const weeks of [0, 1])
      for (let n = 0; n < 10 + weeks; n += 1)
        addCall(monday - (3 + 7 * weeks) * dayMs + n * hourMs, `${weeks} ${n}`)
    await schedules.at(due + 1000)
    const days = (first: number, last: number, today?: number) => {
      const [from, to, now] = [first, last, today ?? 0].map((n) => utcDay(new Date(monday - n * dayMs)))
      return rangeLabel({ from: from!, to: to! }, today === undefined ? undefined : now)
    }
    const post = schedules.posts(support).at(-1)
    expect(post).toShow(`Call report: ${days(3, 1)}`, `Compared with ${days(10, 8, 0)}.`)
    // Nothing is left out where the service was away for a day, or nobody called.
    const tuesday = await schedules.due()
    app.sandbox.faults.always({ kind: 'status', status: 503 })
    await schedules.at(tuesday + 1000)
    await schedules.at(tuesday + dayMs - hourMs)
    app.sandbox.faults.clear()
    await schedules.at(tuesday + dayMs + 2 * hourMs)
    expect(schedules.posts(support).at(-1)).toShow(`Call report: ${days(0, -1)}`)
  })

  it.each([
    ['week', 'by hour'],
    ['month', 'by agent'],
  ])('is of the %s before, %s', async (range, by) => {
    const support = await schedules.add({ day: 'weekly 3', range, by: by.slice('by '.length) })
    const due = await schedules.due()
    const { year, month } = { year: new Date(due).getUTCFullYear(), month: new Date(due).getUTCMonth() }
    // It comes on a Wednesday: the Sunday before, or the last day of the month before.
    const last = range === 'week' ? due - 3 * dayMs : Date.UTC(year, month, 0)
    await schedules.at(due + 1000)
    expect(onlyPost(support)).toShow(by, dayLabel(last))
  })

  it('is not posted where there is nothing to tell, and comes again the next time', async () => {
    const support = await schedules.add({ ...daily, when: 'calls' })
    const due = await schedules.due()
    app.sandbox.faults.always({ kind: 'set', envelope: { total_record: '0', result: [] } })
    await schedules.at(due + 1000)
    expect(schedules.posts(support)).toEqual([])
    expect(schedules.notices()).toEqual([])
    expect(await schedules.list()).toShow('Next: ')
    app.sandbox.faults.clear()
    addCall(due + hourMs)
    await schedules.at(due + dayMs + 1000)
    expect(onlyPost(support)).toShow('Call report: ')
  })

  it('comes late, and says so, where the service was away for an hour; of the same day still', async () => {
    const { sandbox, clock } = app
    const support = await schedules.add({ ...daily, time: '23:30' })
    const due = await schedules.due()
    addCall(due - dayMs)
    sandbox.faults.always({ kind: 'status', status: 503 })
    await schedules.at(due + 1000)
    for (const minutes of [5, 20, 45]) {
      clock.ahead = due + minutes * minuteMs - Date.now()
      await expect.poll(() => sandbox.requests.entries('incoming').length).toBeGreaterThan(0)
    }
    expect(schedules.posts(support)).toEqual([])
    sandbox.faults.clear()
    await schedules.at(due + 61 * minuteMs + 30 * minuteMs)
    const post = onlyPost(support)
    expect(post).toShow('Late: scheduled for', dayLabel(due - dayMs))
    expect(schedules.notices()).toEqual([])
  })

  it('comes at its time on both sides of a clock change, once a day', async () => {
    const { admin, slack } = app
    const support = slack.addChannel({ name: 'support' })
    await slack.as(admin.user, { channel: support }).command('/calls timezone Europe/Berlin')
    const form = await admin.open('/calls schedule')
    const values = { channel: support.id, ...daily, time: '02:30', ...kinds.report.values }
    expect(await schedules.save(form, values)).toShow('Saved')
    // On the last Sunday of March the clocks skip 02:30, and on that of October they show it twice.
    const year = new Date().getUTCFullYear() + 1
    const lastSunday = (month: number) => {
      const end = Date.UTC(year, month + 1, 0)
      return end - new Date(end).getUTCDay() * dayMs
    }
    for (const change of [lastSunday(2), lastSunday(9)]) {
      await schedules.at(change - 2 * hourMs)
      const before = schedules.posts(support).length
      for (let minutes = 0; minutes < 240; minutes += 15)
        await schedules.at(change + minutes * minuteMs + 1000)
      expect(schedules.posts(support)).toHaveLength(before + 1)
      expect(schedules.posts(support).at(-1)).not.toShow('Late')
    }
  })

  it.each([
    ['charts', ['data_visualization'], ['table']],
    ['tables and charts', ['data_visualization', 'table'], []],
  ])('comes without what Slack refuses: %s', async (_, gone, kept) => {
    const { slack } = app
    const support = await schedules.add({ ...daily })
    const due = await schedules.due()
    addCall(due - (due % dayMs) - hourMs)
    const body = { ok: false, error: 'invalid_blocks' }
    for (let n = 0; n < gone.length; n += 1) slack.failNext('chat.postMessage', { body })
    await schedules.at(due + 1000)
    const types = onlyPost(support).blocks.map(({ type }) => String(type))
    expect(types.filter((type) => gone.includes(type))).toEqual([])
    expect(types).toEqual(expect.arrayContaining(kept))
    expect(onlyPost(support)).toShow('Call report: ', 'Scheduled by')
  })

  it('is read again, and posted once, where the process stops while it is read', async () => {
    const { sandbox } = app
    const support = await schedules.add({ ...daily })
    const due = await schedules.due()
    sandbox.faults.always({ kind: 'delay', ms: 1500 }, { operation: 'incoming' })
    sandbox.requests.clear()
    app.clock.ahead = due + 1000 - Date.now()
    await expect.poll(() => sandbox.requests.count('incoming'), { timeout: 5000 }).toBeGreaterThan(0)
    await app.restart(() => sandbox.faults.clear())
    await schedules.at(due + minuteMs)
    expect(onlyPost(support)).toShow('Call report: ')
    expect(schedules.notices()).toEqual([])
  })

  it('leaves a slot of the workspace to people while it is read', async () => {
    const { member, sandbox } = app
    const support = await schedules.add({ ...daily })
    const due = await schedules.due()
    const midnight = due - (due % dayMs)
    for (let n = 1; n <= 120; n += 1) addCall(midnight - n * minuteMs)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    // The first pages of both periods come at once; the next three are held.
    sandbox.faults.next({ kind: 'delay', ms: 0 }, { operation: 'incoming', times: 2 })
    sandbox.faults.next({ kind: 'hold', until }, { operation: 'incoming', times: 3 })
    sandbox.requests.clear()
    app.clock.ahead = due + 1000 - Date.now()
    const asked = () => sandbox.requests.count('incoming')
    await expect.poll(asked, { timeout: 5000 }).toBe(5)
    expect(await member.command('/agents')).toShow('Agents')
    expect(asked()).toBe(5)
    expect(schedules.posts(support)).toEqual([])
    release()
    await app.jobsDone()
    expect(schedules.posts(support)).toHaveLength(1)
  })

  it('comes to whoever plans it by direct message, each week', async () => {
    const { admin, member, slack } = app
    const inChannel = await member.open('/calls schedule')
    expect(inChannel).toShow('Callboard joins a public channel.')
    const form = await member.open(inChannel, 'calls.schedule.where', 'direct')
    expect(form).toShow('Direct messages to me', "In the workspace's time zone")
    expect(form).not.toShow('Callboard joins')
    const preview = await member.submit(form, { day: 'weekly 1', when: 'always' })
    const where = `irect messages to <@${member.user.id}>`
    expect(preview).toShow(`D${where}, every Monday at 09:00`)
    const back = await member.open(preview, 'calls.schedule.back')
    expect(back).not.toShow('Callboard joins')
    const saved = await member.submit(await member.submit(back))
    expect(saved).toShow(`Saved. First post in d${where}: `)
    const due = await schedules.due()
    await schedules.at(due + hourMs)
    const sent = () => {
      const channel = slack.directChannel(member.user)?.id
      return slack.messages().filter((one) => one.channel === channel && one.onlyFor === undefined)
    }
    expect(sent()).toHaveLength(1)
    expect(sent()[0]).toShow('Call report: ', 'Scheduled by member with Callboard')
    expect(slack.callsTo('conversations.info')).toEqual([])
    // It is that person's alone.
    const list = await schedules.list()
    const edit = await schedules.save(await admin.open(list, 'calls.schedule.edit'))
    expect(edit).toShow(`Only <@${member.user.id}> can do that.`)
    expect(await schedules.click(list, 'pause')).toShow(`Paused: d${where}`)
  })

  it('is gone with its workspace', async () => {
    const { admin } = app
    await schedules.add()
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    await app.connect()
    expect(await schedules.list()).toShow('No call reports are scheduled yet.')
  })
})
