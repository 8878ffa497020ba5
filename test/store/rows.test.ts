import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getShard } from '../../src/store/engine/rows.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'

let folder: string
let store: Store
const tenant = tenantKey({ teamId: 'T1' })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-'))
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }] as const
  store = new Store({
    url: `sqlite:${join(folder, 'store.sqlite')}`,
    encryptionKeys,
    log: { warn: () => {} },
  })
  await store.ready()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const call = '{"id":"20777100","at":1795248000000,"line":"+493055501000"}'
const messageId = '2026-11-21T08:00:05.000Z-a1'

/** Stored rows of an alert. */
const rows = {
  alerts: [
    [
      '/T1/a1',
      '{"id":"a1","tenant":{"teamId":"T1"},"channel":"C1","owner":"U1","since":1795240000000,"lines":[]}',
    ],
    [
      '/T1/a2',
      '{"id":"a2","tenant":{"teamId":"T1"},"channel":"C2","owner":"U2","since":1795240000000,"lines":["+493055501000"],"threshold":{"calls":3,"minutes":10},"hours":{"weekdays":[1,5],"from":"09:00","to":"17:30"},"muted":{"by":"U2","until":1795249000000}}',
    ],
  ],
  'alert-messages': [
    [
      `/T1/${messageId}`,
      `{"id":"${messageId}","openedAt":1795248005000,"count":1,"firstAt":1795248000000,"calls":[${call}],"lateByMs":400000,"tenant":{"teamId":"T1"},"alertId":"a1","channel":"C1","ts":"1795248005.000100","taken":{"person":"U1","name":"Ada","at":1795248060000},"done":{"person":"U2","name":"Ben","at":1795248120000}}`,
    ],
  ],
  watches: [
    [
      '/T1/account',
      `{"tenant":{"teamId":"T1"},"account":"k3yOfAccount","since":1795230000000,"isSlow":true,"failing":{"since":1795248005000,"count":2,"why":"Away.","isPermanent":false,"retryAt":1795248605000,"isTold":false},"list":{"range":{"offset":"+00:00","from":"2026-11-21","to":"2026-11-21"},"readAt":1795248005000,"total":1,"ids":["20777100"]},"alerts":{"a1":{"waiting":[],"messageId":"m1","postedAt":1795248005000},"a2":{"waiting":[${call}],"messageId":"m2","sendingUntil":1795248605000}}}`,
    ],
  ],
} as const

it('alerts are read unchanged, and deleted with their tenant', async () => {
  const db = new DatabaseSync(join(folder, 'store.sqlite'))
  const insert = db.prepare('INSERT INTO callboard_store VALUES (?, ?, ?, NULL)')
  for (const [namespace, own] of Object.entries(rows))
    for (const [key, value] of own)
      insert.run(namespace === 'alert-messages' ? namespace : `${namespace}-${getShard(tenant)}`, key, value)
  db.close()
  const written = (namespace: keyof typeof rows) => rows[namespace].map(([, value]) => JSON.parse(value))
  const all = () =>
    Promise.all([store.alerts.all(tenant), store.alertMessages.all(tenant), store.watches.all(tenant)])
  expect(await all()).toEqual([written('alerts'), written('alert-messages'), written('watches')])
  await store.deleteTenant(tenant)
  expect(await all()).toEqual([[], [], []])
})
