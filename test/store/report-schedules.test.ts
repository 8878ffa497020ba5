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
const team = { enterpriseId: undefined, teamId: 'T1' }
const tenant = tenantKey(team)

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

/** As the first version with schedules of reports writes them. */
const rows = {
  daily:
    '{"id":"daily","tenant":{"teamId":"T1"},"channel":"C1","day":{"kind":"daily","weekdays":[1,5]},"time":"08:00","owner":"U1","report":{"range":"day","by":"line","onlyWithCalls":true},"due":1795248000000,"dueDay":"2026-11-21"}',
  monthly:
    '{"id":"monthly","tenant":{"teamId":"T1"},"channel":"C1","day":{"kind":"monthly","day":"last"},"time":"08:00","owner":"U1","report":{"range":"month","by":"agent","onlyWithCalls":false},"due":1795248000000,"dueDay":"2026-11-21","postedDay":"2026-10-31","paused":{"why":"<#C1> is archived."}}',
  nothing:
    '{"id":"nothing","tenant":{"teamId":"T1"},"channel":"C1","day":{"kind":"weekly","weekday":1},"time":"08:00","owner":"U1","due":1795248000000}',
}

it('schedules of reports are read as they were written, are none of billing posts, and go with their tenant', async () => {
  const db = new DatabaseSync(join(folder, 'store.sqlite'))
  for (const [id, value] of Object.entries(rows))
    db.prepare("INSERT INTO callboard_store VALUES ('report-schedules', ?, ?, NULL)").run(`/T1/${id}`, value)
  db.close()
  const found = await store.reportSchedules.all(tenant)
  // What is no report's is left out.
  expect(found).toEqual([JSON.parse(rows.daily), JSON.parse(rows.monthly)])
  expect(await store.schedules.all(tenant)).toEqual([])
  const [daily] = found
  if (!daily) throw new Error('there is none')
  await store.reportSchedules.set(tenant, 'again', { ...daily, id: 'again' })
  const written = await store.reportSchedules.get(tenant, 'again')
  expect(written).toEqual({ ...daily, id: 'again' })
  await store.deleteTenant(tenant)
  expect(await store.reportSchedules.all(tenant)).toEqual([])
})
