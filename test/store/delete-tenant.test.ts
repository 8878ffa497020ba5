import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { StoreError } from '../../src/store/errors.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'

const tenant = tenantKey({ enterpriseId: undefined, teamId: 'T1' })
const other = tenantKey({ enterpriseId: undefined, teamId: 'T12' })
const record = { key: 'a key', secret: 'a secret', connectedBy: 'U1', connectedAt: 1 }

it('emits an event after all records of the tenant were deleted, and none after a failure', async () => {
  const store = new Store({
    url: 'sqlite::memory:',
    encryptionKeys: [{ id: 'k1', key: createSecretKey(randomBytes(32)) }],
    log: { warn: () => {} },
  })
  for (const one of [tenant, other]) {
    await store.credentials.set(record, one)
    await store.channelSettings.set({ zone: 'Europe/Berlin' }, one, 'C1')
    await store.audit.add(one, { at: 1, who: 'U1', what: 'connect' })
  }
  const left: unknown[] = []
  store.on('tenant-deleted', async (key) => {
    left.push(key, await store.credentials.get(key), await store.channelSettings.names(key, 9))
    left.push(await store.audit.latest(key))
  })

  await store.deleteTenant(tenant)
  await expect.poll(() => left).toEqual([tenant, undefined, [], []])
  expect(await store.credentials.get(other)).toEqual(record)
  expect(await store.channelSettings.names(other, 9)).toEqual(['C1'])
  expect(await store.audit.latest(other)).toHaveLength(1)

  await store.close()
  await expect(store.deleteTenant(other)).rejects.toThrow(StoreError)
  expect(left).toHaveLength(4)
})
