import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ runtime: { httpLimits: { connections: 200 } } })
const sockets: Socket[] = []
const patience = { timeout: 8000 }

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends what is given and no more; what comes back until the connection is closed. */
const send = (...parts: readonly (string | Buffer)[]) => sendTo(app.url, ...parts)

function sendTo(url: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  // What was refused may be cut while it is still being sent.
  const received = text(socket).catch((error: NodeJS.ErrnoException) => error.code ?? '')
  for (const part of parts) socket.write(part)
  return received
}

function head(headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'localhost', 'content-length': 1_000_000, ...headers })
  return `POST /slack/events HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const seconds = () => Math.floor(Date.now() / 1000)
/** Nobody can tell that it is wrong before the body is there. */
const wellFormed = () => ({
  'x-slack-request-timestamp': seconds(),
  'x-slack-signature': `v0=${'a'.repeat(64)}`,
})

it('refuses what carries no signature or an old one before its body is there', async () => {
  const signature = `v0=${'a'.repeat(64)}`
  for (const headers of [
    {},
    { 'x-slack-request-timestamp': seconds() },
    { 'x-slack-request-timestamp': seconds(), 'x-slack-signature': 'v0=short' },
    { 'x-slack-request-timestamp': seconds(), 'x-slack-signature': `v1=${'a'.repeat(64)}` },
    { 'x-slack-request-timestamp': seconds() - 310, 'x-slack-signature': signature },
    { 'x-slack-request-timestamp': seconds() + 310, 'x-slack-signature': signature },
  ])
    expect(await send(head(headers), 'half')).toContain('HTTP/1.1 401 ')
})

it('refuses what says that it is too large, and what turns out to be', async () => {
  expect(await send(head({ ...wellFormed(), 'content-length': 1_048_577 }))).toContain('HTTP/1.1 413 ')
  const chunked = head({ ...wellFormed(), 'transfer-encoding': 'chunked' }).replace(
    'content-length: 1000000\r\n',
    '',
  )
  const received = await send(chunked, '100001\r\n', Buffer.alloc(0x1_00_001))
  expect(received).toMatch(/HTTP\/1\.1 413 |ECONNRESET|EPIPE/)
  await app.logged('"too-large":1', 2)
})

it('lets the largest give way where too much is under way, and answers people meanwhile', async () => {
  const refused: string[] = []
  for (let sent = 0; sent < 60; sent += 1)
    void send(head(wellFormed()), Buffer.alloc(999_999)).then((answer) => refused.push(answer))
  await app.logged('"crowded"')
  expect(await app.member.command('/calls help')).toShow('/calls')
  await expect.poll(() => refused.length, patience).toBeGreaterThanOrEqual(60 - 33)
})

it('takes no more connections than it can serve', async () => {
  const closed: string[] = []
  for (let sent = 0; sent < 210; sent += 1)
    void send('POST /slack/events HTTP/1.1\r\nhost: local').then((answer) => closed.push(answer))
  await app.logged('"connections"')
  await expect.poll(() => closed.length, patience).toBe(10)
  for (const socket of sockets) socket.destroy()
  const health = () => fetch(`${app.url}/healthz`).then(({ status }) => status, String)
  await expect.poll(health, patience).toBe(200)
  expect(await app.member.command('/calls help')).toShow('/calls')
})

it('closes connections that nothing is asked through, rather than taking no more', async () => {
  const agent = new Agent({ connections: null })
  onTestFinished(() => agent.destroy())
  const idle = Array.from({ length: 200 }, () =>
    request(`${app.url}/healthz`, { dispatcher: agent }).then(({ body }) => body.dump()),
  )
  await Promise.allSettled(idle)
  for (let asked = 0; asked < 20; asked += 1) {
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.destroy())
    expect((await request(`${app.url}/healthz`, { dispatcher })).statusCode).toBe(200)
  }
  expect((await app.slack.sslCheck(app.url)).status).toBe(200)
  expect(await app.member.command('/calls help')).toShow('/calls')
})

it('says once a second at most, and no louder than at info, what was refused', async () => {
  const { slack, url, logs } = app
  const start = performance.now()
  const body = 'command=%2Fcalls&text='
  for (let sent = 0; sent < 100; sent += 1) await slack.raw(url, { body, secret: 'another' })
  const counts = () =>
    logs
      .map((line) => JSON.parse(line))
      .flatMap(({ level, refused }) => (refused ? [{ level, refused }] : []))
  const total = () => counts().reduce((sum, { refused }) => sum + refused.signature, 0)
  await expect.poll(total, { timeout: 4000 }).toBe(100)
  expect(counts().length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - start) / 1000))
  for (const { level } of counts()) expect(level).toBe(30)
})

describe('what does not arrive in time', () => {
  const impatient = useApp({ runtime: { httpLimits: { requestTimeoutMs: 200 } } })

  it('is closed: a body, and headers', async () => {
    const late = [
      sendTo(impatient.url, head(wellFormed()), 'half'),
      sendTo(impatient.url, 'POST /slack/events HTTP/1.1\r\nhost: local'),
    ]
    for (const received of await Promise.all(late)) expect(received).toContain('HTTP/1.1 408 ')
    await impatient.logged('"cut":1')
  })
})
