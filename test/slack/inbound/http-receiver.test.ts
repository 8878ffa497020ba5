import { createHmac } from 'node:crypto'
import { App } from '@slack/bolt'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HttpServer } from '../../../src/http/http-server.ts'
import { createLog, slackLogger } from '../../../src/log.ts'
import { HttpReceiver } from '../../../src/slack/inbound/http-receiver.ts'

const signingSecret = 'a secret of the test'
const form = 'application/x-www-form-urlencoded'

let logs: string[]
let http: HttpServer
let url: string
/** Requests that reached Bolt. */
let processed: { readonly body: object }[]
let acknowledged: number[]
/** Acknowledges a command. */
let answer: (ack: (answer?: unknown) => Promise<void>) => Promise<void>

beforeEach(async () => {
  logs = []
  processed = []
  acknowledged = []
  answer = (ack) => ack()
  const { log } = createLog('info', { write: (line) => void logs.push(line) })
  http = new HttpServer({ port: 0, host: '127.0.0.1', log })
  const onAcknowledged = (ms: number) => void acknowledged.push(ms)
  const receiver = new HttpReceiver({
    http,
    signingSecret,
    log,
    onAcknowledged,
    requiredEvents: new Set(['app_uninstalled']),
    watchdogMs: 300,
  })
  const app = new App({ receiver, convoStore: false, authorize: async () => ({}), logger: slackLogger(log) })
  app.error(async (error) => {
    throw error
  })
  app.use(async (args) => {
    processed.push({ body: args.body })
    if ('command' in args) await answer((one) => args.ack(one as string))
    else if ('event' in args) await answer(async () => {})
  })
  url = `http://127.0.0.1:${await http.start()}/slack/events`
})
afterEach(() => http.close())

const seconds = () => String(Math.floor(Date.now() / 1000))

async function send(body: string, headers: Record<string, string> = {}, sign = (text: string) => text) {
  const timestamp = headers['x-slack-request-timestamp'] ?? seconds()
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': form,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(`v0=${digest}`),
      ...headers,
    },
  })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const command = 'command=%2Fcalls&team_id=T1&user_id=U1&text=a%26b'
const json = { 'content-type': 'application/json; charset=utf-8' }

it('passes on a form, JSON in a form, and JSON', async () => {
  await send(command)
  const click = {
    type: 'block_actions',
    actions: [{ type: 'button', action_id: 'a' }],
    team: { id: 'T1' },
    user: { id: 'U1' },
  }
  await send(`payload=${encodeURIComponent(JSON.stringify(click))}`)
  const event = { type: 'event_callback', team_id: 'T1', event: { type: 'app_home_opened' } }
  await send(JSON.stringify(event), json)
  const typed = { command: '/calls', team_id: 'T1', user_id: 'U1', text: 'a&b' }
  expect(processed.map(({ body }) => body)).toEqual([typed, click, event])
})

it('answers ssl_check and url_verification itself', async () => {
  expect(await send('ssl_check=1&token=x')).toMatchObject({ status: 200, text: '' })
  const asked = { type: 'url_verification', challenge: 'abc' }
  expect(await send(JSON.stringify(asked), json)).toMatchObject({ status: 200, text: '{"challenge":"abc"}' })
  expect(processed).toEqual([])
})

it.each([
  ['{"a":', json],
  ['[]', json],
  ['null', json],
  ['7', json],
  ['payload=%7B', {}],
  ['payload=null', {}],
])("refuses a signed body that isn't an object: %s", async (body, headers) => {
  expect((await send(body, headers)).status).toBe(400)
  expect(logs.join('')).toContain('"err":"SyntaxError","msg":"a signed request could not be parsed"')
  expect(processed).toEqual([])
})

it.each([
  ['no signature', {}, () => ''],
  ['another signature', {}, (text: string) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ['a signature with something before it', {}, (text: string) => `x${text}`],
  ['a signature with something after it', {}, (text: string) => `${text}0`],
  ['no timestamp', { 'x-slack-request-timestamp': '' }],
  ['a timestamp with something before it', { 'x-slack-request-timestamp': `x${seconds()}` }],
  ['a timestamp with something after it', { 'x-slack-request-timestamp': `${seconds()}.5` }],
])('refuses %s', async (_, headers, sign?: (text: string) => string) => {
  expect((await send(command, headers, sign)).status).toBe(401)
  expect(processed).toEqual([])
})

it('accepts a request that is nearly five minutes old, and none of another time', async () => {
  const statuses = []
  for (const ahead of [-302, -290, 330]) {
    const headers = { 'x-slack-request-timestamp': String(Number(seconds()) + ahead) }
    statuses.push((await send(command, headers)).status)
  }
  expect(statuses).toEqual([401, 200, 401])
})

it.each([
  ['nothing', undefined, '', null],
  ['an empty text', '', '', null],
  ['serialized JSON', '{"text":"a"}', '{"text":"a"}', 'application/json; charset=utf-8'],
  ['an object', { text: 'é' }, '{"text":"é"}', 'application/json; charset=utf-8'],
])('acknowledges with %s', async (_, what, text, type) => {
  answer = (ack) => ack(what)
  expect(await send(command)).toEqual({ status: 200, text, type })
  expect(acknowledged).toHaveLength(1)
  expect(acknowledged[0]).toBeLessThan(1000)
})

const uninstalled = JSON.stringify({
  type: 'event_callback',
  team_id: 'T1',
  event: { type: 'app_uninstalled' },
})

it.each([
  ['is over its time', () => new Promise<void>(() => {})],
  ['failed', () => Promise.reject(new Error('a failure'))],
])('answers with an error if a required event %s', async (_, handle) => {
  answer = handle
  expect(await send(uninstalled, json)).toMatchObject({ status: 503 })
  answer = async () => {}
  expect(await send(uninstalled, json)).toMatchObject({ status: 200 })
})

it("acknowledges requests that no listener acknowledges: at the end, after an error, and before Slack's timeout", async () => {
  answer = async () => {}
  expect(await send(command)).toMatchObject({ status: 200, text: '' })
  answer = async () => {
    throw new Error('a mistake')
  }
  expect(await send(command)).toMatchObject({ status: 200, text: '' })
  const { promise, resolve } = Promise.withResolvers<void>()
  answer = () => promise
  expect(logs.join('')).not.toContain('not acknowledged in time')
  expect(await send(command)).toMatchObject({ status: 200, text: '' })
  expect(logs.join('')).toContain('a request was not acknowledged in time')
  resolve()
})
