import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSandbox, serveSandbox } from '../../../dev/service/serve.ts'
import { NOW, sandboxAt } from './support.ts'

const sandbox = sandboxAt(NOW, { control: true })
const { lively } = sandbox.accounts
const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
const query = { key: lively.key, secret: lively.secret, timezone: '+01:00' }

describe('a served sandbox', () => {
  let served: ServedSandbox
  let root: string

  beforeAll(async () => {
    served = await serveSandbox(sandbox)
    root = served.baseUrl.replace('/api/v1', '')
  })
  afterEach(() => sandbox.faults.clear())
  afterAll(() => served.close())

  const incoming = (signal: AbortSignal | null = null) =>
    request(`${served.baseUrl}/incoming`, { query, dispatcher, signal })
  const getStatus = async () => {
    const { statusCode, body } = await incoming()
    await body.dump()
    return statusCode
  }

  it('only accepts loopback host names', async () => {
    const headers = { host: 'elsewhere.example' }
    const { statusCode, body } = await request(root, { dispatcher, headers })
    expect([statusCode, await body.text()]).toEqual([403, 'loopback only'])
  })

  it('resets the connection before any response', async () => {
    sandbox.faults.next({ kind: 'cut-connection' })
    await expect(incoming()).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/),
    })
    expect(await getStatus()).toBe(200)
  })

  it('ends the connection half-way through the body', async () => {
    sandbox.faults.next({ kind: 'cut-connection', after: 'headers' })
    const { statusCode, body } = await incoming()
    expect(statusCode).toBe(200)
    let received = ''
    const read = async () => {
      for await (const chunk of body) received += String(chunk)
    }
    await expect(read()).rejects.toThrow()
    expect(received).toMatch(/^\{"status":"200"/)
  })

  it.each([undefined, 'headers'] as const)('hangs, after: %s', async (after) => {
    sandbox.requests.clear()
    sandbox.faults.next(after ? { kind: 'hang', after } : { kind: 'hang' })
    const asked = incoming(AbortSignal.timeout(150)).then(({ body }) => body.text())
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(sandbox.requests.count()).toBe(1)
  })
})

it.each([
  ['POST', '/sandbox/faults'],
  ['GET', '/sandbox/requests'],
  ['POST', '/sandbox/missed-calls'],
])('has no %s %s unless control is on', async (method, path) => {
  expect((await sandboxAt().app.request(path, { method })).status).toBe(404)
})

afterAll(() => dispatcher.close())
