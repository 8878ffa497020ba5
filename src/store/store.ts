import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { alertMessageSchema, alertSchema, watchSchema } from './alerts.ts'
import { AuditTrail } from './audit.ts'
import { Claims } from './claims.ts'
import { Database } from './engine/database.ts'
import { KeyRotation } from './engine/key-rotation.ts'
import { PostgresDriver } from './engine/postgres.ts'
import { Repository } from './engine/repository.ts'
import { type RowServices, Rows } from './engine/rows.ts'
import { RowParser } from './engine/schema.ts'
import { SqliteDriver } from './engine/sqlite.ts'
import { Vault } from './engine/vault.ts'
import { type Tenant, type TenantKey, tenantKey } from './tenant.ts'
import {
  accessRecord,
  credentialsRecord,
  installationKey,
  installationRecord,
  linesRecord,
  organizationRecord,
  ownAgentRecord,
  zoneSettings,
} from './workspaces.ts'

/** Interval for deleting expired rows and counting undecryptable ones. */
const SWEEP_INTERVAL_MS: Milliseconds = 10 * 60_000

/** Key of the only organization that a workspace can belong to. */
const ORGANIZATION_ID = 'organization'

interface StoreEvents {
  'tenant-deleted': [TenantKey]
  /** Kind of the row, and its value if it is JSON; at most once an hour per row. */
  'malformed-row': [kind: string, value: unknown]
}

export class Store extends EventEmitter<StoreEvents> {
  readonly credentials
  readonly workspaceSettings
  /** By tenant and channel. */
  readonly channelSettings
  readonly lines
  readonly access
  readonly ownAgents
  readonly installations
  readonly audit
  readonly alerts
  readonly alertMessages
  readonly watches
  readonly claims
  readonly keyRotation
  /** For modules with rows of their own, such as the in-process jobs. */
  readonly rows: RowServices
  readonly #driver
  readonly #database
  readonly #organizations
  readonly #tenantRepositories
  readonly #sweepTimer

  /** @throws {UnusableStoreError} if an SQLite file holds rows of a newer version */
  constructor(options: {
    url: string
    encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
    log: Pick<Log, 'warn'>
    now?: () => EpochMs
  }) {
    super()
    // Every cache listens for deleted tenants: more than the ten listeners that Node takes for a leak.
    this.setMaxListeners(0)
    const { url, encryptionKeys, log, now = Date.now } = options
    const onIdleError = (error: Error) => log.warn({ err: error }, 'the database closed an idle connection')
    this.#driver = url.startsWith('sqlite:')
      ? new SqliteDriver(url.slice('sqlite:'.length))
      : new PostgresDriver({ url, onIdleError })
    const database = new Database(this.#driver, now)
    this.#database = database
    const vault = new Vault(encryptionKeys)
    const parser = new RowParser(log, (namespace, value) => {
      this.emit('malformed-row', namespace.replace(/-\d+$/, ''), value)
    })
    const rows = { database, parser }
    this.rows = rows
    this.credentials = new Repository(rows, 'credentials', credentialsRecord, vault)
    this.workspaceSettings = new Repository(rows, 'workspace-settings', zoneSettings)
    this.channelSettings = new Repository(rows, 'channel-settings', zoneSettings)
    this.lines = new Repository(rows, 'lines', linesRecord)
    this.access = new Repository(rows, 'access', accessRecord)
    this.ownAgents = new Repository(rows, 'own-agents', ownAgentRecord)
    this.installations = new Repository(rows, 'installations', installationRecord, vault)
    this.audit = new AuditTrail(rows)
    this.alerts = new Rows(rows, 'alerts', alertSchema, { isSharded: true })
    this.watches = new Rows(rows, 'watches', watchSchema, { isSharded: true })
    this.alertMessages = new Rows(rows, 'alert-messages', alertMessageSchema)
    this.#organizations = new Rows(rows, 'organizations', organizationRecord)
    this.claims = new Claims(database)
    const { credentials, workspaceSettings, channelSettings, lines, access, ownAgents } = this
    this.#tenantRepositories = [credentials, workspaceSettings, channelSettings, lines, access, ownAgents]
    const encrypted = [this.credentials.namespace, this.installations.namespace]
    this.keyRotation = new KeyRotation({ database, vault, log }, encrypted)
    const onFailure = (error: unknown) => log.warn({ err: error }, 'expired rows could not be deleted')
    database.sweep().catch(onFailure)
    const sweep = () => void Promise.all([database.sweep(), this.keyRotation.recount()]).catch(onFailure)
    this.#sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS).unref()
  }

  /**
   * Connects; with SQLite, reserves the file for this process.
   * @throws {StoreError} if the database doesn't answer, {UnusableStoreError} if this process can't use it
   */
  async open(): Promise<void> {
    if (this.#driver instanceof SqliteDriver) this.#driver.lock()
    await this.ready()
  }

  /** Runs an interaction's work, which reads each record once. */
  shareReads<T>(work: () => T): T {
    return this.#database.shareReads(work)
  }

  /** Starts reading in one query what most interactions need. Errors appear where a record is used. */
  prefetch({ teamId }: Tenant, channel: string): void {
    if (teamId === '' || !this.#database.readScope) return
    const tenant = tenantKey({ teamId })
    const { installations, credentials, access, workspaceSettings, channelSettings, lines } = this
    const reads = [
      installations.get(installationKey({ teamId })),
      ...[credentials, access, workspaceSettings, lines].map((repository) => repository.get(tenant)),
      ...(channel === '' ? [] : [channelSettings.get(tenant, channel)]),
    ]
    for (const read of reads) read.catch(() => {})
  }

  /** Deletes all records of a workspace except its installation, then emits `tenant-deleted` in this process. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    await this.credentials.delete(tenant)
    await this.#database.clearTenant(tenant)
    for (const repository of this.#tenantRepositories) repository.forgetRead()
    this.emit('tenant-deleted', tenant)
  }

  /** Returns the organization that a workspace was last seen in. @throws {StoreError} */
  async getOrganization(tenant: TenantKey): Promise<string | undefined> {
    return (await this.#organizations.get(tenant, ORGANIZATION_ID))?.enterpriseId
  }

  async noteOrganization({ teamId }: Pick<Tenant, 'teamId'>, enterpriseId: string): Promise<void> {
    await this.#organizations.set(tenantKey({ teamId }), ORGANIZATION_ID, { teamId, enterpriseId })
  }

  async listTenants(enterpriseId: string): Promise<readonly Tenant[]> {
    const all = await Array.fromAsync(this.#organizations.scan())
    return all.filter((one) => one.enterpriseId === enterpriseId)
  }

  /** Reads a row. @throws {StoreError} if the database doesn't answer, or an SQLite file is no longer reserved */
  async ready(): Promise<void> {
    if (this.#driver instanceof SqliteDriver) this.#driver.assertLocked()
    await this.#database.assertReadable()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#database.close()
  }
}
