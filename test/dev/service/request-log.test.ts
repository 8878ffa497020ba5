import { expect, it } from 'vitest'
import { ask, NOW, sandboxAtNow } from './support.ts'

const sandbox = sandboxAtNow()
const { lively, quiet } = sandbox.accounts
const { requests } = sandbox

it('the log of requests has parameters and responses, without keys and secrets', async () => {
  await ask(sandbox, 'outgoing', { page: '2', status: 'Not Answered' })
  await ask(sandbox, 'agents', {}, quiet)
  await ask(sandbox, 'agents', {}, { key: 'a-wrong-key', secret: 'a-wrong-secret' })
  const always = { at: NOW, ms: expect.any(Number), credentials: 'accepted', status: 200 }
  const agents = { ...always, method: 'GET', operation: 'agents', params: {} }
  const params = { timezone: '+00:00', page: '2', status: 'Not Answered' }
  expect(requests.entries()).toEqual([
    { ...always, method: 'POST', operation: 'outgoing', params, account: lively.name },
    { ...agents, account: quiet.name },
    { ...agents, credentials: 'refused', status: 401 },
  ])
})
