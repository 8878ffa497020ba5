import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { AccountCache } from '../../src/telephony/account-cache.ts'

const account = { tenant: '/T1', credentials: { key: 'key', secret: 'secret' } }

it('is limited in bytes', async () => {
  const cache = new AccountCache<readonly { name: string }[]>(new EventEmitter(), { maxBytes: 10_000 })
  const agents = [{ name: 'a'.repeat(4000) }]
  for (const query of [1, 2, 3]) await cache.keep(account, query, Promise.resolve(agents))
  expect([1, 2, 3].map((query) => cache.get(account, query))).toEqual([undefined, agents, agents])
  await cache.keep(account, 4, Promise.resolve([{ name: 'a'.repeat(20_000) }]))
  expect(cache.get(account, 4)).toBeUndefined()
})

it('drops the data of a deleted workspace, including running requests', async () => {
  const store = new EventEmitter()
  const cache = new AccountCache<string>(store, { maxBytes: 10_000 })
  await cache.keep(account, 'read', Promise.resolve('value'))
  const { promise, resolve } = Promise.withResolvers<string>()
  const reading = cache.keep(account, 'being read', promise)
  store.emit('tenant-deleted', '/T1')
  resolve('value')
  expect(await reading).toBe('value')
  expect([cache.get(account, 'read'), cache.get(account, 'being read')]).toEqual([undefined, undefined])
})
