import { afterEach, expect, it } from 'vitest'
import { rowsOf, useHouse } from '../../support/app.ts'
import { type SocketBridge, startSocketBridge } from '../../support/socket-bridge.ts'

let bridge: SocketBridge
const house = useHouse(async (slack) => {
  bridge = await startSocketBridge()
  slack.socketUrl = bridge.socketUrl
  return { slack: { appToken: 'xapp-1-stand-in', botToken: slack.botToken, apiUrl: slack.apiUrl } }
})
afterEach(() => bridge.close())

it('does in Socket Mode what it does over HTTP, with its health on HTTP', async () => {
  const { slack } = house()
  const http = house().url
  for (const path of ['/healthz', '/readyz']) expect((await fetch(http + path)).status).toBe(200)
  expect((await fetch(`${http}/slack/events`, { method: 'POST', body: '{}' })).status).toBe(404)
  house().url = bridge.url

  await house().connect()
  const list = await house().ask('')
  expect(rowsOf(list)).toHaveLength(20)
  const next = await house().click(list, 'calls.page.next')
  expect(next.ts).toBe(list.ts)
  expect(rowsOf(next)).not.toEqual(rowsOf(list))
  const zone = {
    view: await (await house().say('connect', slack.people.admin)).waitForView(),
    action_id: 'setup.zone',
  }
  const { options } = await slack.suggest(bridge.url, { ...zone, value: 'tok', user: slack.people.admin })
  expect(JSON.stringify(options)).toContain('Asia/Tokyo')
  await slack.event(bridge.url, { type: 'app_home_opened', user: slack.people.member.id, tab: 'home' })
  await slack.waitFor(() => slack.home(slack.people.member))
})

it('comes back through another connection when Slack asks for it', async () => {
  house().url = bridge.url
  expect(bridge.connections()).toBe(1)
  bridge.disconnect()
  await expect.poll(bridge.connections, { timeout: 8000 }).toBe(2)
  expect(JSON.stringify(await house().ask('help'))).toContain('/calls')
})
