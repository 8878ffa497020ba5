import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { eachKind, Schedules } from '../subscriptions/schedules.ts'

const app = useApp({ connected: true })

const getActions = ({ blocks }: View) => elementsIn(blocks).map(({ element }) => element.action_id)
const add = async (form: View, channel = app.slack.general) =>
  expect(await app.admin.submit(form, { where: 'channel', channel: channel.id })).toShow('Saved')

describe('subscriptions on the Home tab', () => {
  it.each(eachKind)('are muted, turned on, changed and deleted there: %s', async (_, kind) => {
    const { admin } = app
    const schedules = new Schedules(app, kind)
    const title = `Scheduled ${kind.posts}`
    const finance = await schedules.add({ rhythm: 'weekly 1' })
    const home = await admin.openHome()
    const menu = `${kind.actions}.menu`
    expect(home).toShow(`${title} (1)`, 'Next: ')
    expect(await admin.open(home, menu, 'Mute until turned on')).toShow('Muted: ')
    const muted = await admin.sees(home, 'Muted by')
    const turnedOn = await admin.open(muted, menu, 'Turn on')
    expect(turnedOn).toShow('You own it now.')
    expect(turnedOn).not.toShow(title)
    const edit = await admin.open(await admin.sees(home, 'Next: '), menu, 'Edit…')
    expect(await schedules.save(edit, { time: '17:45' })).toShow('Saved')
    await admin.sees(home, 'every Monday at 17:45')
    await schedules.setZone(finance, 'Asia/Tokyo')
    const changed = await admin.sees(home, '17:45 (Asia/Tokyo)')
    expect(await schedules.delete(changed)).toShow('Deleted: ')
    await admin.sees(home, `No ${kind.posts} are scheduled yet.`)
    // The Messages tab stays empty.
    expect(schedules.notices()).toEqual([])
  })

  it('shows only subscriptions that the person may see', async () => {
    const { admin, member } = app
    await new Schedules(app).add()
    const none = await member.openHome()
    expect(none).toShow('No call reports are scheduled yet.', 'No missed-call alerts yet.')
    expect(none).not.toShow('billing posts')
    const form = await member.open(none, 'calls.schedule.new')
    expect(await member.submit(form, { where: 'direct' })).toShow('Saved.')
    expect(await member.open(none, 'calls.alert.new')).toShow('Missed-call alert')
    await add(await admin.open('/calls alert'))
    const home = await member.openHome()
    expect(home).toShow('Scheduled call reports (1)', 'Direct messages to <@', 'Missed-call alerts (1)')
    expect(home).toShow('each missed call', 'Nothing posted yet')
    expect(getActions(home)).not.toContain('billing.schedule.menu')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.openHome()).not.toShow('call reports', 'Missed-call alerts')
  })

  it('shows the first five, with a stopped one before the others, and a button for the rest', async () => {
    const { admin, slack, stored } = app
    const addTo = async (name: string) => add(await admin.open('/calls schedule'), slack.addChannel({ name }))
    for (let n = 0; n < 5; n += 1) await addTo(`line-${n}`)
    expect(getActions(await admin.openHome())).not.toContain('command.calls-schedules')
    await addTo('line-5')
    const { id } = JSON.parse(stored.all('report-schedules').at(-1)?.value ?? '')
    stored.setValue('report-schedules', `json_set(value, '$.stopped', json('{"why":"Archived."}'))`, id)
    const home = await admin.openHome()
    expect(home).toShow('Scheduled call reports (6)', '⚠ Stopped. Archived.')
    expect(getActions(home).filter((id) => id === 'calls.schedule.menu')).toHaveLength(5)
    expect(await admin.open(home, 'command.calls-schedules')).toShow('Page 1 of 2')
  })
})
