import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { alertMessageRecord, alertRecord, watchRecord } from './alerts.ts'
import { AuditTrail } from './audit.ts'
import { Claims } from './claims.ts'
import { Database } from './engine/database.ts'
import { KeyRotation } from './engine/key-rotation.ts'
import { PostgresDriver } from './engine/postgres.ts'
import { Repository } from './engine/repository.ts'
import { RowParser } from './engine/schema.ts'
import { SqliteDriver } from './engine/sqlite.ts'
import { type RowServices, TenantRows } from './engine/tenant-rows.ts'
import { Vault } from './engine/vault.ts'
import { StoreError } from './errors.ts'
import { exportRecord } from './exports.ts'
import { installationRecord } from './installations.ts'
import { scheduleRecord } from './schedules.ts'
import { type Tenant, type TenantKey, tenantKey } from './tenant.ts'
import {
  accessRecord,
  credentialsRecord,
  linesRecord,
  organisationRecord,
  zoneSettings,
} from './workspaces.ts'

/** What has expired goes, and what is under an older key is encrypted anew. */
const sweepEvery: Milliseconds = 10 * 60_000

/** Of each process: what `ready` writes is a row of its own. */
const readyRowKeptForMs: Milliseconds = 60_000
/** A workspace belongs to one organisation, if to any. */
const organisationId = 'organisation'

interface StoreEvents {
  'tenant-deleted': [TenantKey]
  /** Of which kind; each row once an hour. */
  'malformed-row': [kind: string]
}

export class Store extends EventEmitter<StoreEvents> {
  readonly credentials
  readonly workspaceSettings
  /** By tenant and channel. */
  readonly channelSettings
  readonly lines
  readonly access
  readonly installations
  readonly audit
  readonly schedules
  readonly reportSchedules
  readonly exports
  readonly alerts
  readonly alertMessages
  readonly watches
  readonly claims
  readonly keyRotation
  /** For who keeps rows of its own: the jobs that run in the process. */
  readonly rows: RowServices
  readonly #id = randomUUID()
  readonly #driver
  readonly #database
  readonly #organisations
  readonly #ofTenants
  readonly #sweepTimer

  /** @throws {UnusableStoreError} where an SQLite file holds rows of a newer version */
  constructor(options: {
    url: string
    encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
    log: Pick<Log, 'warn'>
    now?: () => EpochMs
  }) {
    super()
    // Every cache follows the deletion of a tenant: more than the ten that Node takes for a leak.
    this.setMaxListeners(0)
    const { url, encryptionKeys, log, now = Date.now } = options
    const onIdleError = (error: Error) => log.warn({ err: error }, 'the database ended an idle connection')
    this.#driver = url.startsWith('sqlite:')
      ? new SqliteDriver(url.slice('sqlite:'.length))
      : new PostgresDriver({ url, onIdleError })
    const database = new Database(this.#driver, now)
    this.#database = database
    const vault = new Vault(encryptionKeys)
    const parser = new RowParser(log, (namespace) => {
      this.emit('malformed-row', namespace.replace(/-\d+$/, ''))
    })
    const rows = { database, parser }
    this.rows = rows
    this.credentials = new Repository(rows, 'credentials', credentialsRecord, vault)
    this.workspaceSettings = new Repository(rows, 'workspace-settings', zoneSettings)
    this.channelSettings = new Repository(rows, 'channel-settings', zoneSettings)
    this.lines = new Repository(rows, 'lines', linesRecord)
    this.access = new Repository(rows, 'access', accessRecord)
    this.installations = new Repository(rows, 'installations', installationRecord, vault)
    this.audit = new AuditTrail(rows)
    this.schedules = new TenantRows(rows, 'schedules', scheduleRecord)
    this.reportSchedules = new TenantRows(rows, 'report-schedules', scheduleRecord.required({ report: true }))
    this.exports = new TenantRows(rows, 'exports', exportRecord)
    this.alerts = new TenantRows(rows, 'alerts', alertRecord, { isSharded: true })
    this.watches = new TenantRows(rows, 'watches', watchRecord, { isSharded: true })
    this.alertMessages = new TenantRows(rows, 'alert-messages', alertMessageRecord)
    this.#organisations = new TenantRows(rows, 'organisations', organisationRecord)
    this.claims = new Claims(database)
    this.#ofTenants = [
      this.credentials,
      this.workspaceSettings,
      this.channelSettings,
      this.lines,
      this.access,
    ]
    const encrypted = [this.credentials.namespace, this.installations.namespace]
    this.keyRotation = new KeyRotation({ database, vault, log }, encrypted)
    const onFailure = (error: unknown) => log.warn({ err: error }, 'the store was not swept')
    database.sweep().catch(onFailure)
    const sweep = () => void Promise.all([database.sweep(), this.keyRotation.run()]).catch(onFailure)
    this.#sweepTimer = setInterval(sweep, sweepEvery).unref()
  }

  /**
   * For this process, and over SQLite for no other one.
   * @throws {StoreError} where the database can't be reached, {UnusableStoreError} where this process can't use it
   */
  async open(): Promise<void> {
    if (this.#driver instanceof SqliteDriver) this.#driver.lock()
    await this.ready()
  }

  /** Deletes everything that is kept of a workspace but its installation; then emits `tenant-deleted` in this process. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    await this.credentials.delete(tenant)
    await this.#database.clearTenant(tenant)
    for (const records of this.#ofTenants) records.forgetRead()
    this.emit('tenant-deleted', tenant)
  }

  /** A fact of a workspace, since its key is its team's alone. @throws {StoreError} */
  async organisationOf(tenant: TenantKey): Promise<string | undefined> {
    return (await this.#organisations.get(tenant, organisationId))?.enterpriseId
  }

  async noteOrganisation({ teamId }: Pick<Tenant, 'teamId'>, enterpriseId: string): Promise<void> {
    await this.#organisations.set(tenantKey({ teamId }), organisationId, { teamId, enterpriseId })
  }

  async tenantsOf(enterpriseId: string): Promise<readonly Tenant[]> {
    const all = await Array.fromAsync(this.#organisations.scan())
    return all.filter((one) => one.enterpriseId === enterpriseId)
  }

  /** When the shard's accounts were all polled last; 0 where they never were. @throws {StoreError} */
  async shardPolledAt(shard: number): Promise<EpochMs> {
    return Number(await this.#database.get('shard-polls', String(shard))) || 0
  }

  setShardPolledAt(shard: number, at: EpochMs): Promise<void> {
    return this.#database.set('shard-polls', { key: String(shard), value: String(at) })
  }

  /** Writes a row and reads it. @throws {StoreError} where the store does not keep what it is given */
  async ready(): Promise<void> {
    const expires = this.#database.now() + readyRowKeptForMs
    const row = { key: this.#id, value: randomUUID(), expires }
    await this.#database.set('readiness', row)
    if (!(await this.#database.keeps('readiness', row))) throw new StoreError('what was written is not there')
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#database.close()
  }
}
