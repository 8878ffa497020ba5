import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { close, listen } from '../../dev/listen.ts'
import {
  createDispatcher,
  getErrorCode,
  isUnsent,
  sendRequest,
  TimeLimit,
} from '../../src/util/send-request.ts'

async function serve(handle: RequestListener, timeoutMs = 5000) {
  const server = createServer(handle)
  const origin = `http://127.0.0.1:${await listen(server)}`
  const dispatcher = createDispatcher()
  onTestFinished(() => close(server))
  onTestFinished(() => dispatcher.destroy())
  const request = { origin, method: 'GET' } as const
  return async (path = '/', limitMs = timeoutMs) => {
    const limit = new TimeLimit(limitMs)
    try {
      return await sendRequest(dispatcher, { ...request, path }, limit.signal)
    } finally {
      limit.clear()
    }
  }
}

it('reads a whole response as text, in any number of chunks', async () => {
  const text = '\uFEFFdöner 🥙'
  const bytes = Buffer.from(text)
  const ask = await serve((_request, response) => {
    response.writeHead(418, { 'x-a': 'b' })
    // In the middle of a multi-byte character.
    response.write(bytes.subarray(0, 5))
    setTimeout(() => response.end(bytes.subarray(5)), 20)
  })
  expect(await ask()).toMatchObject({ status: 418, text: 'döner 🥙', headers: { 'x-a': 'b' } })
})

it('waits for the response after an early hint', async () => {
  const ask = await serve((_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end('here')
  })
  expect(await ask()).toMatchObject({ status: 200, text: 'here' })
})

it('ends with its time limit, before and during the response', async () => {
  let answers = 0
  const ask = await serve((_request, response) => {
    if (answers++ > 0) response.write('a')
  }, 300)
  for (let n = 0; n < 2; n++) await expect(ask()).rejects.toThrow('the time is over')
  expect(answers).toBe(2)
})

it('sends nothing after its time limit, even while it waits for a connection', async () => {
  const arrived = vi.fn()
  const ask = await serve(({ url }, response) => {
    arrived(url)
    response.end()
  })
  const asked = ask('/', 0)
  // The event loop is blocked for longer than the limit before the connection is established.
  const end = performance.now() + 50
  while (performance.now() < end);
  await expect(asked).rejects.toThrow('the time is over')
  await ask('/later')
  expect(arrived.mock.calls).toEqual([['/later']])
})

it('ends with its time limit while a connection is not established', async () => {
  // Accepts connections, but never answers their TLS handshakes.
  const server = createTcpServer((socket) => socket.resume().on('error', () => {}))
  const dispatcher = createDispatcher()
  const origin = `https://127.0.0.1:${await listen(server)}`
  onTestFinished(() => void server.close())
  onTestFinished(() => dispatcher.destroy())
  const start = performance.now()
  const limit = new TimeLimit(100)
  const request = { origin, path: '/', method: 'GET' } as const
  for (let n = 0; n < 2; n++)
    await expect(sendRequest(dispatcher, request, limit.signal)).rejects.toThrow('the time is over')
  expect(performance.now() - start).toBeLessThan(2000)
})

it.each<[string, RequestListener]>([
  ['cut', (_request, response) => response.write('x', () => response.destroy())],
  ['endless', (_request, response) => response.write('x')],
  ['too large', (_request, response) => response.end('x'.repeat(5 * 1024 * 1024))],
])('returns the status of a refusal whose body is %s', async (_, handle) => {
  const ask = await serve((request, response) => handle(request, response.writeHead(503)), 1000)
  expect(await ask()).toMatchObject({ status: 503, text: '' })
})

it('names a timeout that a library wrapped', () => {
  const timeout = new DOMException('over', 'TimeoutError')
  expect(getErrorCode(new TypeError('fetch failed', { cause: timeout }))).toBe('TimeoutError')
})

it("fails with the connection's error", async () => {
  const ask = await serve((request) => request.socket.destroy())
  await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
})

it.each([
  ['ECONNREFUSED', { syscall: 'connect' }, true],
  ['ENOTFOUND', { syscall: 'getaddrinfo' }, true],
  ['EHOSTUNREACH', { syscall: 'connect' }, true],
  ['ENETUNREACH', {}, true],
  ['EHOSTUNREACH', { syscall: 'read' }, false],
  ['EHOSTUNREACH', { syscall: 'write' }, false],
  ['ECONNRESET', { syscall: 'read' }, false],
])('%s of %j: not sent: %s, at any depth', (code, fields, unsent) => {
  const error = Object.assign(new Error('failed'), { code, ...fields })
  const cause = new TypeError('fetch failed', { cause: error })
  const wrapped = Object.assign(new Error('failed', { cause }), { code: 'slack_webapi_request_error' })
  for (const one of [error, wrapped]) expect([getErrorCode(one), isUnsent(one)]).toEqual([code, unsent])
})
