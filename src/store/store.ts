import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { AuditTrail } from './audit.ts'
import { scan } from './backend.ts'
import { Claims, HighWaterMarks } from './claims.ts'
import { StoreError } from './errors.ts'
import { installationRecord } from './installations.ts'
import { PendingJobs } from './pending-jobs.ts'
import { PostgresBackend } from './postgres.ts'
import { Records } from './records.ts'
import { Schedules } from './schedules.ts'
import { SqliteBackend } from './sqlite.ts'
import { organisationPrefix, type Tenant, type TenantKey, tenantOfKey } from './tenant.ts'
import { Vault } from './vault.ts'
import {
  accessRecord,
  connectionRecord,
  credentialsRecord,
  tableSupport,
  zoneSettings,
} from './workspaces.ts'

const sweepEvery: Milliseconds = 10 * 60_000
const readiness = 'readiness'
const readinessKeptFor: Milliseconds = 60_000

/** Everything that outlives the process. */
export class Store extends EventEmitter<{ 'tenant-deleted': [TenantKey] }> {
  readonly credentials
  readonly workspaceSettings
  /** By tenant and channel. */
  readonly channelSettings
  readonly tableSupport
  readonly access
  readonly connection
  /** By `installationKey`. */
  readonly installations
  readonly audit
  readonly schedules
  readonly pendingJobs
  readonly claims
  readonly highWaterMarks
  /** Of this process: each one's readiness is a row of its own. */
  readonly #id = randomUUID()
  readonly #backend
  readonly #tenantRecords
  readonly #sweepTimer

  /**
   * @param options.url `sqlite:PATH` or `postgres://…`
   * @param options.encryptionKeys the first one encrypts, every one of them decrypts
   */
  constructor(options: {
    url: string
    encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
    log: Pick<Log, 'warn'>
    now?: () => EpochMs
  }) {
    super()
    const { url, encryptionKeys, log, now = Date.now } = options
    const onIdleError = (error: Error) => log.warn({ err: error }, 'the database ended an idle connection')
    const backend = url.startsWith('sqlite:')
      ? new SqliteBackend(url.slice('sqlite:'.length), now)
      : new PostgresBackend({ url, now, onIdleError })
    const vault = new Vault(encryptionKeys)
    this.#backend = backend
    this.credentials = new Records(backend, 'credentials', credentialsRecord, vault)
    this.workspaceSettings = new Records(backend, 'workspace-settings', zoneSettings)
    this.channelSettings = new Records(backend, 'channel-settings', zoneSettings)
    this.tableSupport = new Records(backend, 'table-support', tableSupport)
    this.access = new Records(backend, 'access', accessRecord)
    this.connection = new Records(backend, 'connection', connectionRecord)
    this.installations = new Records(backend, 'installations', installationRecord, vault)
    this.audit = new AuditTrail(backend)
    this.schedules = new Schedules(backend)
    this.pendingJobs = new PendingJobs(backend)
    this.claims = new Claims(backend)
    this.highWaterMarks = new HighWaterMarks(backend)
    this.#tenantRecords = [
      this.credentials,
      this.workspaceSettings,
      this.channelSettings,
      this.tableSupport,
      this.access,
      this.connection,
    ]
    const sweep = () => {
      backend.sweep().catch((error: unknown) => log.warn({ err: error }, 'expired rows were not swept'))
    }
    sweep()
    this.#sweepTimer = setInterval(sweep, sweepEvery).unref()
  }

  /** Deletes everything that is kept of a workspace but its installation; then emits `tenant-deleted` in this process. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    // The schedules first: nothing more is posted whatever fails afterwards.
    for (const part of [this.schedules, ...this.#tenantRecords, this.audit]) await part.deleteAll(tenant)
    this.emit('tenant-deleted', tenant)
  }

  /** The workspaces of an organisation of which anything is kept. */
  async tenantsOf(enterpriseId: string): Promise<readonly Tenant[]> {
    const found = new Map<string, Tenant>()
    const records = [...this.#tenantRecords, this.schedules].map(({ namespace }) => namespace)
    for (const namespace of [...records, ...this.audit.namespaces]) {
      for await (const { key } of scan(this.#backend, namespace, organisationPrefix(enterpriseId))) {
        const tenant = tenantOfKey(key)
        if (tenant) found.set(tenant.teamId, tenant)
      }
    }
    return [...found.values()]
  }

  /** Encrypts anew what is not under the first key; how many records that were. */
  async reencrypt(): Promise<number> {
    return (await this.credentials.reencrypt()) + (await this.installations.reencrypt())
  }

  /** Writes a row and reads it. @throws {StoreError} where the store does not keep what it is given */
  async ready(): Promise<void> {
    const row = { key: this.#id, value: randomUUID(), expires: this.#backend.now() + readinessKeptFor }
    await this.#backend.set(readiness, row)
    const found = await this.#backend.getAnew(readiness, row.key)
    if (found?.value !== row.value) throw new StoreError('what was written is not there')
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#backend.close()
  }
}
