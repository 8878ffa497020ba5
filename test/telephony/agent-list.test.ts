import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { AgentList } from '../../src/telephony/agent-list.ts'
import { createAccount, createClient, ok, startStub } from '../support/stub-service.ts'

test('caches agents for a minute without their secrets, and emits each lookup', async () => {
  const stub = await startStub()
  stub.always(ok({ result: [{ id: '1', name: 'Anna', sip_password: 'pass', webphone: 'https://w' }] }))
  let now = 1000
  const store = new EventEmitter()
  const list = new AgentList({ telephony: createClient(stub.baseUrl), store, now: () => now })
  const hits: boolean[] = []
  list.on('lookup', (isHit) => hits.push(isHit))
  const account = createAccount()
  const { agents } = await list.get(account)
  const [agent] = agents
  expect(agent).toMatchObject({ id: '1', name: 'Anna' })
  expect(agent).not.toHaveProperty('sipPassword')
  expect(agent).not.toHaveProperty('webphone')
  await list.get(account)
  now += 60_000
  await list.get(account)
  store.emit('tenant-deleted', account.tenant)
  await list.get(account)
  expect(hits).toEqual([false, true, false, false])
  expect(stub.requests.length).toBe(3)
  expect(await list.reveal(account, '1')).toMatchObject({ sipPassword: 'pass', webphone: 'https://w' })
  expect(await list.reveal(account, '2')).toBeUndefined()
  expect(hits.length).toBe(4)
})
