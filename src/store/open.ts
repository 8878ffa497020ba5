import type { Log } from '../log.ts'
import { type AuditTrail, auditNamespace, createAuditTrail } from './audit.ts'
import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'
import { type InstallationRecord, installationRecord } from './installations.ts'
import { type Claims, createClaims, createLatest, type Latest } from './once.ts'
import { createPendingJobs, type PendingJobs } from './pending-jobs.ts'
import { openPostgres } from './postgres.ts'
import { openNamespace, type Records } from './records.ts'
import { rowsUnder } from './rows.ts'
import { createSchedules, type Schedules, schedulesNamespace } from './schedules.ts'
import { openSqlite } from './sqlite.ts'
import { organisationPrefix, type Tenant, type TenantKey, tenantOfKey } from './tenant.ts'
import { createVault, type EncryptionKey } from './vault.ts'
import { watchVersion } from './version.ts'
import {
  type AccessRecord,
  accessRecord,
  type ChannelSettings,
  type ConnectionRecord,
  type CredentialsRecord,
  channelSettings,
  connectionRecord,
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
  readonly connection: Records<ConnectionRecord>
  /** By `installationKey`. */
  readonly installations: Records<InstallationRecord>
  readonly audit: AuditTrail
  readonly schedules: Schedules
  readonly pendingJobs: PendingJobs
  readonly claims: Claims
  readonly latest: Latest
  /** Deletes everything that is kept of a workspace but its installation. */
  deleteTenant(tenant: TenantKey): Promise<void>
  /** The workspaces of an organisation of which anything is kept. */
  tenantsOf(enterpriseId: string): Promise<readonly Tenant[]>
  /** Encrypts anew what is not under the first key; how many records that were. */
  reencrypt(): Promise<number>
  /** @throws {StoreError} where the store does not answer */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Where a tenant has rows that are no records. */
const tenantRows = [auditNamespace, schedulesNamespace]
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
  const installations = openNamespace({ ...common, name: 'installations', schema: installationRecord, vault })
  const encrypted = [credentials, installations]
  const workspaceSettingsOf = openNamespace({
    ...common,
    name: 'workspace-settings',
    schema: workspaceSettings,
  })
  const channelSettingsOf = openNamespace({ ...common, name: 'channel-settings', schema: channelSettings })
  const tableSupportOf = openNamespace({ ...common, name: 'table-support', schema: tableSupport })
  const access = openNamespace({ ...common, name: 'access', schema: accessRecord })
  const connection = openNamespace({ ...common, name: 'connection', schema: connectionRecord })
  const ofTenants = [credentials, workspaceSettingsOf, channelSettingsOf, tableSupportOf, access, connection]
  const audit = createAuditTrail(backend, now)
  const schedules = createSchedules(backend, now)

  const sweep = () => {
    backend.sweep(now()).catch((error: unknown) => log.warn({ err: error }, 'expired rows were not swept'))
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs).unref()

  return {
    credentials,
    workspaceSettings: workspaceSettingsOf,
    channelSettings: channelSettingsOf,
    tableSupport: tableSupportOf,
    access,
    connection,
    installations,
    audit,
    schedules,
    pendingJobs: createPendingJobs(backend, now),
    claims: createClaims(backend, now),
    latest: createLatest(backend, now),

    async deleteTenant(tenant) {
      // The schedules first: nothing more is posted whatever fails afterwards.
      await schedules.deleteAll(tenant)
      for (const namespace of ofTenants) await namespace.deleteAll(tenant)
      await audit.deleteAll(tenant)
    },

    async tenantsOf(enterpriseId) {
      const found = new Map<string, Tenant>()
      for (const name of [...ofTenants.map((one) => one.name), ...tenantRows]) {
        const rows = rowsUnder(backend, name, organisationPrefix(enterpriseId), now())
        for await (const { key } of rows) {
          const tenant = tenantOfKey(key)
          if (tenant) found.set(tenant.teamId, tenant)
        }
      }
      return [...found.values()]
    },

    async reencrypt() {
      let count = 0
      for (const { name, keyv } of encrypted) {
        for await (const row of rowsUnder(backend, name, '', now())) {
          if (vault.isCurrent(row.value)) continue
          const record = await keyv.get(row.key)
          if (record !== undefined) await keyv.set(row.key, record)
          count += 1
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
