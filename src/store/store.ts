import { EventEmitter } from 'node:events'
import type { EncryptionKey } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { AuditTrail } from './audit.ts'
import type { Backend } from './backend.ts'
import { Claims, HighWaterMarks } from './claims.ts'
import { Generations } from './generations.ts'
import { installationRecord } from './installations.ts'
import { moveLegacy } from './legacy-move.ts'
import { LegacyRows } from './legacy-rows.ts'
import { MalformedRows } from './malformed-rows.ts'
import { Organisations } from './organisations.ts'
import { PendingJobs } from './pending-jobs.ts'
import { PostgresBackend } from './postgres.ts'
import { Records } from './records.ts'
import { type Schedule, Schedules } from './schedules.ts'
import { SqliteBackend } from './sqlite.ts'
import type { Tenant, TenantKey } from './tenant.ts'
import { upgradingBackend } from './upgrading-backend.ts'
import { Vault } from './vault.ts'
import {
  accessRecord,
  connectionRecord,
  credentialsRecord,
  tableSupport,
  zoneSettings,
} from './workspaces.ts'

const sweepEvery: Milliseconds = 10 * 60_000
/**
 * How long after the start records that are not bound to their row are left as they are: the version before can't read
 * those that are, and may be running beside this one while an upgrade is rolled out.
 */
const bindAfterMs: Milliseconds = 60 * 60_000

interface StoreEvents {
  'tenant-deleted': [TenantKey]
  /** What an older version kept or changed, and is known here now. */
  'schedule-moved': [Schedule]
}

/** Everything that outlives the process. */
export class Store extends EventEmitter<StoreEvents> {
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
  readonly organisations
  readonly generations
  readonly pendingJobs
  readonly claims
  readonly highWaterMarks
  /** As it is, and as everything else sees it: with what older versions wrote in its place. */
  readonly #database: Backend
  readonly #backend: Backend
  readonly #malformed
  readonly #log
  readonly #bindAfter
  readonly #tenantRecords
  readonly #encrypted
  readonly #sweepTimer
  #undecryptable: ReadonlyMap<string, number> = new Map()
  #undecryptableText = ''

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
    this.#database = url.startsWith('sqlite:')
      ? new SqliteBackend(url.slice('sqlite:'.length), now)
      : new PostgresBackend({ url, now, onIdleError })
    const vault = new Vault(encryptionKeys)
    const malformed = new MalformedRows(log)
    this.#malformed = malformed
    this.#log = log
    this.#bindAfter = now() + bindAfterMs
    this.#backend = upgradingBackend(this.#database, () => this.#moveLegacy())
    const backend = this.#backend
    this.organisations = new Organisations(backend)
    this.generations = new Generations(backend)
    const legacy = new LegacyRows(backend, this.organisations)
    const kept = { backend, legacy }
    this.credentials = new Records(kept, 'credentials', credentialsRecord, vault)
    this.workspaceSettings = new Records(kept, 'workspace-settings', zoneSettings)
    this.channelSettings = new Records(kept, 'channel-settings', zoneSettings)
    this.tableSupport = new Records(kept, 'table-support', tableSupport)
    this.access = new Records(kept, 'access', accessRecord)
    this.connection = new Records(kept, 'connection', connectionRecord)
    this.installations = new Records(kept, 'installations', installationRecord, vault)
    this.audit = new AuditTrail(backend, malformed)
    this.schedules = new Schedules(backend, legacy, malformed)
    this.pendingJobs = new PendingJobs(backend, malformed)
    this.claims = new Claims(backend, legacy)
    this.highWaterMarks = new HighWaterMarks(backend)
    this.#tenantRecords = [
      this.credentials,
      this.workspaceSettings,
      this.channelSettings,
      this.tableSupport,
      this.access,
      this.connection,
    ]
    this.#encrypted = [this.credentials, this.installations]
    backend.sweep().catch((error: unknown) => log.warn({ err: error }, 'expired rows were not swept'))
    this.#sweepTimer = setInterval(() => {
      this.sweep().catch((error: unknown) => log.warn({ err: error }, 'the store was not swept'))
    }, sweepEvery).unref()
  }

  /** Every ten minutes: what an older process beside this one wrote, what has expired, what is to be encrypted anew. */
  async sweep(): Promise<void> {
    await this.#moveLegacy()
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

  /**
   * Encrypts anew what is not under the first key, and from an hour after the start what is not bound to its row.
   * @returns how many records that were; the log and `undecryptable` tell of those that can't be read
   */
  async reencrypt(): Promise<number> {
    const bind = this.#backend.now() >= this.#bindAfter
    const undecryptable = new Map<string, number>()
    const found: string[] = []
    let count = 0
    for (const records of this.#encrypted) {
      const { rewritten, undecryptable: unread } = await records.reencrypt({ bind })
      count += rewritten
      for (const [key, number] of unread) {
        undecryptable.set(key, (undecryptable.get(key) ?? 0) + number)
        found.push(`${number} of "${records.namespace}" under the key "${key}"`)
      }
    }
    const text = found.join(', ')
    if (text !== '' && text !== this.#undecryptableText)
      this.#log.warn(
        { undecryptable: found },
        'records can not be decrypted: their workspaces have to connect anew',
      )
    this.#undecryptableText = text
    this.#undecryptable = undecryptable
    return count
  }

  /** How many records can't be decrypted, by the key's id, when they were last looked through. */
  get undecryptable(): ReadonlyMap<string, number> {
    return this.#undecryptable
  }

  /** @throws {StoreError} where the store does not answer */
  ready(): Promise<void> {
    return this.#backend.ping()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#backend.close()
  }

  async #moveLegacy(): Promise<void> {
    const moved = [...this.#tenantRecords, this.audit]
    const { namespaces, schedules } = await moveLegacy(this.#database, moved, this.#malformed)
    for (const records of this.#tenantRecords)
      if (namespaces.has(records.namespace)) await records.forgetRead()
    for (const schedule of schedules) this.emit('schedule-moved', schedule)
  }
}
