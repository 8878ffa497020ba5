import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { eachKind, kinds, Schedules } from '../schedules/schedules.ts'

const app = useApp({ connected: true })

const actionsOf = ({ blocks }: View) => elementsIn(blocks).map(({ element }) => element.action_id)
const direct = () => app.slack.messages().filter(({ channel }) => channel.startsWith('D'))
const addAlert = async (by = app.admin, channel = app.slack.general) => {
  const modal = await by.open('/calls alert')
  return by.submit(modal, { channel: channel.id })
}

describe('what is planned, on the home tab', () => {
  it.each(eachKind)('of the kind %s is paused, resumed, changed and deleted there', async (_, kind) => {
    const { admin } = app
    const schedules = new Schedules(app, kind)
    const finance = await schedules.add()
    const home = await admin.openHome()
    expect(home).toShow('Scheduled posts (1)', `${kind.posts}: <#${finance.id}>`.slice(1), 'Next: ')
    expect(await admin.open(home, `${kind.actions}.menu`, 'Pause')).toShow('Paused: ')
    const paused = await admin.sees(home, 'Paused')
    expect(await admin.open(paused, `${kind.actions}.menu`, 'Resume')).toShow('You own it now.')
    const resumed = await admin.sees(home, 'Next: ')
    const edit = await admin.open(resumed, `${kind.actions}.menu`, 'Edit…')
    expect(await schedules.save(edit, { time: '17:45' })).toShow('Saved')
    const changed = await admin.sees(home, 'every Monday at 17:45')
    const question = await admin.open(changed, `${kind.actions}.menu`, 'Delete…')
    expect(question).toShow('Delete this schedule?', "This can't be undone.")
    await admin.sees(home, 'Scheduled posts (1)')
    expect(await admin.open(question, `${kind.actions}.delete`)).toShow('Deleted: ')
    await admin.sees(home, 'Scheduled posts (0)')
    // Nothing of it went to the Messages tab.
    expect(direct()).toEqual([])
  })

  it('is as it is now after a click on what somebody else has deleted meanwhile', async () => {
    const { admin } = app
    const schedules = new Schedules(app)
    await schedules.add()
    const home = await admin.openHome()
    const owner = app.slack.as(app.slack.people.owner)
    await schedules.delete(await schedules.list(owner), owner)
    expect(home).toShow('Scheduled posts (1)')
    expect(await admin.open(home, 'billing.schedule.menu', 'Pause')).toShow('already deleted')
    await admin.sees(home, 'Scheduled posts (0)')
  })

  it('shows alerts with when they posted, and a click is shown there', async () => {
    const { admin } = app
    expect(await addAlert()).toShow('Saved')
    const home = await admin.openHome()
    expect(home).toShow('Missed-call alerts (1)', 'each missed call', 'osted')
    await admin.press(home, 'calls.alert.menu', 'Pause')
    const paused = await admin.sees(home, 'Paused by')
    await admin.press(paused, 'calls.alert.menu', 'Resume')
    const resumed = await admin.sees(home, 'Mute for an hour')
    await admin.press(resumed, 'calls.alert.menu', 'Mute until tomorrow')
    const muted = await admin.sees(home, 'Muted until')
    expect(JSON.stringify(muted.blocks)).not.toContain('mute-hour')
    await admin.press(muted, 'calls.alert.menu', 'Unmute')
    const unmuted = await admin.sees(home, 'Mute for an hour')
    const question = await admin.open(unmuted, 'calls.alert.menu', 'Delete…')
    await admin.press(question, 'calls.alert.delete')
    await admin.sees(home, 'Missed-call alerts (0)')
    expect(direct()).toEqual([])
  })

  it('shows a member what they may see of it, and nothing to somebody who may see nothing', async () => {
    const { admin, member, slack } = app
    await new Schedules(app).add()
    const none = await member.openHome()
    expect(none).toShow('Scheduled posts (0)', 'Missed-call alerts (0)')
    // Whoever sees calls may plan something about them.
    expect(await member.open(none, 'calls.schedule.new')).toShow('Schedule call reports')
    expect(await member.open(none, 'calls.alert.new')).toShow('Missed-call alert')
    const choice = await admin.open(await admin.openHome(), 'planned.new')
    expect(choice).toShow('Billing posts…', 'Call reports…')
    expect(await admin.open(choice, 'billing.schedule.new')).toShow('Schedule billing posts')
    await new Schedules(app, kinds.report).add()
    await addAlert()
    const home = await member.openHome()
    expect(home).toShow('Scheduled posts (1)', 'Call reports: ', 'Missed-call alerts (1)')
    expect(home).not.toShow('Billing posts')
    const form = await member.open('/calls schedule <#C1|none>')
    const direct = await member.open(form, 'calls.schedule.where', 'direct')
    expect(await member.submit(await member.submit(direct))).toShow('Saved.')
    expect(await member.openHome()).toShow('Call reports: direct messages to <@')
    expect(actionsOf(home)).toContain('calls.schedule.menu')
    expect(actionsOf(home)).not.toContain('billing.schedule.menu')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.openHome()).not.toShow('Scheduled posts', 'Missed-call alerts')
    expect(await slack.as(slack.people.guest).openHome()).not.toShow('Scheduled posts')
  })

  it('shows the first few, and leads to the rest', { timeout: 60_000 }, async () => {
    const { admin, slack } = app
    const [billing, report] = [new Schedules(app), new Schedules(app, kinds.report)]
    for (let n = 0; n < 8; n += 1) {
      const values = { channel: slack.general.id, time: `09:0${n}` }
      await billing.save(await admin.open('/billing schedule'), values)
      await report.save(await admin.open('/calls schedule'), values)
      await addAlert(admin, slack.addChannel({ name: `line-${n}` }))
    }
    const home = await admin.openHome()
    expect(home).toShow('Scheduled posts (16)', 'and 11 more', 'Missed-call alerts (8)', 'and 3 more')
    expect(home.blocks.length).toBeLessThan(100)
    expect(await admin.open(home, 'command.billing-schedules')).toShow('Scheduled billing posts')
    expect(await admin.open(home, 'command.calls-schedules')).toShow('Scheduled call reports')
    expect(await admin.open(home, 'command.alerts')).toShow('Missed-call alerts')
  })
})

describe('what somebody left who is gone', () => {
  it('is shown to an administrator first, who takes it over: a schedule', async () => {
    const { admin, member, slack, clock } = app
    const schedules = new Schedules(app, kinds.report)
    const support = slack.addChannel({ name: 'support' })
    const modal = await member.open('/calls schedule')
    const values = { channel: support.id, day: 'weekly 1', ...kinds.report.values }
    expect(await schedules.save(modal, values, member)).toShow('Saved')
    expect(await admin.openHome()).not.toShow('Take over')
    slack.people.member.deleted = true
    await schedules.pass()
    expect(schedules.posts(support)).toEqual([])
    // Whoever connected the account is told.
    expect(schedules.notices()).toEqual([
      expect.stringContaining("isn't a member of this workspace any more"),
    ])
    clock.ahead += 5 * 60_000
    const home = await admin.openHome()
    const [first] = actionsOf(home)
    expect(home).toShow('Take over', `<@${member.user.id}>, who set this up`)
    expect(first).toBe('calls.schedule.resume')
    await admin.press(home, 'calls.schedule.resume')
    const taken = await admin.sees(home, 'Next: ')
    expect(taken).toShow(`Scheduled by <@${admin.user.id}>`)
    expect(taken).not.toShow('Take over')
    await schedules.pass()
    expect(schedules.posts(support)).toHaveLength(1)
    expect(schedules.posts(support)[0]).toShow('Scheduled by admin with Callboard')
  })

  it('is shown to an administrator first, who takes it over: an alert', async () => {
    const { admin, member } = app
    expect(await addAlert(member)).toShow('Saved')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    const home = await admin.openHome()
    expect(home).toShow('Take over', "can't see calls any more")
    await admin.press(home, 'calls.alert.take-over')
    await expect.poll(() => admin.openHome()).not.toShow('Take over')
    expect(await admin.command('/billing audit')).toShow('alert taken over')
  })

  it('is nothing to anybody else', async () => {
    const { admin, member, slack } = app
    const colleague = slack.as(slack.addPerson({ name: 'colleague' }))
    expect(await addAlert(member)).toShow('Saved')
    slack.people.member.deleted = true
    app.clock.ahead += 5 * 60_000
    expect(await colleague.openHome()).not.toShow('Take over')
    expect(await admin.openHome()).toShow('Take over')
  })
})
