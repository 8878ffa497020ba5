import { request } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { serveSandbox } from '../../../dev/service/serve.ts'
import { sandboxAtNow } from './support.ts'

it('a served sandbox only accepts loopback host names', async () => {
  const served = await serveSandbox(sandboxAtNow())
  onTestFinished(() => served.close())
  const { statusCode, body } = await request(served.baseUrl, { headers: { host: 'elsewhere.example' } })
  expect([statusCode, await body.text()]).toEqual([403, 'loopback only'])
})

it.each([
  ['POST', '/sandbox/faults'],
  ['GET', '/sandbox/requests'],
  ['POST', '/sandbox/missed-calls'],
])('has no %s %s unless control is on', async (method, path) => {
  expect((await sandboxAtNow().app.request(path, { method })).status).toBe(404)
})
