import { describe, expect, it } from 'vitest'
import { OPERATIONS, type Operation } from '../../../dev/service/types.ts'
import { ask, METHODS, PATHS, REQUIRED, sandboxAt } from './support.ts'

const sandbox = sandboxAt()
const { lively, quiet } = sandbox.accounts

async function send(operation: Operation, query: Record<string, string>, method = METHODS[operation]) {
  const response = await sandbox.app.request(`${PATHS[operation]}?${new URLSearchParams(query)}`, { method })
  return { status: response.status, body: await response.json() }
}

describe.each(OPERATIONS)('%s', (operation) => {
  const { key, secret } = lively
  const right = { key, secret, ...REQUIRED[operation] }

  it.each(['key', 'secret', ...Object.keys(REQUIRED[operation])])('answers 400 without %s', async (name) => {
    const { [name]: _, ...others } = right as Record<string, string>
    const expected = { status: '400', message: `Missing or invalid properties: ${name}` }
    expect(await send(operation, others)).toEqual({ status: 400, body: expected })
    expect(await send(operation, { ...others, [name]: '' })).toEqual({ status: 400, body: expected })
  })

  it.each([
    ['an unknown key', { key: 'nobody' }],
    ['a wrong secret', { secret: 'wrong' }],
    ["another account's secret", { secret: quiet.secret }],
    ['a secret in other letters', { secret: secret.toUpperCase() }],
  ])('responds with 401 for %s', async (_, wrong) => {
    expect(await send(operation, { ...right, ...wrong })).toEqual({
      status: 401,
      body: { status: '401', message: 'Invalid API Key & Password' },
    })
  })

  it.each(['key', 'secret'] as const)('answers 400 for the %s given twice', async (name) => {
    const query = `${new URLSearchParams(right)}&${new URLSearchParams({ [name]: right[name] })}`
    const response = await sandbox.app.request(`${PATHS[operation]}?${query}`, { method: METHODS[operation] })
    const body = { status: '400', message: `Missing or invalid properties: ${name}` }
    expect([response.status, await response.json()]).toEqual([400, body])
  })

  it('checks the key and secret first', async () => {
    const wrongPair = await send(operation, { key, secret: 'wrong', timezone: 'nonsense' })
    const noSecret = await send(operation, { key, timezone: 'nonsense' })
    expect([wrongPair.status, noSecret.status]).toEqual([401, 400])
    expect(noSecret.body).toEqual({ status: '400', message: 'Missing or invalid properties: secret' })
  })

  it('does not read credentials from headers or a body', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: new URLSearchParams(right),
    }
    const response = await sandbox.app.request(PATHS[operation], METHODS[operation] === 'POST' ? init : {})
    expect(response.status).toBe(400)
  })
})

describe.each(['outgoing', 'incoming'] as const)('%s answers 400 for', (operation) => {
  it.each([
    ['timezone', 'Europe/Berlin'],
    // A plus that wasn't encoded arrives as a space.
    ['timezone', ' 01:00'],
    ['from', '2026-11-05'],
    ['from', ''],
    ['to', 'today'],
    ['status', 'ANSWERED'],
    ['status', 'answered'],
    ['status', 'NotAnswered'],
    ['status', 'Not+Answered'],
    ['status', ''],
    ['agentid', 'Anna'],
    ['agentid', '-1'],
    ['agentid', '1.5'],
    ['agentid', ''],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'two'],
    ['page', ''],
    ['page', ' 1'],
  ])('%s=%s', async (name, value) => {
    const { status, body } = await ask(sandbox, operation, { [name]: value })
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: '400', message: `Missing or invalid properties: ${name}` },
    })
  })

  it('a range that ends before it begins', async () => {
    const { status, body } = await ask(sandbox, operation, { from: '05-11-2026', to: '04-11-2026' })
    expect([status, body.message]).toEqual([400, 'Missing or invalid properties: from'])
    expect((await ask(sandbox, operation, { from: '05-11-2026', to: '05-11-2026' })).status).toBe(200)
  })

  it('a parameter given twice', async () => {
    const { key, secret } = lively
    const query = `${new URLSearchParams({ key, secret, timezone: '+00:00' })}&page=1&page=2`
    const response = await sandbox.app.request(`${PATHS[operation]}?${query}`, { method: METHODS[operation] })
    expect(response.status).toBe(400)
  })

  it('names all invalid parameters, but none of their values', async () => {
    const { body } = await ask(sandbox, operation, { timezone: 'a-zone', page: 'a-page', status: 'a-status' })
    expect(body).toEqual({ status: '400', message: 'Missing or invalid properties: timezone, status, page' })
  })
})

describe('other methods and paths', () => {
  it.each([
    ['outgoing', 'GET', 'POST'],
    ['outgoing', 'PUT', 'POST'],
    ['outgoing', 'HEAD', 'POST'],
    ['incoming', 'POST', 'GET'],
    ['billing', 'POST', 'GET'],
    ['invoices', 'GET', 'POST'],
    ['invoices', 'DELETE', 'POST'],
    ['agents', 'PATCH', 'GET, POST'],
  ] as const)('%s by %s is a 405', async (operation, method, allow) => {
    const before = sandbox.requests.count()
    const { key, secret } = lively
    const query = new URLSearchParams({ key, secret, ...REQUIRED[operation] })
    const response = await sandbox.app.request(`${PATHS[operation]}?${query}`, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(sandbox.requests.count()).toBe(before)
  })

  it.each(['/api/v1', '/api/v1/calls', '/api/v2/incoming', '/outgoing', '/api/v1/agent/list/'])(
    '%s is a 404 in JSON',
    async (path) => {
      const response = await sandbox.app.request(path)
      expect([response.status, await response.json()]).toEqual([
        404,
        { status: '404', message: 'No such path' },
      ])
    },
  )
})
