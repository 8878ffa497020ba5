import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { Channel, Message } from '../../../dev/slack/slack.ts'
import { rangeLabel, utcDay } from '../../../src/time/days.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getActions, getRows } from '../../support/shown.ts'
import { kinds, Schedules } from '../subscriptions/schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app, kinds.report)

const dayLabel = (instant: number) =>
  new Date(instant).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
/** Copies a call to another instant. */
function addCall(at: number, id = String(at)) {
  const { lively } = app.sandbox.accounts
  lively.addCalls({ ...lively.calls('incoming')[0]!, id, at: new Date(at) })
}
const onlyPost = (channel: Channel): Message => {
  const posts = schedules.posts(channel)
  expect(posts).toHaveLength(1)
  return posts[0]!
}
const daily = { rhythm: 'daily' }

describe('/calls schedule', () => {
  it('has a form that never redraws, and posts nothing when it is saved', async () => {
    const { member, slack } = app
    const form = await member.open('/calls schedule')
    expect(form).toShow('Schedule call reports', 'Where', 'Repeat', 'Time', 'Table')
    expect(form).toShow("Monday's covers Friday to Sunday", 'Nothing is posted if there were no calls')
    expect(JSON.stringify(form.blocks)).not.toContain('dispatch_action')
    const values = { channel: slack.general.id, rhythm: 'weekdays', by: 'hour' }
    expect(await member.submit(form, values)).toShow(`Saved. First post in <#${slack.general.id}>: `)
    const list = await schedules.list()
    expect(list).toShow('Scheduled call reports', 'Monday to Friday at 09:00', 'by hour')
    expect(list).toShow(`Scheduled by <@${member.user.id}>`)
    expect(await schedules.audit()).toShow('· report schedule ·', 'Monday to Friday at 09:00, by hour')
    expect(schedules.posts(slack.general)).toEqual([])
  })

  it('requires a channel that accepts posts', async () => {
    const { member, slack } = app
    const form = await member.open('/calls schedule')
    const shared = slack.addChannel({ name: 'with-them', isExtShared: true })
    const refused = await member.submit(form, { channel: shared.id }, { force: true })
    expect(JSON.stringify(refused.errors)).toContain('shared with another company')
    expect(await schedules.list()).toShow('No call reports are scheduled yet.')
  })

  it("is for people who may see calls, and doesn't show schedules of billing posts", async () => {
    const { admin, member, slack, url } = app
    const billing = new Schedules(app)
    await billing.add()
    await schedules.add()
    const [menu] = elementsIn((await billing.list()).blocks).filter(
      ({ element }) => element.type === 'overflow',
    )
    const message = await schedules.list(member)
    const press = async (prefix: string, value: string) => {
      const block_id = menu?.block.block_id?.replace('billing.schedule.menu', `${prefix}.menu`) ?? ''
      const selected_option = { text: { type: 'plain_text', text: value }, value }
      const action = { action_id: `${prefix}.menu`, block_id, selected_option }
      const exchange = await slack.clickRaw(url, { message, user: member.user, action })
      return exchange.waitForMessage(5000)
    }
    for (const entry of ['mute', 'turn-on'])
      expect(await press('calls.schedule', entry)).toShow('already deleted')
    expect(await press('billing.schedule', 'mute')).toShow("You don't have access to billing")
    expect(await billing.list()).toShow('Next: ')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.command('/calls schedules')).toShow("You don't have access to calls")
  })
})

describe('/calls schedules', () => {
  it('is updated by the form that it opened', async () => {
    const { admin } = app
    await schedules.add()
    const list = await schedules.list()
    const edit = await schedules.edit(list)
    expect(await schedules.save(edit, { rhythm: 'monthly last' })).toShow('Saved. Next post in')
    const changed = await admin.sees(list, 'monthly on the last day')
    expect(changed).toShow('by line')
    const another = await admin.open(changed, 'calls.schedule.new')
    expect(await schedules.save(another, { channel: app.slack.general.id })).toShow('Saved. First post in')
    await admin.sees(list, '2 schedules.')
    expect(await schedules.audit()).toShow('report schedule changed')
  })
})

describe('a scheduled report', () => {
  it('covers the previous day with a chart and a table, and names who scheduled it', async () => {
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
    expect(getRows(post).length).toBeGreaterThan(0)
    expect(getActions(post)).toEqual([])
    await schedules.at(due + dayMs + 1000)
    expect(schedules.posts(support)).toHaveLength(2)
  })

  it('covers the weekend on a Monday, compared with the week before', async () => {
    const support = await schedules.add({ rhythm: 'weekdays', time: '06:15' })
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
  })

  it.each([
    ['weekly 3', 'hour'],
    ['monthly first', 'agent'],
  ])('covers the days since the last one: %s, by %s', async (rhythm, by) => {
    const support = await schedules.add({ rhythm, by })
    const due = await schedules.due()
    addCall(due - dayMs)
    await schedules.at(due + 1000)
    expect(onlyPost(support)).toShow(`by ${by}`, dayLabel(due - dayMs))
  })

  it("isn't posted without calls, but the next one is", async () => {
    const support = await schedules.add(daily)
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

  it('is posted late, and marked as late, if the service was down for an hour', async () => {
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

  it('is posted once a day at its time, before and after a clock change', async () => {
    const { admin, slack } = app
    const support = slack.addChannel({ name: 'support' })
    await slack.as(admin.user, { channel: support }).command('/calls timezone Europe/Berlin')
    const form = await admin.open('/calls schedule')
    const values = { channel: support.id, ...daily, time: '02:30' }
    expect(await schedules.save(form, values)).toShow('Saved')
    // On the last Sunday of March, clocks skip 02:30; on that of October, 02:30 occurs twice.
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
  ])('omits what Slack refuses: %s', async (_, gone, kept) => {
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

  it('is read again, and posted once, if the process stops meanwhile', async () => {
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

  it('leaves a slot of the workspace to people', async () => {
    const { member, sandbox } = app
    const support = await schedules.add({ ...daily })
    const due = await schedules.due()
    const midnight = due - (due % dayMs)
    for (let n = 1; n <= 120; n += 1) addCall(midnight - n * minuteMs)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    // The first pages of both periods are answered at once; the next three are held back.
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

  it('is sent to its owner by direct message each week', async () => {
    const { member, slack } = app
    const form = await member.open('/calls schedule')
    expect(form).toShow('Callboard joins a public channel.', 'In direct messages to you')
    const where = `irect messages to <@${member.user.id}>`
    const saved = await member.submit(form, { where: 'direct', rhythm: 'weekly 1' })
    expect(saved).toShow(`Saved. First post in d${where}: `)
    expect(await schedules.list()).toShow(`D${where}, every Monday at 09:00`)
    const due = await schedules.due()
    await schedules.at(due + hourMs)
    const sent = () => {
      const channel = slack.directChannel(member.user)?.id
      return slack.messages().filter((one) => one.channel === channel && one.onlyFor === undefined)
    }
    expect(sent()).toHaveLength(1)
    expect(sent()[0]).toShow('Call report: ', 'Scheduled by member with Callboard')
    expect(slack.callsTo('conversations.info')).toEqual([])
    // Only the person who gets the report can change the schedule.
    const list = await schedules.list()
    const edit = await schedules.save(await schedules.edit(list))
    expect(edit).toShow(`Only <@${member.user.id}> can do that.`)
    expect(await schedules.click(list, 'Mute until turned on')).toShow(`Muted: d${where}`)
  })

  it('is deleted with its workspace', async () => {
    const { admin } = app
    await schedules.add()
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    await app.connect()
    expect(await schedules.list()).toShow('No call reports are scheduled yet.')
  })
})
