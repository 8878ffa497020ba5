import { describe, expect, it } from 'vitest'
import { OPERATIONS, type Operation } from '../../../dev/service/types.ts'
import { ask, requests, sandboxAtNow } from './support.ts'

const sandbox = sandboxAtNow()
const { lively, quiet } = sandbox.accounts
const { key, secret } = lively
const upperCase = secret.toUpperCase()

async function send(operation: Operation, query: string | Record<string, string>) {
  const url = `${requests[operation].path}?${new URLSearchParams(query)}`
  const response = await sandbox.app.request(url, { method: requests[operation].method })
  return { status: response.status, body: await response.json() }
}

const invalid = (...names: readonly string[]) => ({
  status: 400,
  body: { status: '400', message: `Missing or invalid properties: ${names.join(', ')}` },
})

describe.each(OPERATIONS)('%s', (operation) => {
  const right: Record<string, string> = { key, secret, ...requests[operation].required }

  it.each(Object.keys(right))('responds with 400 without %s, or with two of it', async (name) => {
    const { [name]: value = '', ...others } = right
    expect(await send(operation, others)).toEqual(invalid(name))
    expect(await send(operation, { ...others, [name]: '' })).toEqual(invalid(name))
    const twice = `${new URLSearchParams(right)}&${new URLSearchParams({ [name]: value })}`
    expect(await send(operation, twice)).toEqual(invalid(name))
  })

  it.each([
    ['an unknown key', { key: 'nobody' }],
    ["another account's secret", { secret: quiet.secret }],
    ['a secret in other letters, whatever else is wrong', { secret: upperCase, timezone: 'nonsense' }],
  ])('responds with 401 for %s', async (_, wrong) => {
    const body = { status: '401', message: 'Invalid API Key & Password' }
    expect(await send(operation, { ...right, ...wrong })).toEqual({ status: 401, body })
  })
})

describe.each(['outgoing', 'incoming'] as const)('%s responds with 400 for', (operation) => {
  it.each([
    ['timezone', 'Europe/Berlin'],
    // A plus that wasn't encoded arrives as a space.
    ['timezone', ' 01:00'],
    ['timezone', '+24:00'],
    ['timezone', '+0530'],
    ['from', '2026-11-05'],
    ['from', '29-02-2026'],
    ['to', '1-1-2026'],
    ['to', ''],
    ['status', 'ANSWERED'],
    ['status', ''],
    ['agentid', 'Anna'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', ''],
  ])('%s=%s', async (name, value) => {
    expect(await ask(sandbox, operation, { [name]: value })).toEqual(invalid(name))
  })

  it('a range that ends before it begins', async () => {
    expect(await ask(sandbox, operation, { from: '05-11-2026', to: '04-11-2026' })).toEqual(invalid('from'))
    expect((await ask(sandbox, operation, { from: '05-11-2026', to: '05-11-2026' })).status).toBe(200)
  })

  it('several invalid parameters, and names them without their values', async () => {
    const found = await ask(sandbox, operation, { timezone: 'a-zone', page: 'a-page', status: 'a-status' })
    expect(found).toEqual(invalid('timezone', 'status', 'page'))
  })
})
