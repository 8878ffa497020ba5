import { describe, expect, it } from 'vitest'
import { reinstall } from '../../../src/slack/deliver/failures.ts'
import { type AlertRecord, type Failing, WATCH_ID } from '../../../src/store/alerts.ts'
import type { Store } from '../../../src/store/store.ts'
import type { TenantKey } from '../../../src/store/tenant.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, buttonsOf } from '../../support/shown.ts'
import { Alerts } from './alerts.ts'

const app = useApp({ connected: true })
const alerts = new Alerts(app)
const hourMs = 3_600_000
const now = () => Date.now() + app.clock.ahead

const one = async (): Promise<AlertRecord> => {
  const [first] = await alerts.kept()
  if (!first) throw new Error('there is no alert')
  return first
}

/** Stores a failure of an alert, as its poller does. */
async function fail(store: Store, tenant: TenantKey, id: string, failing: Failing) {
  await store.watches.change(tenant, WATCH_ID, (watch) => ({
    ...watch,
    alerts: { ...watch.alerts, [id]: { waiting: [], failing } },
  }))
}

/** Sets the clock to a time that is still to come: `HH:MM` in UTC. */
function setTime(time: string) {
  const day = new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)
  app.clock.ahead = Date.parse(`${day}T${time}:00Z`) - Date.now()
}

describe('/calls alerts', () => {
  it('says that there is none, and creates the first one', async () => {
    const { member } = app
    const list = await alerts.list()
    expect(list).toShow('Missed-call alerts', 'No missed-call alerts yet.')
    expect(await member.submit(await member.open(list, 'calls.alert.new'))).toShow('Saved.')
    // The list that the form was opened from shows it by then.
    expect(await member.sees(list, '1 missed-call alert.')).toShow(
      `<#${app.slack.general.id}>: each missed call`,
      `At any time · Set up by <@${member.user.id}>`,
      'Nothing posted yet',
    )
  })

  it('is also the reply to `/calls alert` if there are alerts', async () => {
    const { member } = app
    await alerts.add()
    const list = await member.command('/calls alert')
    expect(list).toShow('1 missed-call alert.', 'Pause', 'New alert…')
    expect(await member.open(list, 'calls.alert.new')).toShow('Missed-call alert', 'Where')
  })

  it('pauses and resumes, and says who did', async () => {
    const { admin, slack } = app
    await alerts.add()
    const { since } = await one()
    const paused = await alerts.click(await alerts.list(admin), 'pause', undefined, admin)
    const before = await alerts.list()
    expect(paused).toShow(
      `Paused: <#${slack.general.id}>: each missed call. Calls missed until it is resumed aren't posted.`,
    )
    expect(await alerts.list()).toShow(`Paused by <@${admin.user.id}> · Nothing posted yet`)
    expect(actionsOf(paused)).toEqual([
      'calls.alert.edit',
      'calls.alert.resume',
      'calls.alert.delete',
      'calls.alert.new',
    ])
    expect(await admin.submit(await admin.open(paused, 'calls.alert.edit'))).toShow(
      `This alert is still paused, so nothing is posted in <#${slack.general.id}>.`,
    )
    app.clock.ahead = hourMs
    const resumed = await alerts.click(paused, 'resume', undefined, admin)
    expect(resumed).toShow('Resumed: ', 'Posting new missed calls again.')
    const after = await one()
    expect(after).toMatchObject({ owner: admin.user.id })
    expect(after).not.toHaveProperty('muted')
    expect(after.since - since).toBeGreaterThan(hourMs - 10_000)
    // By another click, or by somebody else: it is as it is, and isn't noted again.
    expect(await alerts.click(before, 'resume')).toShow('Resumed: ')
    expect((await one()).owner).toBe(admin.user.id)
    const audit = await alerts.audit()
    expect(audit).toShow(`<@${admin.user.id}> · alert paused · <#${slack.general.id}> · each missed call`)
    expect(JSON.stringify(audit.blocks).match(/ alert resumed/g)).toHaveLength(1)
  })

  it('mutes for an hour, and unmutes', async () => {
    const { member } = app
    await member.command('/calls timezone Europe/Berlin')
    await alerts.add()
    setTime('10:15')
    const muted = await alerts.click(await alerts.list(), 'mute', 'Mute for an hour')
    expect(muted).toShow('Muted until 1', "Calls missed until then aren't posted.")
    expect(muted).toShow(` by <@${member.user.id}> · `)
    const until = (await one()).muted?.until ?? 0
    expect(Math.abs(until - now() - hourMs)).toBeLessThan(10_000)
    expect(actionsOf(muted)).toContain('calls.alert.unmute')
    expect(actionsOf(muted)).not.toContain('calls.alert.mute')
    const edit = await member.open(muted, 'calls.alert.edit')
    expect(await member.submit(edit)).toShow(
      'This alert is still muted until 1',
      'After that, each missed call',
    )
    const unmuted = await alerts.click(muted, 'unmute')
    expect(unmuted).toShow('Unmuted: ', 'Posting new missed calls again.')
    expect(await one()).not.toHaveProperty('muted')
    expect(Math.abs((await one()).since - now())).toBeLessThan(10_000)
    expect(actionsOf(unmuted)).toContain('calls.alert.mute')
    expect(await alerts.audit()).toShow('alert muted', 'alert unmuted')
  })

  it('updates the list that the form was opened from', async () => {
    const { member } = app
    await alerts.add()
    const list = await alerts.list()
    const edit = await member.open(list, 'calls.alert.edit')
    await member.submit(edit, { calls: '7' })
    await member.sees(list, '7 or more missed calls within 10 minutes')
    // Slack lets nobody change a message half an hour later.
    const late = await member.open(list, 'calls.alert.edit')
    app.clock.ahead = hourMs
    const before = app.slack.messages().length
    expect(await member.submit(late, { calls: '8' })).toShow('Saved. 8 or more')
    expect(app.slack.messages()).toHaveLength(before)
    expect(app.slack.message(list.ts)).not.toShow('8 or more')
  })

  it('is no longer muted once the hour is over', async () => {
    await alerts.add()
    const muted = await alerts.click(await alerts.list(), 'mute', 'Mute for an hour')
    const before = await one()
    app.clock.ahead = hourMs + 1000
    const list = await alerts.list()
    expect(list).not.toShow('Muted')
    expect(actionsOf(list)).toContain('calls.alert.mute')
    expect(await alerts.click(muted, 'unmute')).toShow('Unmuted: ')
    expect(await one()).toEqual(before)
  })

  it.each([
    ['Europe/Berlin', '2026-12-01T22:30:00Z', '2026-12-01T23:00:00Z'],
    ['Asia/Tokyo', '2026-12-01T15:30:00Z', '2026-12-02T15:00:00Z'],
    // The clocks go forward in that night, and at midnight itself in Beirut.
    ['Europe/Berlin', '2027-03-28T12:00:00Z', '2027-03-28T22:00:00Z'],
    ['Asia/Beirut', '2027-03-27T12:00:00Z', '2027-03-27T22:00:00Z'],
  ])('mutes until tomorrow in the time zone of the channel: %s at %s', async (zone, at, until) => {
    const { member } = app
    await member.command(`/calls timezone ${zone}`)
    await alerts.add()
    app.clock.ahead = Date.parse(at) - Date.now()
    await alerts.click(await alerts.list(), 'mute', 'Mute until tomorrow')
    expect(new Date((await one()).muted?.until ?? 0).toISOString()).toBe(until.replace('Z', '.000Z'))
  })

  it('asks before it deletes, and says if it was deleted before', async () => {
    const { member, slack } = app
    await alerts.add()
    const list = await alerts.list()
    expect(member.dialog(list, 'calls.alert.delete')).toContain('Delete this alert?')
    const deleted = await alerts.click(list, 'delete', 'Delete alert…')
    expect(deleted).toShow(`Deleted: <#${slack.general.id}>: each missed call.`, 'No missed-call alerts yet')
    expect(await alerts.kept()).toEqual([])
    for (const action of ['pause', 'unmute', 'resume'])
      expect(await alertsClickOf(list, action)).toShow('That alert was already deleted.')
    expect(await alerts.click(list, 'mute', 'Mute for an hour')).toShow('already deleted')
    expect(await alerts.click(list, 'delete', 'Delete alert…')).toShow('already deleted')
    expect(await member.open(list, 'calls.alert.edit')).toShow('already deleted')
    const audit = await alerts.audit()
    expect(JSON.stringify(audit.blocks).match(/ alert deleted/g)).toHaveLength(1)
  })

  /** By any of its ids, since the message shows one of two buttons. */
  const alertsClickOf = async (list: Parameters<typeof buttonsOf>[0], action: string) => {
    const { slack, url, member } = app
    const value = buttonsOf(list).find(({ action_id }) => action_id === 'calls.alert.edit')?.value
    const clicked = { action_id: `calls.alert.${action}`, value }
    return (await slack.clickRaw(url, { message: list, user: member.user, action: clicked })).waitForMessage(
      5000,
    )
  }

  it('pages through all alerts', async () => {
    const { member } = app
    await alerts.add()
    await alerts.store(async (store, tenant) => {
      const first = await one()
      const many = (n: number): AlertRecord => ({
        ...first,
        id: `A${n}`,
        lines: Array.from({ length: 60 }, (_, line) => `+49305550${1000 + line}`),
        threshold: { calls: 100, minutes: 60 },
        hours: { weekdays: [1, 3, 5, 7], from: '22:00', to: '06:00' },
      })
      for (let n = 1; n < 50; n++) {
        const alert = many(n)
        await store.alerts.set(tenant, alert.id, alert)
        await fail(store, tenant, alert.id, {
          since: now(),
          count: 1,
          why: reinstall,
          isPermanent: true,
          retryAt: now(),
        })
      }
    })
    const ids = new Set<string>()
    let list = await alerts.list()
    expect(list).toShow(
      '50 missed-call alerts.',
      '+49 30 55501000, +49 30 55501001, +49 30 55501002 or 57 more',
    )
    for (let page = 1; page <= 13; page++) {
      expect(list).toShow(`Page ${page} of 13`)
      for (const { action_id, value } of buttonsOf(list)) if (action_id === 'calls.alert.edit') ids.add(value)
      if (page < 13) list = await member.click(list, 'calls.alerts.page.next')
    }
    expect(ids.size).toBe(50)
    const last = await member.click(list, 'calls.alerts.page.previous')
    const [{ value = '' } = {}] = buttonsOf(last).filter(({ action_id }) => action_id.endsWith('pause'))
    expect(JSON.parse(value)).toMatchObject({ page: 12 })
    expect(await member.click(last, 'calls.alert.pause')).toShow('Page 12 of 13', 'Paused: ')
  })
})

describe('the payload of a button', () => {
  it.each([
    ['calls.alert.pause', '{"id":"A1"}'],
    ['calls.alert.pause', '{"id":"A1","page":0}'],
    ['calls.alert.resume', '{"id":7,"page":1}'],
    ['calls.alert.mute', '{"id":"A1","page":1,"for":"ever"}'],
    ['calls.alert.unmute', 'A1'],
    ['calls.alert.delete', `{"id":"${'A'.repeat(41)}","page":1}`],
    ['calls.alert.edit', '{"id":"A1","page":1,"tenant":"T2"}'],
    ['calls.alerts.page.next', '{"page":51}'],
  ])('is rejected if it was forged: %s %s', async (action_id, value) => {
    const { slack, url, member } = app
    await alerts.add()
    const message = await alerts.list()
    const exchange = await slack.clickRaw(url, { message, user: member.user, action: { action_id, value } })
    const shown = await slack.waitFor(() => exchange.messages[0] ?? exchange.views[0])
    expect(shown).toShow("that button can't be used any more")
    expect(await alerts.kept()).toHaveLength(1)
  })

  it('of a mute needs its length', async () => {
    const { slack, url, member } = app
    await alerts.add()
    const value = JSON.stringify({ id: (await one()).id, page: 1 })
    const action = { action_id: 'calls.alert.mute', value }
    const exchange = await slack.clickRaw(url, { message: await alerts.list(), user: member.user, action })
    expect(await exchange.waitForMessage(5000)).toShow("can't be used any more")
    expect(await one()).not.toHaveProperty('muted')
  })
})

describe('on the home tab', () => {
  it('a click says what was done, and updates the tab', async () => {
    const { slack, url, member } = app
    await alerts.add()
    const value = JSON.stringify({ id: (await one()).id, page: 1 })
    const published = () => slack.callsTo('views.publish').length
    const click = async (action_id: string, own = value) => {
      const view = await member.openHome()
      const before = published()
      const exchange = await slack.clickRaw(url, {
        view,
        user: member.user,
        action: { action_id, value: own },
      })
      const modal = await slack.waitFor(() => exchange.views.find(({ type }) => type === 'modal'))
      await slack.waitFor(() => published() > before || undefined)
      return modal
    }
    expect(await click('calls.alert.pause')).toShow('Paused: ')
    // Somebody else has done it by then: the tab is published all the same.
    expect(await click('calls.alert.pause')).toShow('Paused: ')
    expect(await click('calls.alert.resume')).toShow('Resumed: ')
    expect(await click('calls.alert.delete')).toShow('Deleted: ')
    expect(await click('calls.alert.delete')).toShow('already deleted')
    expect(await alerts.kept()).toEqual([])
  })
})

describe('a guest, or a member without access to calls', () => {
  it('can neither create nor change alerts', async () => {
    const { admin, member, slack, url } = app
    await alerts.add()
    const list = await alerts.list()
    const value = JSON.stringify({ id: (await one()).id, page: 1 })
    for (const user of [slack.people.guest, slack.people.stranger]) {
      for (const command of ['/calls alert', '/calls alerts'])
        expect(await slack.as(user).command(command)).toShow('full members of this workspace only')
      const action = { action_id: 'calls.alert.pause', value }
      const exchange = await slack.clickRaw(url, {
        message: await slack.as(user).command('/calls help'),
        user,
        action,
      })
      expect(await exchange.waitForMessage(5000)).toShow('full members')
    }
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.command('/calls alert')).toShow("You don't have access to calls")
    expect(await alerts.click(list, 'pause')).toShow("You don't have access to calls")
    expect(await one()).not.toHaveProperty('muted')
  })

  it('can not submit a form that was open before', async () => {
    const { admin, member } = app
    const form = await member.open('/calls alert')
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    expect(await member.submit(form)).toShow("You don't have access to calls")
    expect(await alerts.kept()).toEqual([])
  })
})
