import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { type ServedSandbox, serveSandbox } from '../../dev/service/serve.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { Slackbot } from '../features/slackbot/slackbot.ts'
import type { TestApp } from '../support/app.ts'
import { Browser, supportUrl } from '../support/oauth.ts'
import '../support/shown.ts'
import { leakedSipSecrets } from '../support/sip-secrets.ts'
import { startSocketBridge } from '../support/socket-bridge.ts'
import { StoredRows } from '../support/stored-rows.ts'
import { AppProcess, type ProcessOptions } from './app-process.ts'

let folder: string
let slack: Slack
let sandbox: Sandbox
let served: ServedSandbox
const started: AppProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-process-'))
  slack = await startSlack()
  sandbox = createSandbox({ calls: 40 })
  served = await serveSandbox(sandbox)
})

afterEach(async () => {
  const written = started.map(({ output }) => output)
  for (const app of started.splice(0)) app.kill('SIGKILL')
  await slack.close()
  await served.close()
  rmSync(folder, { recursive: true, force: true })
  expect(leakedSipSecrets(slack, sandbox, written)).toEqual([])
})

async function start(env: Record<string, string> = {}, options: ProcessOptions = {}): Promise<AppProcess> {
  const app = await AppProcess.start(
    {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...env,
    },
    options,
  )
  started.push(app)
  slack.appUrl = app.url
  return app
}

async function startListening(options: ProcessOptions = {}): Promise<AppProcess> {
  const app = await start({}, options)
  await app.listening()
  return app
}

/** Connects the workspace to the lively account. */
async function connectAccount() {
  const admin = slack.as(slack.people.admin)
  const { key, secret } = sandbox.accounts.lively
  await admin.submit(await admin.open('/calls connect'), { key, secret })
  return admin
}

it.each(['a folder', 'notes.txt', 'notes.txt/store.sqlite'])(
  'ends with 1 and one sentence where %s is to be the SQLite file',
  async (name) => {
    const [inTheWay = ''] = name.split('/')
    const path = join(folder, inTheWay)
    if (inTheWay === 'notes.txt') writeFileSync(path, 'not a database')
    else mkdirSync(path)
    const app = await start({ STORE_URL: `sqlite:${join(folder, name)}` })
    expect(await app.exited).toBe(1)
    expect(app.output).toMatch(/^STORE_URL: [^\n]*\n$/)
    expect(app.output).not.toContain(folder)
  },
)

it("names HOST but not its value if it isn't an address of this machine", async () => {
  const app = await start({ HOST: '203.0.113.7' })
  expect(await app.exited).toBe(1)
  expect(app.output).toMatch(
    /^Callboard can't start\. Please set:\n {2}PORT, HOST: [^\n]+ \(EADDRNOTAVAIL\)\n$/,
  )
})

it('names SLACK_APP_TOKEN if Slack refuses it', async () => {
  slack.failNext('apps.connections.open', { status: 200, body: { ok: false, error: 'invalid_auth' } })
  const app = await start({ SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-revoked', LOG_LEVEL: 'silent' })
  expect(await app.exited).toBe(1)
  expect(app.output).toMatch(
    /^Callboard can't start\. Please set:\n {2}SLACK_APP_TOKEN: [^\n]*invalid_auth[^\n]*\n$/,
  )
})

it.each([
  ['Slack rejects SLACK_BOT_TOKEN', { status: 200, body: { ok: false, error: 'invalid_auth' } }],
  ["Slack can't be reached", { status: 503, body: {} }],
])('logs at once that %s, and starts', async (text, answer) => {
  slack.failNext('auth.test', answer)
  const app = await startListening()
  await expect.poll(() => app.output).toContain(text)
})

it('says on /readyz that Slack rejects the token, until Slack accepts it', async () => {
  const refusal = { status: 200, body: { ok: false, error: 'invalid_auth' } }
  slack.failNext('auth.test', refusal)
  const app = await startListening()
  await expect.poll(() => app.output).toContain('Slack rejects SLACK_BOT_TOKEN')
  slack.failNext('auth.test', refusal)
  const response = await fetch(`${app.url}/readyz`)
  expect([response.status, await response.text()]).toEqual([503, 'Slack rejects SLACK_BOT_TOKEN\n'])
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status, { timeout: 5000 }).toBe(200)
  expect(await (await connectAccount()).command('/calls')).toShow('incoming calls')
})

it('exits with 1 and one sentence if the database has rows of a newer version', async () => {
  const app = await startListening()
  app.kill('SIGTERM')
  await app.exited
  new StoredRows(join(folder, 'store.sqlite')).setValue('version', "'2'")
  const older = await start()
  expect(await older.exited).toBe(1)
  expect(older.output).toMatch(
    /^The database holds rows of version 2, and this Callboard knows version 1[^\n]*\n$/,
  )
})

it('exits with 1 and one sentence if another process has the SQLite file, but not after a kill', async () => {
  const first = await startListening()
  const second = await start()
  expect(await second.exited).toBe(1)
  expect(second.output).toMatch(
    /^Another process uses [^\n]*store\.sqlite: SQLite is for one process[^\n]*\n$/,
  )
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  first.kill('SIGKILL')
  await first.exited
  await startListening()
})

it('responds to GET and HEAD alike on its health routes', async () => {
  const app = await startListening()
  for (const [path, text] of [
    ['/healthz', 'ok\n'],
    ['/readyz', 'ready\n'],
  ] as const) {
    const [got, head] = [await fetch(app.url + path), await fetch(app.url + path, { method: 'HEAD' })]
    expect([got.status, await got.text()]).toEqual([200, text])
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
  expect((await fetch(`${app.url}/healthz`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${app.url}//`)).status).toBe(404)
  expect((await fetch(`${app.url}/nowhere`)).status).toBe(404)
  // There is none without a token.
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404)
})

it('fails /readyz on SIGTERM, finishes acknowledged work, and exits with 0', async () => {
  const app = await startListening()
  const admin = await connectAccount()
  // Too long for an answer in the acknowledgement.
  sandbox.faults.next({ kind: 'delay', ms: 3000 }, { operation: 'incoming' })
  const command = await admin.type('/calls')
  expect(command.ackBody).toBeFalsy()
  app.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect(command.messages).toEqual([])
  expect((await command.waitForMessage()).blocks.some(({ type }) => type === 'table')).toBe(true)
  expect(await app.exited).toBe(0)
  expect(app.output).not.toContain('Warning')
  expect(app.output).toContain('"msg":"stopped"')
  await expect(fetch(`${app.url}/readyz`)).rejects.toThrow('fetch failed')
})

it('goes on for DRAIN_SECONDS after SIGTERM, while /readyz answers 503', async () => {
  const app = await start({ DRAIN_SECONDS: '1' })
  await app.listening()
  const admin = await connectAccount()
  app.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect(await (await fetch(`${app.url}/readyz`)).text()).toBe('stopping\n')
  expect(await admin.command('/calls')).toShow('incoming calls')
  expect(await app.exited).toBe(0)
})

it('exits with 0 on SIGTERM while it waits for its first connection to Slack', async () => {
  const app = await start({
    SLACK_SIGNING_SECRET: '',
    SLACK_APP_TOKEN: 'xapp-1',
    SLACK_API_URL: 'http://127.0.0.1:9/api/',
  })
  await expect.poll(() => app.output, { timeout: 10_000 }).toContain('Slack could not be connected to')
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
})

it('logs its commit and source lines when run from the build', async () => {
  const app = await startListening({ program: 'build' })
  const [first = ''] = app.output.split('\n')
  expect(JSON.parse(first)).toMatchObject({
    build: 'dist',
    commit: expect.any(String),
    msg: 'Callboard listens',
  })
  const admin = await connectAccount()
  expect((await admin.command('/calls')).blocks.some(({ type }) => type === 'table')).toBe(true)
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
  const withoutDatabase = await start({ STORE_URL: 'postgres://127.0.0.1:1/none' }, { program: 'build' })
  await withoutDatabase.listening()
  expect(withoutDatabase.output).toMatch(/ \(src\/store\/engine\/postgres\.ts:\d+\)/)
})

it('serves Socket Mode', async () => {
  const bridge = await startSocketBridge()
  onTestFinished(() => bridge.close())
  slack.socketUrl = bridge.socketUrl
  const app = await start({ SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-1' })
  await app.listening()
  slack.appUrl = bridge.url
  const admin = await connectAccount()
  const list = await admin.command('/calls')
  const next = await admin.click(list, 'calls.page.next')
  expect(JSON.stringify(next.blocks)).toContain('Page 2 of')
})

it('installs by OAuth, with each state once', async () => {
  const app = await start({
    SLACK_BOT_TOKEN: '',
    SLACK_CLIENT_ID: slack.oauth.clientId,
    SLACK_CLIENT_SECRET: slack.oauth.clientSecret,
    SLACK_STATE_SECRET: 'a state secret for tests',
    PUBLIC_URL: 'https://calls.example.com',
    SUPPORT_URL: supportUrl,
  })
  await app.listening()
  const about = await fetch(app.url)
  expect([about.status, await about.text()]).toEqual([200, expect.stringContaining('/slack/install')])
  const browser = new Browser(slack)
  const { page, authorizeUrl } = await browser.start()
  const consent = { team: slack.workspace, user: slack.people.admin }
  const back = slack.oauth.consent(authorizeUrl, consent)
  expect(await browser.return(back, page.cookie)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Callboard is installed'),
  })
  const again = slack.oauth.consent(authorizeUrl, consent)
  for (const url of [back, again]) expect((await browser.return(url, page.cookie)).status).toBe(400)
  expect(slack.callsTo('oauth.v2.access')).toHaveLength(1)
  const admin = await connectAccount()
  expect(await admin.command('/calls')).toShow('incoming calls')
})

it("serves Slackbot's tools", async () => {
  const app = await start({ MCP: 'on' })
  await app.listening()
  const admin = await connectAccount()
  const slackbot = await new Slackbot({ url: app.url, slack } as TestApp).connect()
  expect((await slackbot.call('list_calls', {}, admin.user)).shown).toContain('incoming calls')
})

it('logs an unhandled rejection and exits with 1', async () => {
  const onSignal =
    "data:text/javascript,process.on('SIGUSR2', () => { Promise.reject(new Error('forgotten')) })"
  const app = await startListening({ nodeArguments: ['--import', onSignal] })
  app.kill('SIGUSR2')
  expect(await app.exited).toBe(1)
  expect(app.output).toContain('unhandled rejection')
  expect(app.output).toContain('forgotten')
})

it('exits with 1 and the reason if its port is taken', async () => {
  const first = await startListening()
  const second = await start({
    PORT: new URL(first.url).port,
    STORE_URL: `sqlite:${join(folder, 'another.sqlite')}`,
  })
  expect(await second.exited).toBe(1)
  expect(second.output).toMatch(
    /^Callboard can't start\. Please set:\n {2}PORT, HOST: a free port [^\n]+ \(EADDRINUSE\)\n$/,
  )
})
