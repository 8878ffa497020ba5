import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { alertMessageRecord, alertRecord, watchRecord } from './alerts.ts'
import { AuditTrail } from './audit.ts'
import type { Backend } from './backend.ts'
import { Claims, HighWaterMarks } from './claims.ts'
import { EncryptionUpkeep } from './encryption-upkeep.ts'
import { Exports } from './exports.ts'
import { Generations } from './generations.ts'
import { installationRecord } from './installations.ts'
import { MalformedRows } from './malformed-rows.ts'
import { Organisations } from './organisations.ts'
import { PendingJobs } from './pending-jobs.ts'
import { PostgresBackend } from './postgres.ts'
import { assertKeeps } from './readiness.ts'
import { Records } from './records.ts'
import { billingRows, reportRows, Schedules } from './schedules.ts'
import { ShardedRows, ShardPolls } from './sharded-rows.ts'
import { SqliteBackend } from './sqlite.ts'
import type { Tenant, TenantKey } from './tenant.ts'
import { TenantRows } from './tenant-rows.ts'
import { Vault } from './vault.ts'
import {
  accessRecord,
  blockSupport,
  connectionRecord,
  credentialsRecord,
  linesRecord,
  zoneSettings,
} from './workspaces.ts'

const sweepEvery: Milliseconds = 10 * 60_000

interface StoreEvents {
  'tenant-deleted': [TenantKey]
}

/** Everything that outlives the process. */
export class Store extends EventEmitter<StoreEvents> {
  readonly credentials
  readonly workspaceSettings
  /** By tenant and channel. */
  readonly channelSettings
  readonly tableSupport
  readonly chartSupport
  readonly lines
  readonly access
  readonly connection
  /** By `installationKey`. */
  readonly installations
  readonly audit
  readonly schedules
  readonly reportSchedules
  readonly exports
  readonly alerts
  readonly alertMessages
  readonly watches
  readonly shardPolls
  readonly organisations
  readonly generations
  readonly pendingJobs
  readonly claims
  readonly highWaterMarks
  /** Of this process: each one's readiness is a row of its own. */
  readonly #id = randomUUID()
  readonly #backend: Backend
  readonly #tenantRecords
  readonly #encryption
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
    const backend: Backend = url.startsWith('sqlite:')
      ? new SqliteBackend(url.slice('sqlite:'.length), now)
      : new PostgresBackend({ url, now, onIdleError })
    const vault = new Vault(encryptionKeys)
    const malformed = new MalformedRows(log)
    this.#backend = backend
    this.organisations = new Organisations(backend)
    this.generations = new Generations(backend)
    this.credentials = new Records(backend, 'credentials', credentialsRecord, vault)
    this.workspaceSettings = new Records(backend, 'workspace-settings', zoneSettings)
    this.channelSettings = new Records(backend, 'channel-settings', zoneSettings)
    this.tableSupport = new Records(backend, 'table-support', blockSupport)
    this.chartSupport = new Records(backend, 'chart-support', blockSupport)
    this.lines = new Records(backend, 'lines', linesRecord)
    this.access = new Records(backend, 'access', accessRecord)
    this.connection = new Records(backend, 'connection', connectionRecord)
    this.installations = new Records(backend, 'installations', installationRecord, vault)
    this.audit = new AuditTrail(backend, malformed)
    this.schedules = new Schedules({ backend, malformed }, billingRows)
    this.reportSchedules = new Schedules({ backend, malformed }, reportRows)
    this.exports = new Exports(backend, malformed)
    const rows = { backend, malformed }
    this.alerts = new ShardedRows(rows, 'alerts', alertRecord, 'an alert')
    this.watches = new ShardedRows(rows, 'watches', watchRecord, 'what is kept of a watched account')
    this.shardPolls = new ShardPolls(backend)
    this.alertMessages = new TenantRows(rows, 'alert-messages', alertMessageRecord, 'a message of an alert')
    this.pendingJobs = new PendingJobs(backend, malformed)
    this.claims = new Claims(backend)
    this.highWaterMarks = new HighWaterMarks(backend)
    this.#tenantRecords = [
      this.credentials,
      this.workspaceSettings,
      this.channelSettings,
      this.tableSupport,
      this.chartSupport,
      this.lines,
      this.access,
      this.connection,
    ]
    this.#encryption = new EncryptionUpkeep([this.credentials, this.installations], log)
    backend.sweep().catch((error: unknown) => log.warn({ err: error }, 'expired rows were not swept'))
    this.#sweepTimer = setInterval(() => {
      this.sweep().catch((error: unknown) => log.warn({ err: error }, 'the store was not swept'))
    }, sweepEvery).unref()
  }

  /** @throws {StoreError} where the database can't be reached, {UnusableStoreError} where this process can't use it */
  async open(): Promise<void> {
    await this.#backend.get('version', ['rows'])
  }

  /** Every ten minutes: what has expired, and what is to be encrypted anew. */
  async sweep(): Promise<void> {
    await this.#backend.sweep()
    await this.reencrypt()
  }

  /** Deletes everything that is kept of a workspace but its installation; then emits `tenant-deleted` in this process. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    // First what others ask for as they write: whatever is under way by now is not kept.
    await this.generations.end(tenant)
    await this.credentials.delete(tenant)
    await this.#backend.clearTenant(tenant)
    for (const records of this.#tenantRecords) await records.forgetRead()
    this.emit('tenant-deleted', tenant)
  }

  /** The workspaces that are known to be an organisation's. */
  tenantsOf(enterpriseId: string): Promise<readonly Tenant[]> {
    return this.organisations.tenantsOf(enterpriseId)
  }

  /** @returns how many records were encrypted anew */
  reencrypt(): Promise<number> {
    return this.#encryption.renew()
  }

  /** How many records can't be decrypted, by the key's id, when they were last looked through. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#encryption.undecryptable
  }

  /** Writes a row and reads it. @throws {StoreError} where the store does not keep what it is given */
  ready(): Promise<void> {
    return assertKeeps(this.#backend, this.#id)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#backend.close()
  }
}
