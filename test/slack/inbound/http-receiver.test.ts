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
/** Bodies that reached Bolt. */
let processed: object[]
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
  const requiredEvents = new Set(['app_uninstalled'])
  const options = { signingSecret, onAcknowledged, requiredEvents, watchdogMs: 300 }
  const receiver = new HttpReceiver({ http, log, ...options })
  const app = new App({ receiver, convoStore: false, authorize: async () => ({}), logger: slackLogger(log) })
  app.error(async (error) => {
    throw error
  })
  app.use(async (args) => {
    processed.push(args.body)
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
  const actions = [{ type: 'button', action_id: 'a' }]
  const click = { type: 'block_actions', actions, team: { id: 'T1' }, user: { id: 'U1' } }
  await send(`payload=${encodeURIComponent(JSON.stringify(click))}`)
  const opened = event('app_home_opened')
  await send(JSON.stringify(opened), json)
  const typed = { command: '/calls', team_id: 'T1', user_id: 'U1', text: 'a&b' }
  expect(processed).toEqual([typed, click, opened])
})

it('answers ssl_check and url_verification itself', async () => {
  expect(await send('ssl_check=1&token=x')).toMatchObject({ status: 200, text: '' })
  const asked = { type: 'url_verification', challenge: 'abc' }
  expect(await send(JSON.stringify(asked), json)).toMatchObject({ status: 200, text: '{"challenge":"abc"}' })
  expect(processed).toEqual([])
})

it('accepts an unsigned ssl_check, and nothing else unsigned', async () => {
  const unsigned = async (body: string, type = form) =>
    (await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).status
  expect(await unsigned('ssl_check=1&token=x')).toBe(200)
  expect(await unsigned(`ssl_check=1&${command}`)).toBe(200)
  expect(await unsigned(command)).toBe(401)
  expect(await unsigned(`ssl_check=0&${command}`)).toBe(401)
  expect(await unsigned('{"ssl_check":"1"}', 'application/json')).toBe(401)
  expect(await unsigned(`ssl_check=1&text=${'x'.repeat(1000)}`)).toBe(401)
  expect(processed).toEqual([])
})

const notObjects = ['{"a":', '[]', 'null', '7', 'payload=%7B', 'payload=null']
it.each(notObjects)("refuses a signed body that isn't an object: %s", async (body) => {
  expect((await send(body, body.startsWith('payload=') ? {} : json)).status).toBe(400)
  expect(logs.join('')).toContain('"err":"malformed","msg":"requests were refused"')
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

it.each([
  [-302, 401],
  [-290, 200],
  [330, 401],
])('answers a request signed %i seconds from now with %i', async (ahead, status) => {
  const headers = { 'x-slack-request-timestamp': String(Number(seconds()) + ahead) }
  expect((await send(command, headers)).status).toBe(status)
})

it.each([
  ['nothing', undefined, '', null],
  ['an empty text', '', '', null],
  ['serialized JSON', Buffer.from('{"text":"a"}'), '{"text":"a"}', 'application/json; charset=utf-8'],
  ['an object', { text: 'é' }, '{"text":"é"}', 'application/json; charset=utf-8'],
])('acknowledges with %s', async (_, what, text, type) => {
  answer = (ack) => ack(what)
  expect(await send(command)).toEqual({ status: 200, text, type })
  expect(acknowledged).toHaveLength(1)
  expect(acknowledged[0]).toBeLessThan(1000)
})

const goOn = () => new Promise<void>(() => {})
const event = (type: string) => ({ type: 'event_callback', team_id: 'T1', event: { type } })

it.each([
  ['is over its time', goOn],
  ['failed', () => Promise.reject(new Error('a failure'))],
])('answers with an error if a required event %s', async (_, handle) => {
  const uninstalled = JSON.stringify(event('app_uninstalled'))
  answer = handle
  expect(await send(uninstalled, json)).toMatchObject({ status: 503 })
  answer = async () => {}
  expect(await send(uninstalled, json)).toMatchObject({ status: 200 })
})

it.each<[string, typeof answer]>([
  ['without an acknowledgement', async () => {}],
  ['with an error', () => Promise.reject(new Error('a mistake'))],
  ['acknowledged, while the work goes on', (ack) => ack().then(goOn)],
])('answers a request that is handled %s, and warns only of one that is over its time', async (_, handle) => {
  answer = handle
  expect(await send(command)).toMatchObject({ status: 200, text: '' })
  answer = async () => {}
  await send(JSON.stringify(event('app_uninstalled')), json)
  // It ends when the others would be over their time, too.
  answer = goOn
  expect(await send(command)).toMatchObject({ status: 200, text: '' })
  expect(logs.join('').match(/a request was not acknowledged in time/g)).toHaveLength(1)
})
