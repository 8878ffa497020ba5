import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { leakedSecrets } from '../support/secrets.ts'
import { StoredRows } from '../support/stored-rows.ts'
import { AppProcess, type ProcessOptions, type Surroundings, startSurroundings } from './app-process.ts'

let around: Surroundings
const started: AppProcess[] = []

beforeEach(async () => {
  around = await startSurroundings(40)
})

afterEach(async () => {
  const written = started.map(({ output }) => output)
  for (const app of started.splice(0)) app.kill('SIGKILL')
  await around.close()
  expect(leakedSecrets(around.slack, around.sandbox, written)).toEqual([])
})

async function start(env: Record<string, string> = {}, options: ProcessOptions = {}): Promise<AppProcess> {
  const app = await AppProcess.start({ ...around.env, ...env }, options)
  started.push(app)
  around.slack.appUrl = app.url
  return app
}

async function startListening(env: Record<string, string> = {}, options: ProcessOptions = {}) {
  const app = await start(env, options)
  await app.listening()
  return app
}

/** Expects that a process ends with 1, and writes only this and a line break. */
async function expectRefusal({ source }: RegExp, env: Record<string, string> = {}): Promise<AppProcess> {
  const app = await start(env)
  expect(await app.exited).toBe(1)
  expect(app.output).toMatch(new RegExp(`^${source}\\n$`))
  return app
}

it.each(['a folder', 'notes.txt', 'notes.txt/store.sqlite'])(
  'ends with 1 and one sentence where %s is to be the SQLite file',
  async (name) => {
    const [inTheWay = ''] = name.split('/')
    const path = join(around.folder, inTheWay)
    if (inTheWay === 'notes.txt') writeFileSync(path, 'not a database')
    else mkdirSync(path)
    const app = await expectRefusal(/STORE_URL: [^\n]*/, { STORE_URL: `sqlite:${join(around.folder, name)}` })
    expect(app.output).not.toContain(around.folder)
  },
)

it("names HOST but not its value if it isn't an address of this machine", async () => {
  const reason = /Callboard can't start\. Please set:\n {2}PORT, HOST: [^\n]+ \(EADDRNOTAVAIL\)/
  await expectRefusal(reason, { HOST: '203.0.113.7' })
})

it('names SLACK_APP_TOKEN if Slack refuses it', async () => {
  around.slack.failNext('apps.connections.open', { status: 200, body: { ok: false, error: 'invalid_auth' } })
  const env = { SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-revoked', LOG_LEVEL: 'silent' }
  const reason = /Callboard can't start\. Please set:\n {2}SLACK_APP_TOKEN: [^\n]*invalid_auth[^\n]*/
  await expectRefusal(reason, env)
})

it("logs at once that Slack can't be reached, and starts", async () => {
  around.slack.failNext('auth.test', { status: 503, body: {} })
  const app = await startListening()
  await expect.poll(() => app.output).toContain("Slack can't be reached")
})

it('says on /readyz that Slack rejects the token, until Slack accepts it', async () => {
  const refusal = { status: 200, body: { ok: false, error: 'invalid_auth' } }
  around.slack.failNext('auth.test', refusal)
  const app = await startListening()
  await expect.poll(() => app.output).toContain('Slack rejects SLACK_BOT_TOKEN')
  around.slack.failNext('auth.test', refusal)
  const response = await fetch(`${app.url}/readyz`)
  expect([response.status, await response.text()]).toEqual([503, 'Slack rejects SLACK_BOT_TOKEN\n'])
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status, { timeout: 5000 }).toBe(200)
  expect(await (await around.connect()).command('/calls')).toShow('incoming calls')
})

it('exits with 1 and one sentence if the database has rows of a newer version', async () => {
  const app = await startListening()
  app.kill('SIGTERM')
  await app.exited
  new StoredRows(join(around.folder, 'store.sqlite')).setValue('version', "'2'")
  await expectRefusal(/The database holds rows of version 2, and this Callboard knows version 1[^\n]*/)
})

it('exits with 1 and one sentence if another process has the SQLite file, but not after a kill', async () => {
  const first = await startListening()
  await expectRefusal(/Another process uses [^\n]*store\.sqlite: SQLite is for one process[^\n]*/)
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
  // Without a token, metrics are off.
  for (const path of ['//', '/nowhere', '/metrics']) expect((await fetch(app.url + path)).status).toBe(404)
})

it('fails /readyz on SIGTERM, finishes acknowledged work, and exits with 0', async () => {
  const app = await startListening()
  const admin = await around.connect()
  // Too long for an answer in the acknowledgement.
  around.sandbox.faults.next({ kind: 'delay', ms: 3000 }, { operation: 'incoming' })
  const command = await admin.type('/calls')
  expect(command.ackBody).toBeFalsy()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) app.kill(signal)
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect(command.messages).toEqual([])
  expect((await command.waitForMessage()).blocks.some(({ type }) => type === 'table')).toBe(true)
  expect(await app.exited).toBe(0)
  expect(app.output).not.toContain('Warning')
  expect(app.output.match(/"msg":"(stopping|stopped)"/g)).toEqual(['"msg":"stopping"', '"msg":"stopped"'])
  await expect(fetch(`${app.url}/readyz`)).rejects.toThrow('fetch failed')
})

it('goes on for DRAIN_SECONDS after SIGTERM, while /readyz answers 503', async () => {
  const app = await startListening({ DRAIN_SECONDS: '1' })
  const admin = await around.connect()
  app.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).text()).toBe('stopping\n')
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
  const app = await startListening({}, { program: 'build' })
  const [first = ''] = app.output.split('\n')
  expect(JSON.parse(first)).toMatchObject({
    build: 'dist',
    commit: expect.any(String),
    msg: 'Callboard listens',
  })
  const admin = await around.connect()
  expect((await admin.command('/calls')).blocks.some(({ type }) => type === 'table')).toBe(true)
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
  const env = { STORE_URL: 'postgres://127.0.0.1:1/none' }
  const withoutDatabase = await startListening(env, { program: 'build' })
  expect(withoutDatabase.output).toMatch(/ \(src\/store\/engine\/postgres\.ts:\d+\)/)
})

it('logs an unhandled rejection and exits with 1', async () => {
  const onSignal =
    "data:text/javascript,process.on('SIGUSR2', () => { Promise.reject(new Error('forgotten')) })"
  const app = await startListening({}, { nodeArguments: ['--import', onSignal] })
  app.kill('SIGUSR2')
  expect(await app.exited).toBe(1)
  expect(app.output).toContain('unhandled rejection')
  expect(app.output).toContain('forgotten')
})

it('exits with 1 and the reason if its port is taken', async () => {
  const first = await startListening()
  const reason = /Callboard can't start\. Please set:\n {2}PORT, HOST: a free port [^\n]+ \(EADDRINUSE\)/
  const { port } = new URL(first.url)
  await expectRefusal(reason, { PORT: port, STORE_URL: `sqlite:${join(around.folder, 'another.sqlite')}` })
})
