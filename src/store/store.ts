import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'
import { AuditTrail } from './audit.ts'
import { type Backend, scan } from './backend.ts'
import { Claims, HighWaterMarks } from './claims.ts'
import { StoreError, wrapErrors } from './errors.ts'
import { type InstallationRecord, installationRecord } from './installations.ts'
import { PendingJobs } from './pending-jobs.ts'
import { Records } from './records.ts'
import { Schedules } from './schedules.ts'
import { organisationPrefix, type Tenant, type TenantKey, tenantOfKey } from './tenant.ts'
import type { Vault } from './vault.ts'
import {
  type AccessRecord,
  accessRecord,
  type ConnectionRecord,
  type CredentialsRecord,
  connectionRecord,
  credentialsRecord,
  type TableSupport,
  tableSupport,
  type ZoneSettings,
  zoneSettings,
} from './workspaces.ts'

const sweepEvery: Milliseconds = 10 * 60_000
const readiness = 'readiness'
const readinessKeptFor: Milliseconds = 60_000

/** Everything that outlives the process. */
export class Store extends EventEmitter<{ 'tenant-deleted': [TenantKey] }> {
  readonly credentials: Records<CredentialsRecord>
  readonly workspaceSettings: Records<ZoneSettings>
  /** By tenant and channel. */
  readonly channelSettings: Records<ZoneSettings>
  readonly tableSupport: Records<TableSupport>
  readonly access: Records<AccessRecord>
  readonly connection: Records<ConnectionRecord>
  /** By `installationKey`. */
  readonly installations: Records<InstallationRecord>
  readonly audit: AuditTrail
  readonly schedules: Schedules
  readonly pendingJobs: PendingJobs
  readonly claims: Claims
  readonly highWaterMarks: HighWaterMarks
  /** Of this process: each one's readiness is a row of its own. */
  readonly #id = randomUUID()
  readonly #backend: Backend
  readonly #tenantRecords: readonly Pick<Records<unknown>, 'namespace' | 'deleteAll'>[]
  readonly #sweepTimer: NodeJS.Timeout

  constructor({ backend, vault, log }: { backend: Backend; vault: Vault; log: Pick<Log, 'warn'> }) {
    super()
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
    for (const { namespace } of [...this.#tenantRecords, this.audit, this.schedules]) {
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
    const written = this.#backend.set(readiness, row).then(() => this.#backend.getAnew(readiness, row.key))
    const found = await wrapErrors('write and read', written)
    if (found?.value !== row.value) throw new StoreError('what was written is not there')
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    await this.#backend.close()
  }
}
