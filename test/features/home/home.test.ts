import { describe, expect, it } from 'vitest'
import type { User } from '../../../dev/slack/slack.ts'
import { useHouse } from '../../support/app.ts'

const house = useHouse()

async function open(user: User): Promise<string> {
  const { slack, url } = house()
  const before = slack.callsTo('views.publish').length
  await slack.event(url, { type: 'app_home_opened', user: user.id, tab: 'home', channel: 'D1' })
  await slack.waitFor(() => (slack.callsTo('views.publish').length > before ? true : undefined))
  await slack.waitFor(() => slack.home(user))
  return shown(user)
}
const shown = (user: User) => JSON.stringify(house().slack.home(user)?.blocks)
const until = (user: User, text: string) => expect.poll(() => shown(user), { timeout: 4000 }).toContain(text)

describe('the home tab', () => {
  it('shows a member what there is, the zone and who can connect; a guest why there is nothing', async () => {
    const { slack } = house()
    const { member, guest } = slack.people
    const text = await open(member)
    for (const part of ['/calls', '/agents', '/billing', 'Europe/Berlin (UTC', 'Admins and owners']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('Connection')
    const ofGuest = await open(guest)
    expect(ofGuest).toContain('full members')
    expect(ofGuest).not.toContain('/calls')
  })

  it('shows an admin the connection, zones, schedules and who did what, anew after each change', async () => {
    const { slack, url, say, sandbox } = house()
    const { admin } = slack.people
    expect(await open(admin)).toContain('Not connected')
    const home = () => {
      const view = slack.home(admin)
      if (!view) throw new Error('no home')
      return view
    }
    // Connect from the home tab itself.
    const opening = await slack.click(url, { view: home(), action_id: 'setup.connect', user: admin })
    const modal = await opening.waitForView()
    const { key, secret } = sandbox.accounts.lively
    await slack.submit(url, { view: modal, values: { key, secret }, user: admin })
    await until(admin, `Connected by <@${admin.id}>`)
    expect(shown(admin)).not.toContain(key)

    await say('timezone Asia/Tokyo', admin)
    await until(admin, 'Asia/Tokyo')
    const schedule = await slack.click(url, { view: home(), action_id: 'billing.schedule.new', user: admin })
    await slack.submit(url, {
      view: await schedule.waitForView(),
      values: { channel: slack.general.id },
      user: admin,
    })
    await until(admin, 'each billing date at 09:00')
    const settings = await slack.click(url, { view: home(), action_id: 'billing.settings', user: admin })
    await slack.submit(url, { view: await settings.waitForView(), values: {}, user: admin })
    await until(admin, 'settings, calls everyone')

    await say('', admin)
    expect(await open(admin)).toContain('It last answered at')
    sandbox.faults.always({ kind: 'status', status: 401 })
    await say('', admin)
    await expect.poll(() => open(admin)).toContain('did not accept the key and secret')

    const gone = await slack.click(url, { view: home(), action_id: 'setup.disconnect', user: admin })
    expect(JSON.stringify(await gone.waitForView())).toContain('Disconnected')
    await until(admin, 'Not connected')
  })

  it('is left alone where the messages tab is opened', async () => {
    const { slack, url } = house()
    await slack.event(url, { type: 'app_home_opened', user: slack.people.member.id, tab: 'messages' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(slack.callsTo('views.publish')).toHaveLength(0)
  })
})

it('opens a modal for a click on the home tab before its trigger dies, however slowly Slack tells who asks', async () => {
  const { slack, url, connect } = house()
  const { admin } = slack.people
  await connect()
  await open(admin)
  const view = slack.home(admin)
  if (!view) throw new Error('no home')
  slack.failNext('users.info', { delayMs: 2300 })
  const clicked = await slack.click(url, { view, action_id: 'setup.disconnect', user: admin })
  expect(clicked.status).toBe(200)
  await slack.waitFor(() => slack.openViews().find((one) => JSON.stringify(one).includes('Disconnected')))
  const [opened] = slack.callsTo('views.open').slice(-1)
  expect(JSON.stringify(opened?.args)).toContain('One moment…')
})
