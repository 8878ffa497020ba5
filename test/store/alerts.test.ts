import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

/** As the first version with alerts writes them. */
const rows = {
  alerts: [
    [
      '/T1/a1',
      '{"id":"a1","tenant":{"teamId":"T1"},"channel":"C1","owner":"U1","since":1795240000000,"lines":[],"agents":[],"isPaused":false}',
    ],
    [
      '/T1/a2',
      '{"id":"a2","tenant":{"teamId":"T1"},"channel":"C2","owner":"U2","since":1795240000000,"lines":["+493055501000"],"agents":[{"id":"1001","name":"Anna Smith"}],"threshold":{"calls":3,"minutes":10},"hours":{"weekdays":[1,5],"from":"09:00","to":"17:30"},"isPaused":false,"mutedUntil":1795249000000}',
    ],
  ],
  'alert-states': [
    [
      '/T1/a1',
      `{"alertId":"a1","postedAt":1795248005000,"since":1795240000000,"noted":"AAAAAAAAAAE","open":{"id":"${messageId}","openedAt":1795248005000,"count":1,"firstAt":1795248000000,"calls":[${call}],"ts":"1795248005.000100","shownAt":1795248006000}}`,
    ],
    [
      '/T1/a2',
      `{"alertId":"a2","trouble":{"since":1795248005000,"why":"<#C2> is archived.","isTold":true},"since":1795240000000,"noted":"AAAAAAAAAAE","below":[${call}],"untold":{"calls":[${call}],"hours":[{"hour":1795248000000,"count":1,"firstAt":1795248000000},{"hour":1795248000000,"count":1,"firstAt":1795248000000,"isOutside":true}]},"retryAt":1795248605000}`,
    ],
  ],
  'alert-messages': [
    [
      `/T1/${messageId}`,
      `{"id":"${messageId}","openedAt":1795248005000,"count":1,"firstAt":1795248000000,"calls":[${call}],"late":"away","lateByMs":400000,"tooOld":2,"tenant":{"teamId":"T1"},"alertId":"a1","channel":"C1","ts":"1795248005.000100","taken":{"person":"U1","name":"Ada","at":1795248060000},"done":{"person":"U2","name":"Ben","at":1795248120000}}`,
    ],
  ],
  'seen-calls': [
    [
      '/T1/2026-11-21',
      '{"lists":{"k3yOfAccount":{"ids":"AAAAAAAAAAE"},"k3yOfAccount 1001":{"ids":"","since":1795248005000}}}',
    ],
  ],
  watches: [
    [
      '/T1',
      '{"value":{"lookedAt":1795248005000,"trouble":{"since":1795248005000,"why":"Away.","isTold":false},"run":"r1","version":"v1","account":{"id":"k3yOfAccount","connectedAt":1795230000000},"since":1795230000000,"lists":{"k3yOfAccount":{"range":"2026-11-21..2026-11-21 +00:00","total":1,"page":"1 2 3"}},"failing":{"since":1795248005000,"count":2},"due":1795248605000,"isIdle":true}}',
    ],
  ],
} as const

it('rows of alerts are read as they were written, and go with their tenant', async () => {
  const db = new DatabaseSync(join(folder, 'store.sqlite'))
  const insert = db.prepare('INSERT INTO callboard_store VALUES (?, ?, ?, NULL)')
  for (const [namespace, own] of Object.entries(rows))
    for (const [key, value] of own) insert.run(namespace, key, value)
  db.close()
  const written = (namespace: keyof typeof rows) => rows[namespace].map(([, value]) => JSON.parse(value))
  const all = () =>
    Promise.all([
      store.alerts.all(tenant),
      store.alertStates.all(tenant),
      store.alertMessages.all(tenant),
      store.seenCalls.all(tenant),
      store.watches.get(tenant),
    ])
  expect(await all()).toEqual([
    written('alerts'),
    written('alert-states'),
    written('alert-messages'),
    written('seen-calls'),
    written('watches')[0].value,
  ])
  await store.deleteTenant(tenant)
  expect(await all()).toEqual([[], [], [], [], undefined])
})
