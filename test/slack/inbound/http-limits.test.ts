import { IncomingMessage, type ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { Bodies } from '../../../src/http/bodies.ts'
import { HttpServer, respond } from '../../../src/http/http-server.ts'
import { createLog } from '../../../src/log.ts'
import { HttpReceiver } from '../../../src/slack/inbound/http-receiver.ts'
import { useApp } from '../../support/app.ts'

const app = useApp()
const sockets: Socket[] = []
const patience = { timeout: 8000 }
const MAX_BODY_BYTES = 512_000

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends these parts of a request, and resolves with the response when the connection closes. */
function sendTo(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  // The connection of a refused request may be cut while its body is still being sent.
  const received = text(socket).catch((error: NodeJS.ErrnoException) => error.code ?? '')
  for (const part of parts) socket.write(part)
  return received
}

const send = (...parts: readonly (string | Buffer)[]) => sendTo(Number(new URL(app.url).port), ...parts)

function head(headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'localhost', 'content-length': 500_000, ...headers })
  return `POST /slack/events HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const seconds = () => Math.floor(Date.now() / 1000)
/** Wrong, which is only known once the body has arrived. */
const SIGNATURE = `v0=${'a'.repeat(64)}`
const wellFormed = () => ({ 'x-slack-request-timestamp': seconds(), 'x-slack-signature': SIGNATURE })

it.each([
  ['no signature', 0, undefined],
  ['a short one', 0, 'v0=short'],
  ['one of another version', 0, `v1=${'a'.repeat(64)}`],
  ['an old one', -310, SIGNATURE],
  ['one of the future', 310, SIGNATURE],
])('refuses a request with %s before its body has arrived', async (_, ahead, signature) => {
  const headers: Record<string, string | number> = { 'x-slack-request-timestamp': seconds() + ahead }
  if (signature !== undefined) headers['x-slack-signature'] = signature
  expect(await send(head(headers), 'half')).toContain('HTTP/1.1 401 ')
})

it('refuses bodies over 512 kB, with and without a declared length', async () => {
  const declared = head({ ...wellFormed(), 'content-length': MAX_BODY_BYTES + 1 })
  expect(await send(declared)).toContain('HTTP/1.1 413 ')
  const headers = head({ ...wellFormed(), 'transfer-encoding': 'chunked' })
  const chunked = headers.replace('content-length: 500000\r\n', '')
  const size = (MAX_BODY_BYTES + 1).toString(16)
  const received = await send(chunked, `${size}\r\n`, Buffer.alloc(MAX_BODY_BYTES + 1))
  expect(received).toMatch(/HTTP\/1\.1 413 |ECONNRESET|EPIPE/)
  await app.logged('"too-large"')
})

it('refuses a signed body over 512 kB without parsing it, and accepts one below', async () => {
  const { slack, url } = app
  const body = (size: number) => `command=%2Fcalls&text=${'x'.repeat(size)}`
  expect((await slack.raw(url, { body: body(MAX_BODY_BYTES) })).status).toBe(413)
  expect((await slack.raw(url, { body: body(MAX_BODY_BYTES - 100) })).status).toBe(200)
})

it('refuses the oldest of too many incomplete bodies, and still serves people', async () => {
  const refused: string[] = []
  for (let sent = 0; sent < 90; sent += 1)
    void send(head(wellFormed()), Buffer.alloc(499_999)).then((answer) => refused.push(answer))
  await app.logged('"crowded"')
  expect(await app.member.command('/calls help')).toShow('/calls')
  await expect.poll(() => refused.length, patience).toBeGreaterThanOrEqual(90 - 64)
})

it('forgets what still arrives of refused bodies', async () => {
  const bodies = new Bodies()
  const [refused, next] = [new IncomingMessage(new Socket()), new IncomingMessage(new Socket())]
  const reading = bodies.read(refused)
  for (let sent = 0; sent < 33; sent += 1) refused.emit('data', Buffer.alloc(1_000_000))
  await expect(reading).rejects.toThrow('too-large')
  const readingNext = bodies.read(next)
  for (const event of ['data', 'end']) next.emit(event, Buffer.from('text'))
  expect(await readingNext).toBe('text')
})

it('warns of requests with a wrong signature as counts, in at most one line per second', async () => {
  const { slack, url, logs } = app
  const start = performance.now()
  const body = 'command=%2Fcalls&text='
  for (let sent = 0; sent < 100; sent += 1) await slack.raw(url, { body, secret: 'another' })
  const lines = () => logs.map((line) => JSON.parse(line)).filter(({ err }) => err === 'signature')
  const total = () => lines().reduce((sum, { count = 1 }) => sum + count, 0)
  await expect.poll(total, { timeout: 4000 }).toBe(100)
  expect(lines().length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - start) / 1000))
  for (const { level } of lines()) expect(level).toBe(40)
})

it.each(['POST', 'GET'])('refuses requests, but no health checks, while it finishes a %s', async (method) => {
  const http = new HttpServer({ port: 0, host: '127.0.0.1', log: createLog('silent').log })
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const handle = async (_: IncomingMessage, response: ServerResponse) => {
    begun.resolve()
    await released.promise
    respond(response, 200)
  }
  http.post({ path: '/slack/events', handle })
  http.get({ path: '/slack/events', handle })
  http.get({ path: '/healthz', handle: async (_, response) => respond(response, 200) })
  const url = `http://127.0.0.1:${await http.start()}`
  const first = fetch(`${url}/slack/events`, { method })
  await begun.promise
  const finished = vi.fn()
  const finishing = http.finish(60_000).then(finished)
  for (const refused of ['POST', 'GET'])
    expect((await fetch(`${url}/slack/events`, { method: refused })).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(finished).not.toHaveBeenCalled()
  released.resolve()
  await finishing
  expect((await first).status).toBe(200)
  await http.close()
})

it("closes connections whose headers or body don't arrive in time", async () => {
  const logs: string[] = []
  const { log } = createLog('info', { write: (line) => void logs.push(line) })
  const http = new HttpServer({ port: 0, host: '127.0.0.1', log, requestTimeoutMs: 200 })
  const options = { signingSecret: 'secret', onAcknowledged: () => {}, requiredEvents: new Set<string>() }
  new HttpReceiver({ http, log, ...options }).init(undefined as never)
  const port = await http.start()
  const late = [sendTo(port, head(wellFormed()), 'half'), sendTo(port, 'POST / HTTP/1.1\r\nhost: local')]
  for (const received of await Promise.all(late)) expect(received).toContain('HTTP/1.1 408 ')
  await expect.poll(() => logs.join(''), patience).toContain('"err":"cut"')
  await http.close()
})
