import type { Log } from '../log.ts'
import { type AuditTrail, createAuditTrail } from './audit.ts'
import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'
import { type Claims, createClaims, createLatest, type Latest } from './once.ts'
import { createPendingJobs, type PendingJobs } from './pending-jobs.ts'
import { openPostgres } from './postgres.ts'
import { openNamespace, type Records } from './records.ts'
import { createSchedules, type Schedules } from './schedules.ts'
import { openSqlite } from './sqlite.ts'
import { createVault, type EncryptionKey } from './vault.ts'
import { watchVersion } from './version.ts'
import {
  type AccessRecord,
  accessRecord,
  type ChannelSettings,
  type CredentialsRecord,
  channelSettings,
  credentialsRecord,
  type TableSupport,
  tableSupport,
  type WorkspaceSettings,
  workspaceSettings,
} from './workspaces.ts'

export interface StoreOptions {
  /** `sqlite:PATH` or `postgres://…` */
  readonly url: string
  readonly encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  readonly log: Pick<Log, 'warn' | 'error'>
  /** Epoch ms. */
  readonly now?: () => number
}

export interface Store {
  readonly credentials: Records<CredentialsRecord>
  readonly workspaceSettings: Records<WorkspaceSettings>
  /** By tenant and channel. */
  readonly channelSettings: Records<ChannelSettings>
  readonly tableSupport: Records<TableSupport>
  readonly access: Records<AccessRecord>
  readonly audit: AuditTrail
  readonly schedules: Schedules
  readonly pendingJobs: PendingJobs
  readonly claims: Claims
  readonly latest: Latest
  /** Encrypts anew what is not under the first key; how many records that were. */
  reencrypt(): Promise<number>
  /** @throws {StoreError} where the store does not answer */
  ready(): Promise<void>
  close(): Promise<void>
}

const sweepEveryMs = 10 * 60_000

function openBackend(url: string, log: StoreOptions['log']): Backend {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length))
  return openPostgres({
    url,
    onIdleError: (error) => log.warn({ err: error }, 'the database ended an idle connection'),
  })
}

export function openStore({ url, encryptionKeys, log, now = Date.now }: StoreOptions): Store {
  const backend = openBackend(url, log)
  const vault = createVault(encryptionKeys)
  const common = { backend, version: watchVersion(backend), now }
  const credentials = openNamespace({ ...common, name: 'credentials', schema: credentialsRecord, vault })
  const encrypted = [credentials]

  const sweep = () => {
    backend.sweep(now()).catch((error: unknown) => log.warn({ err: error }, 'expired rows were not swept'))
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs).unref()

  return {
    credentials,
    workspaceSettings: openNamespace({ ...common, name: 'workspace-settings', schema: workspaceSettings }),
    channelSettings: openNamespace({ ...common, name: 'channel-settings', schema: channelSettings }),
    tableSupport: openNamespace({ ...common, name: 'table-support', schema: tableSupport }),
    access: openNamespace({ ...common, name: 'access', schema: accessRecord }),
    audit: createAuditTrail(backend, now),
    schedules: createSchedules(backend, now),
    pendingJobs: createPendingJobs(backend, now),
    claims: createClaims(backend, now),
    latest: createLatest(backend, now),

    async reencrypt() {
      let count = 0
      for (const { name, keyv } of encrypted) {
        for (let after = ''; ; ) {
          const rows = await backend.list(name, after, 100, now())
          for (const row of rows.filter(({ value }) => !vault.isCurrent(value))) {
            const record = await keyv.get(row.key)
            if (record !== undefined) await keyv.set(row.key, record)
            count += 1
          }
          const last = rows.at(-1)
          if (!last) break
          after = last.key
        }
      }
      return count
    },

    async ready() {
      try {
        await backend.ping()
      } catch (cause) {
        throw new StoreError('the store does not answer', { cause })
      }
    },

    async close() {
      clearInterval(timer)
      await backend.close()
    },
  }
}
