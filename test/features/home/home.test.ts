import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp()

describe('the home tab', () => {
  it('shows a member what there is, the zone and who can connect; a guest why there is nothing', async () => {
    const { member, slack } = app
    const home = await member.openHome()
    expect(home).toShow('/calls', '/agents', '/billing', 'Europe/Berlin (UTC', 'Admins and owners')
    expect(home).not.toShow('Connection')
    const ofGuest = await slack.as(slack.people.guest).openHome()
    expect(ofGuest).toShow('full members')
    expect(ofGuest).not.toShow('/calls')
  })

  it('shows an admin the connection, zones, schedules and who did what, anew after each change', async () => {
    const { admin, slack, sandbox } = app
    const first = await admin.openHome()
    expect(first).toShow('Not connected')
    // Connect from the home tab itself.
    const { key, secret } = sandbox.accounts.lively
    await admin.submit(await admin.open(first, 'setup.connect'), { key, secret })
    const connected = await admin.sees(first, `Connected by <@${admin.user.id}>`)
    expect(connected).not.toShow(key)

    await admin.type('/calls timezone Asia/Tokyo')
    const inTokyo = await admin.sees(connected, 'Asia/Tokyo')
    const schedule = await admin.open(inTokyo, 'billing.schedule.new')
    await admin.submit(schedule, { channel: slack.general.id })
    const scheduled = await admin.sees(inTokyo, 'each billing date at 09:00')
    await admin.submit(await admin.open(scheduled, 'billing.settings'), { agents: 'admins' })
    await admin.sees(scheduled, 'settings, calls everyone, agents admins')

    await admin.command('/calls')
    expect(await admin.openHome()).toShow('It last answered at')
    sandbox.faults.always({ kind: 'status', status: 401 })
    await admin.command('/calls')
    await expect.poll(() => admin.openHome()).toShow("didn't accept the API key and secret")

    expect(await admin.open(await admin.openHome(), 'setup.disconnect')).toShow('Disconnected')
    await admin.sees(first, 'Not connected')
  })

  it('is left alone where the messages tab is opened', async () => {
    const { member, slack, url } = app
    await slack.event(url, { type: 'app_home_opened', user: member.user.id, tab: 'messages' })
    await app.logged('"interaction":"event app_home_opened"')
    expect(slack.callsTo('views.publish')).toHaveLength(0)
  })
})

it('opens a modal for a click on the home tab before its trigger dies, however slowly Slack tells who asks', async () => {
  const { admin, slack } = app
  await app.connect()
  // The one that connecting brings, so that nothing but the click asks who it is.
  await slack.waitFor(() => slack.callsTo('views.publish')[0])
  const home = await admin.openHome()
  slack.failNext('users.info', { delayMs: 2300 })
  const clicked = await admin.press(home, 'setup.disconnect')
  expect(clicked.status).toBe(200)
  const modal = await slack.waitFor(() => clicked.views.find(({ type }) => type === 'modal'))
  expect(modal).toShow('One moment…')
  await admin.sees(modal, 'Disconnected')
})

it('reads no more zones of channels than it shows, and a workspace can make no end of them', async () => {
  const { admin, slack } = app
  await admin.command('/calls timezone Asia/Tokyo')
  const db = new DatabaseSync(app.storePath)
  const { key, value } =
    db.prepare("SELECT key, value FROM callboard_store WHERE namespace = 'channel-settings'").get() ?? {}
  const insert = db.prepare("INSERT INTO callboard_store VALUES ('channel-settings', ?, ?, NULL)")
  const fill = (from: number, to: number) => {
    db.exec('BEGIN')
    for (let n = from; n < to; n += 1)
      insert.run(String(key).replace(slack.general.id, `C1${String(n).padStart(6, '0')}`), value ?? '')
    db.exec('COMMIT')
  }
  fill(0, 998)
  await expect.poll(() => admin.openHome()).toShow('…and 989 more')
  const at = (name: string) => slack.as(admin.user, { channel: slack.addChannel({ name }) })
  expect(await at('last').command('/calls timezone Europe/Paris')).toShow('Europe/Paris')
  expect(await at('beyond').command('/calls timezone Europe/Paris')).toShow("there can't be more")
  expect(await at('beyond').command('/calls timezone')).not.toShow('Paris')
  expect(await admin.command('/calls timezone Europe/Paris')).toShow('Europe/Paris')

  // As an older version let it become.
  fill(1000, 100_000)
  db.close()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  await expect.poll(() => admin.openHome()).toShow('…and many more')
  expect(delay.max / 1e6).toBeLessThan(500)
})
