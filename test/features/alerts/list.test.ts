import { describe, expect, it } from 'vitest'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Alerts } from './alerts.ts'

const app = useApp({ connected: true })
const alerts = new Alerts(app)

/** Returns the only alert. */
const one = async () => (await alerts.kept())[0]!

describe('/calls alerts', () => {
  it('offers to create the first alert', async () => {
    const { member } = app
    const list = await alerts.list()
    expect(list).toShow('Missed-call alerts', 'No missed-call alerts yet.')
    expect(await member.submit(await member.open(list, 'calls.alert.new'))).toShow('Saved.')
    // The list that opened the form was updated.
    expect(await member.sees(list, '1 alert.')).toShow(
      `<#${app.slack.general.id}>: each missed call`,
      `At any time · Set up by <@${member.user.id}>`,
      'Nothing posted yet',
    )
  })

  it('mutes until someone turns it on, and says who did', async () => {
    const { admin, slack } = app
    const rule = `<#${slack.general.id}>: each missed call`
    await alerts.add()
    const muted = await alerts.click(await alerts.list(admin), 'Mute until turned on', admin)
    expect(muted).toShow(`Muted: ${rule}. Calls missed meanwhile aren't posted.`)
    const list = await alerts.list()
    expect(list).toShow(`Muted by <@${admin.user.id}> · Nothing posted yet`)
    expect(muted).toShow('Edit…', 'Turn on', 'Delete…')
    expect(muted).not.toShow('Mute for an hour')
    expect(await app.member.submit(await alerts.edit(list))).toShow('Saved.', 'Muted by ')
    app.clock.ahead = hourMs
    expect(await alerts.click(muted, 'Turn on', admin)).toShow('Turned on: ', 'You own it now.')
    const after = await one()
    expect(after).toMatchObject({ owner: admin.user.id })
    const { from = 0, until = 0 } = after.muted ?? {}
    expect(until - from).toBeGreaterThan(hourMs - 10_000)
    expect(await alerts.list()).not.toShow('Muted')
    // Calls that were missed since then are still posted.
    await alerts.click(list, 'Turn on')
    const owner = app.member.user.id
    expect(await one()).toMatchObject({ since: after.since, muted: after.muted, owner })
    const audit = await alerts.audit()
    expect(audit).toShow(`<@${admin.user.id}> muted an alert in ${rule}`)
    expect(audit).toShow(`<@${admin.user.id}> turned on an alert`)
  })

  it.each([
    ['Europe/Berlin', '2026-12-01T22:30:00Z', '2026-12-01T23:00:00Z', '00:00'],
    ['Asia/Tokyo', '2026-12-01T15:30:00Z', '2026-12-02T15:00:00Z', '00:00'],
    // The clocks go forward that night; in Beirut, at midnight.
    ['Europe/Berlin', '2027-03-28T12:00:00Z', '2027-03-28T22:00:00Z', '00:00'],
    ['Asia/Beirut', '2027-03-27T12:00:00Z', '2027-03-27T22:00:00Z', '01:00'],
  ])('mutes until tomorrow in the time zone of the channel: %s at %s', async (zone, at, until, time) => {
    await app.member.command(`/calls timezone ${zone}`)
    await alerts.add()
    app.clock.ahead = Date.parse(at) - Date.now()
    const elsewhere = app.slack.as(app.member.user, { channel: app.slack.addChannel({ name: 'elsewhere' }) })
    const list = await alerts.click(await alerts.list(elsewhere), 'Mute until tomorrow', elsewhere)
    expect(list).toShow(`, ${time} by <@${app.member.user.id}>`)
    expect(app.slack.messages({ channel: app.slack.general }).at(-1)).toShow(`, ${time}: each missed call`)
    expect(new Date((await one()).muted?.until ?? 0).toISOString()).toBe(until.replace('Z', '.000Z'))
  })

  it('asks before it deletes, and says if it was deleted before', async () => {
    const { member, slack } = app
    await alerts.add()
    const list = await alerts.list()
    const question = await member.open(list, 'calls.alert.menu', 'Delete…')
    expect(question).toShow('Delete this alert?', "This can't be undone.")
    expect(await alerts.kept()).toHaveLength(1)
    expect(await member.submit(question)).toShow(`Deleted: <#${slack.general.id}>: each missed call.`)
    expect(await alerts.kept()).toEqual([])
    await member.sees(list, 'No missed-call alerts yet')
    expect(await alerts.delete(list)).toShow('That alert was already deleted.')
    expect(await alerts.click(list, 'Mute for an hour')).toShow('already deleted')
    expect(await member.open(list, 'calls.alert.menu', 'Edit…')).toShow('already deleted')
    const audit = await alerts.audit()
    expect(JSON.stringify(audit.blocks).match(/ deleted an alert/g)).toHaveLength(1)
  })
})
