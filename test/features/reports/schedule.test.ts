import { describe, expect, it } from 'vitest'
import type { Channel, Message } from '../../../dev/slack/slack.ts'
import { utcDay, weekdayLabel } from '../../../src/time/days.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { unhurried, useApp } from '../../support/app.ts'
import { getActions, getRows } from '../../support/shown.ts'
import { endAtOnce } from '../../support/slow-slack.ts'
import { kinds, Schedules } from '../subscriptions/schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app, kinds.report)

/** Copies a call to another instant. A chart needs two lines. */
function addCall(at: number, { id = String(at), ...line }: { id?: string; number?: string } = {}) {
  const { lively } = app.sandbox.accounts
  lively.addCalls({ ...lively.calls('incoming')[0]!, id, at: new Date(at), ...line })
}
const onlyPost = (channel: Channel): Message => {
  const posts = schedules.posts(channel)
  expect(posts).toHaveLength(1)
  return posts[0]!
}
const daily = { rhythm: 'daily' }

it('/calls schedule posts nothing when it is saved', async () => {
  const { member, slack } = app
  const form = await member.open('/calls schedule')
  expect(form).toShow('Schedule call reports', 'Where', 'Repeat', 'Time', 'Table')
  expect(form).toShow("Monday's covers Friday to Sunday", 'Nothing is posted if there were no calls')
  const values = { channel: slack.general.id, rhythm: 'weekdays', by: 'hour' }
  expect(await member.submit(form, values)).toShow('Saved.', `<#${slack.general.id}>, `, 'Next: ')
  const list = await schedules.list()
  expect(list).toShow('Scheduled call reports', 'Monday to Friday at 09:00', 'by hour')
  expect(list).toShow(`Scheduled by <@${member.user.id}>`)
  expect(await schedules.audit()).toShow('set up a report schedule in', 'Monday to Friday at 09:00, by hour')
  expect(schedules.posts(slack.general)).toEqual([])
})

describe('a scheduled report', () => {
  it('covers the previous day with a chart and a table, and names who scheduled it', async () => {
    const support = await schedules.add({ ...daily, time: '06:15' })
    const due = await schedules.due()
    const midnight = due - (due % dayMs)
    for (const number of ['+4930123456', '+4930123457']) addCall(midnight - hourMs, { id: number, number })
    addCall(midnight + minuteMs, { id: 'of its own day' })
    await schedules.at(due + 1000)
    const post = onlyPost(support)
    const dayBefore = weekdayLabel(utcDay(new Date(midnight - 1)), utcDay(new Date(midnight)))
    expect(post).toShow(`${dayBefore}: `, ' missed', 'by line', 'Scheduled by admin with Callboard')
    expect(post).not.toShow(app.admin.user.id, 'Late')
    expect(post.blocks.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['data_table', 'data_visualization']),
    )
    expect(getRows(post).length).toBeGreaterThan(0)
    expect(getActions(post)).toEqual([])
    await schedules.at(due + dayMs + 1000)
    expect(schedules.posts(support)).toHaveLength(2)
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
    expect(onlyPost(support)).toShow(' missed')
  })

  it('waits longer for the service than a person would', async () => {
    const support = await schedules.add({ ...daily, by: 'hour' })
    endAtOnce(unhurried.readForMs)
    const due = await schedules.due()
    app.sandbox.faults.next({ kind: 'status', status: 500 }, { times: 8, operation: 'incoming' })
    await schedules.at(due + 1000)
    expect(onlyPost(support)).toShow(' missed', 'Talk time', 'by hour')
  })

  it('is read again, and posted once, if the process stops while it reads more pages', async () => {
    const { sandbox } = app
    const operation = 'incoming'
    const support = await schedules.add({ ...daily })
    const due = await schedules.due()
    const { promise: until, resolve } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'set', envelope: { total_record: '45' } }, { times: 2, operation })
    sandbox.faults.next({ kind: 'delay', ms: 0 }, { times: 2, operation })
    sandbox.faults.always({ kind: 'hold', until }, { operation })
    sandbox.requests.clear()
    app.clock.ahead = due + 1000 - Date.now()
    await expect.poll(() => sandbox.requests.count(operation), { timeout: 5000 }).toBeGreaterThan(2)
    await app.restart(() => {
      expect(app.logs.join('')).toContain('a job failed')
      resolve()
      sandbox.faults.clear()
    })
    await schedules.at(due + minuteMs)
    expect(onlyPost(support)).toShow(' missed')
    expect(schedules.notices()).toEqual([])
  })

  it('by direct message is changed only by the person who gets it, and muted by others', async () => {
    const { member } = app
    await member.submit(await member.open('/calls schedule'), { where: 'direct', rhythm: 'weekly 1' })
    const list = await schedules.list()
    expect(await schedules.save(await schedules.edit(list))).toShow(`Only <@${member.user.id}> can do that.`)
    const muted = `Muted: direct messages to <@${member.user.id}>`
    expect(await schedules.click(list, 'Mute until turned on')).toShow(muted)
  })
})
