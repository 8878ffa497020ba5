import { afterEach, beforeEach, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { getRows } from '../../support/shown.ts'
import { type SocketBridge, startSocketBridge } from '../../support/socket-bridge.ts'

let bridge: SocketBridge
const app = useApp({
  runtime: { slackTimes: { reconnectAfterMs: 20, connectWithinMs: 1000 } },
  config: async (slack) => {
    bridge = await startSocketBridge()
    slack.socketUrl = bridge.socketUrl
    const { botToken, apiUrl } = slack
    return { slack: { appToken: 'xapp-1-stand-in', botToken, apiUrl }, metricsToken: 'a token for tests' }
  },
})
beforeEach(() => {
  app.slack.appUrl = bridge.url
})
afterEach(() => bridge.close())

it('handles the same requests in Socket Mode as over HTTP, and serves health over HTTP', async () => {
  const { admin, member, slack, url } = app
  for (const path of ['/healthz', '/readyz'])
    for (const method of ['GET', 'HEAD']) expect((await fetch(url + path, { method })).status).toBe(200)
  expect((await fetch(`${url}/slack/events`, { method: 'POST', body: '{}' })).status).toBe(404)

  await app.connect()
  const list = await member.command('/calls')
  expect(getRows(list)).toHaveLength(20)
  const next = await member.click(list, 'calls.page.next')
  expect(next.ts).toBe(list.ts)
  expect(getRows(next)).not.toEqual(getRows(list))
  expect(await findNumber(slack, member, 'Call +44 20 7946 0042 back')).toShow('calls to +44 20 7946 0042')
  const options = await admin.suggest(await admin.open('/calls connect'), 'setup.zone', 'tok')
  expect(JSON.stringify(options)).toContain('Asia/Tokyo')
  await slack.event(bridge.url, { type: 'app_home_opened', user: member.user.id, tab: 'home' })
  await slack.waitFor(() => slack.home(member.user))
})

/** Types a command that waits for the person, until the returned function is called. */
async function typeHeld() {
  const { member, slack } = app
  const { promise: until, resolve } = Promise.withResolvers<void>()
  slack.failNext('users.info', { until })
  const typed = member.type('/calls help')
  await slack.waitFor(() => slack.callsTo('users.info')[0])
  return { typed, resolve }
}

it('acknowledges requests in progress over the old connection during a refresh', async () => {
  const { typed, resolve } = await typeHeld()
  bridge.disconnect()
  await expect.poll(bridge.connections).toBe(2)
  expect(bridge.openConnections()).toBe(2)
  resolve()
  expect(await (await typed).waitForMessage()).toShow('/calls')
  await expect.poll(bridge.openConnections).toBe(1)
  expect(app.slack.callsTo('response_url')).toEqual([])
  expect(app.logs.join('')).not.toContain('a request could not be acknowledged')
})

it('goes on if the connection is lost before the acknowledgement', async () => {
  const { typed, resolve } = await typeHeld()
  // The stand-in never receives the acknowledgement.
  typed.catch(() => {})
  bridge.cut()
  await expect.poll(bridge.connections).toBe(2)
  resolve()
  await app.logged('a request could not be acknowledged')
  expect(app.logs.join('')).not.toContain('a request failed')
})

it("doesn't acknowledge an uninstallation that can't be stored", async () => {
  await app.connect()
  const acknowledged: string[] = []
  const tell = async (name: string) => {
    await app.slack.event(bridge.url, { type: 'app_uninstalled' })
    acknowledged.push(name)
  }
  const allow = app.stored.refuseAfter(0)
  // Slack's request times out.
  void tell('first').catch(() => {})
  await app.logged('"interaction":"event app_uninstalled","msg":"unexpected"')
  allow()
  await tell('second')
  expect(acknowledged).toEqual(['second'])
  expect(app.stored.all('credentials')).toEqual([])
})

it.each(['greeting', 'upgrade'] as const)(
  'gives up a connection without its %s, and tries again',
  async (until) => {
    bridge.stayMute(until)
    bridge.disconnect()
    await expect.poll(bridge.connections).toBe(2)
    // The old connection stays meanwhile.
    expect(await app.member.command('/calls help')).toShow('/calls')
    await app.logged('Slack did not greet in time')
    await expect.poll(bridge.connections, { timeout: 5000 }).toBe(3)
    await expect.poll(bridge.openConnections).toBe(1)
    expect(await app.member.command('/calls help')).toShow('/calls')
  },
)

it.each(['refresh_requested', 'warning', 'too_many_websockets'])(
  'replaces a connection that Slack ends with the reason %s',
  async (reason) => {
    expect(bridge.connections()).toBe(1)
    bridge.disconnect(reason)
    // The old connection isn't awaited: Slack leaves it open.
    await expect.poll(bridge.connections, { timeout: 2000 }).toBe(2)
    await expect.poll(bridge.openConnections).toBe(1)
    expect(await app.member.command('/calls help')).toShow('/calls')
    expect(await app.readMetrics()).toContain('callboard_acknowledgement_seconds_count 1\n')
  },
)

it('retries if Slack refuses another connection, and obeys Retry-After', async () => {
  for (const fault of [{ body: { ok: false, error: 'invalid_auth' } }, { status: 503 }])
    app.slack.failNext('apps.connections.open', fault)
  app.slack.rateLimitNext('apps.connections.open', 1)
  const start = performance.now()
  bridge.disconnect()
  await expect.poll(bridge.connections, { timeout: 8000 }).toBe(2)
  expect(performance.now() - start).toBeGreaterThan(900)
  await app.logged('Slack could not be connected to', 3)
  expect(await app.member.command('/calls help')).toShow('/calls')
})

it('acknowledges requests in progress before it stops', async () => {
  const { member, sandbox } = app
  await app.connect()
  sandbox.requests.clear()
  sandbox.faults.next({ kind: 'delay', ms: 300 }, { operation: 'incoming' })
  const typed = member.type('/calls')
  await expect.poll(() => sandbox.requests.count('incoming')).toBe(1)
  await app.restart()
  const command = await typed
  expect(command.timedOut).toBe(false)
  expect(getRows(await command.waitForMessage())).toHaveLength(20)
})
