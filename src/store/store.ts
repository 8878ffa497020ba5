import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { alertMessageSchema, alertSchema, pollRecordSchema } from './alerts.ts'
import { AuditTrail } from './audit-trail.ts'
import { Database } from './engine/database.ts'
import { PostgresDriver } from './engine/postgres.ts'
import { Repository } from './engine/repository.ts'
import { Rows } from './engine/rows.ts'
import { assertRowsVersion, versionRow } from './engine/sql.ts'
import { SqliteDriver } from './engine/sqlite.ts'
import { rotateRecords, Vault } from './engine/vault.ts'
import { missedCallRecordSchema } from './missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace } from './tenant.ts'
import * as stored from './workspaces.ts'

const SWEEP_INTERVAL_MS: Milliseconds = 10 * minuteMs

/** Id of the one record of each workspace that is in an organization. */
const ORGANIZATION_ID = 'organization'

interface StoreEvents {
  'tenant-deleted': [TenantKey]
  /** At most once an hour per row. The kind is the namespace without the number of a shard. */
  'malformed-row': [kind: string]
}

interface StoreOptions {
  readonly url: string
  readonly encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  readonly log: Pick<Log, 'warn'>
  readonly now?: () => EpochMs
}

/** Creates the database and the vault before the fields of `Store`, which need them. */
class StoreBase extends EventEmitter<StoreEvents> {
  /** For modules with their own rows. */
  readonly database
  protected readonly driver
  protected readonly vault

  /** @throws {UnusableStoreError} if an SQLite file holds rows of a newer version */
  constructor({ url, encryptionKeys, log, now = Date.now }: StoreOptions) {
    super()
    // Every cache listens for deleted tenants, and Node takes more than ten listeners for a leak.
    this.setMaxListeners(0)
    const onIdleError = (error: Error) => log.warn({ err: error }, 'the database closed an idle connection')
    this.driver = url.startsWith('sqlite:')
      ? new SqliteDriver(url.slice('sqlite:'.length))
      : new PostgresDriver({ url, onIdleError })
    this.database = new Database(this.driver, now, ({ namespace, key }, problem) => {
      this.emit('malformed-row', namespace.replace(/-\d+$/, ''))
      log.warn({ namespace, row: key, wrong: problem }, 'a stored record is malformed')
    })
    this.vault = new Vault(encryptionKeys)
  }
}

export class Store extends StoreBase {
  readonly credentials = new Repository(this.database, 'credentials', stored.credentialsSchema, this.vault)
  readonly workspaceSettings = new Repository(this.database, 'workspace-settings', stored.zoneSettingsSchema)
  /** By tenant and channel. */
  readonly channelSettings = new Repository(this.database, 'channel-settings', stored.zoneSettingsSchema)
  readonly lines = new Repository(this.database, 'lines', stored.linesSchema)
  readonly access = new Repository(this.database, 'access', stored.accessSchema)
  readonly ownAgents = new Repository(this.database, 'own-agents', stored.ownAgentSchema)
  readonly installations = new Repository(
    this.database,
    'installations',
    stored.installationSchema,
    this.vault,
  )
  readonly audit = new AuditTrail(this.database)
  readonly alerts = new Rows(this.database, 'alerts', alertSchema, { isSharded: true })
  readonly polls = new Rows(this.database, 'polls', pollRecordSchema, { isSharded: true })
  readonly alertMessages = new Rows(this.database, 'alert-messages', alertMessageSchema)
  readonly missedCalls = new Rows(this.database, 'missed-calls', missedCallRecordSchema)
  readonly #organizations = new Rows(this.database, 'organizations', stored.organizationSchema)
  readonly #sweepTimer
  /** Numbers of records, by the id of their key, that the latest `rotateKeys` couldn't read; `?` if they don't name one. */
  undecryptable: ReadonlyMap<string, number> = new Map()

  constructor(options: StoreOptions) {
    super(options)
    const onFailure = (error: unknown) =>
      options.log.warn({ err: error }, 'the store could not be cleaned up')
    this.database.deleteExpired().catch(onFailure)
    const sweep = () => void Promise.all([this.database.deleteExpired(), this.rotateKeys()]).catch(onFailure)
    this.#sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS).unref()
  }

  /** Reserves an SQLite file for this process. @throws {StoreError} */
  async open(): Promise<void> {
    if (this.driver instanceof SqliteDriver) this.driver.lock()
    await this.ready()
  }

  /** @throws {StoreError} if the database doesn't answer, or a newer version wrote its rows */
  async ready(): Promise<void> {
    assertRowsVersion(await this.database.get(versionRow.namespace, versionRow.key))
  }

  /** Reads in one query what most interactions need, if other processes write. Errors appear where a record is used. */
  prefetch({ teamId }: Workspace, channel: string): void {
    if (teamId === '' || !this.database.interaction) return
    const tenant = tenantKey({ teamId })
    const reads: Promise<unknown>[] = [this.installations.get(stored.installationKey({ teamId }))]
    for (const repository of [this.credentials, this.access, this.workspaceSettings, this.lines])
      reads.push(repository.get(tenant))
    if (channel !== '') reads.push(this.channelSettings.get(tenant, channel))
    void Promise.allSettled(reads)
  }

  /** Returns `true` to one caller of all processes. @param key from `scopedKey` for a tenant's claims @throws {StoreError} */
  claim(scope: string, key: string, ttlMs: Milliseconds): Promise<boolean> {
    // Not in a `Repository`, because keyv has no atomic insert.
    return this.database.insert(`claim:${scope}`, { key, value: '1', expires: this.database.now() + ttlMs })
  }

  async isClaimed(scope: string, key: string): Promise<boolean> {
    return (await this.database.get(`claim:${scope}`, key)) !== undefined
  }

  async releaseClaim(scope: string, key: string): Promise<void> {
    await this.database.delete(`claim:${scope}`, key)
  }

  /** Keeps the installation, and emits `tenant-deleted` in this process only. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    await this.database.deleteTenant(tenant)
    const { credentials, access, workspaceSettings, channelSettings, lines, ownAgents } = this
    for (const repository of [credentials, access, workspaceSettings, channelSettings, lines, ownAgents])
      repository.forgetReads()
    this.emit('tenant-deleted', tenant)
  }

  /** Returns the organization that a workspace was last seen in. @throws {StoreError} */
  async getOrganization(tenant: TenantKey): Promise<string | undefined> {
    const organization = await this.#organizations.get(tenant, ORGANIZATION_ID)
    return organization?.enterpriseId
  }

  async noteOrganization({ teamId }: Pick<Workspace, 'teamId'>, enterpriseId: string): Promise<void> {
    await this.#organizations.set(tenantKey({ teamId }), ORGANIZATION_ID, { teamId, enterpriseId })
  }

  async listWorkspaces(enterpriseId: string): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = []
    for await (const workspace of this.#organizations.scan())
      if (workspace.enterpriseId === enterpriseId) workspaces.push(workspace)
    return workspaces
  }

  /** Re-encrypts records of other keys, and returns their number. @throws {StoreError} */
  async rotateKeys(): Promise<number> {
    const namespaces = [this.credentials.namespace, this.installations.namespace]
    const { rotated, undecryptable } = await rotateRecords(this.database, this.vault, namespaces)
    this.undecryptable = undecryptable
    return rotated
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.database.close()
  }
}
