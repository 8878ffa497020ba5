import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installationKey } from '../../src/store/installations.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { type OlderDatabases, startOnPostgres, startSqlite } from './older-databases.ts'
import { olderRecords } from './older-expected.ts'
import { type OlderVersion, olderKey, olderVersions } from './older-rows.ts'

/** Everything that today's code reads of a workspace. */
async function recordsOf(store: Store, { tenant }: OlderVersion) {
  const key = tenantKey(tenant)
  const { enterpriseId, teamId } = tenant
  return {
    credentials: await store.credentials.get(key),
    workspaceSettings: await store.workspaceSettings.get(key),
    channelSettings: await Promise.all(
      (await store.channelSettings.names(key)).map(async (channel) => ({
        channel,
        ...(await store.channelSettings.get(key, channel)),
      })),
    ),
    tableSupport: await store.tableSupport.get(key),
    access: await store.access.get(key),
    connection: await store.connection.get(key),
    audit: await store.audit.latest(key),
    schedules: await store.schedules.all(key),
    posts: Object.fromEntries(await store.pendingJobs.all('billing-posts')),
    notices: Object.fromEntries(await store.pendingJobs.all('notices')),
    installations: [
      await store.installations.get(installationKey({ teamId })),
      await store.installations.get(installationKey({ enterpriseId: enterpriseId ?? `E${teamId.slice(1)}` })),
    ],
  }
}

describe.each([
  ['SQLite', startSqlite],
  ['PostgreSQL', startOnPostgres],
])('what an older version wrote, on %s', (_, start) => {
  let databases: OlderDatabases
  beforeAll(async () => {
    databases = await start()
  })
  afterAll(() => databases.stop())

  it.each(olderVersions.map((version, index) => ({ ...version, index })))(
    'is read: $landed',
    async (older) => {
      const store = new Store({
        url: await databases.fill(older),
        encryptionKeys: [{ id: olderKey.id, key: createSecretKey(Buffer.alloc(32, olderKey.byte)) }],
        log: { warn: () => {} },
      })
      try {
        expect(await recordsOf(store, older)).toEqual(olderRecords[older.index])
      } finally {
        await store.close()
      }
    },
  )

  it("of the audit log comes after today's entries, is left alone by them, and is deleted with them", async () => {
    const older = olderVersions[1]!
    const store = new Store({
      url: await databases.fill(older),
      encryptionKeys: [{ id: olderKey.id, key: createSecretKey(Buffer.alloc(32, olderKey.byte)) }],
      log: { warn: () => {} },
    })
    const key = tenantKey(older.tenant)
    try {
      const before = await store.audit.latest(key)
      expect(before).toHaveLength(2)
      const today = { at: 1_800_000_000_000, who: 'U2', what: 'settings' }
      for (const room of ['admins', 'others'] as const) await store.audit.add(key, today, room)
      expect(await store.audit.latest(key)).toEqual([today, today, ...before])
      await store.audit.deleteAll(key)
      expect(await store.audit.latest(key)).toEqual([])
    } finally {
      await store.close()
    }
  })
})
