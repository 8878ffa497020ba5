import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { whereReadable } from '../../store/errors.ts'
import { installationKey } from '../../store/installations.ts'
import { type Tenant, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'

/** The field is named `team` because `jobs.deleteTenantJobs` matches `tenant`, and these jobs must survive the deletion. */
const deletionSchema = z.object({ team: tenantRecord, deletedAt: z.number() })
export type DeletionJob = Job<z.infer<typeof deletionSchema>>
export const deletions = { name: 'deletions', schema: deletionSchema }

/**
 * Deletes everything stored about a workspace, and once more a minute later to catch writes that were still in flight.
 * Idempotent: Slack reports an uninstallation several times, in any order.
 */
export class TenantDeletion {
  readonly #store
  readonly #jobs
  readonly #log
  readonly #now

  constructor({ store, jobs, log, now }: Pick<Services, 'store' | 'jobs' | 'log' | 'now'>) {
    this.#store = store
    this.#jobs = jobs
    this.#log = log
    this.#now = now
  }

  /** Whether the workspace has its own installation, readable or not. @throws {StoreError} */
  hasOwnInstallation({ teamId }: Pick<Tenant, 'teamId'>): Promise<boolean> {
    return this.#store.installations.has(installationKey({ teamId }))
  }

  /** Deletes a workspace and its own installation. @throws {StoreError} */
  async deleteWorkspace(team: Tenant): Promise<void> {
    await this.#store.installations.delete(installationKey({ teamId: team.teamId }))
    await this.#deleteContents(team)
    this.#log.info({ audit: true, action: 'forget', tenant: tenantKey(team) }, 'audit')
    const deletedAt = this.#now()
    await this.#jobs.enqueue(deletions, team.teamId, { team, deletedAt }, new Date(deletedAt + minuteMs))
  }

  /** Deletes an organization's installation and those of its workspaces that have no own one. @throws {StoreError} */
  async deleteOrganization(enterpriseId: string): Promise<void> {
    await this.#store.installations.delete(installationKey({ enterpriseId }))
    for (const team of await this.#store.listTenants(enterpriseId))
      if (!(await this.hasOwnInstallation(team))) await this.deleteWorkspace(team)
    // Notices to the person who installed it, under the organization's id.
    await this.#jobs.deleteTenantJobs({ enterpriseId, teamId: '' })
    await this.#store.deleteTenant(tenantKey({ teamId: enterpriseId }))
    this.#log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
  }

  /** Runs the second deletion, unless the workspace was installed or connected again since the first one. */
  async repeat({ data: { team, deletedAt } }: DeletionJob): Promise<void> {
    const isBack = (await this.hasOwnInstallation(team)) || (await this.isBackSince(team, deletedAt))
    if (!isBack) await this.#deleteContents(team)
  }

  /** Whether the workspace was connected, or its organization installed the app, after `at`; `false` if unreadable. */
  async isBackSince({ teamId, enterpriseId }: Tenant, at: EpochMs): Promise<boolean> {
    const [credentials, organization] = await Promise.all([
      whereReadable(this.#store.credentials.get(tenantKey({ teamId }))),
      enterpriseId === undefined
        ? undefined
        : whereReadable(this.#store.installations.get(installationKey({ enterpriseId }))),
    ])
    return Math.max(credentials?.connectedAt ?? 0, organization?.installedAt ?? 0) > at
  }

  /** Whether an event is older than the installation, and so about the one before it: Slack keeps no order. */
  async isStale(installation: Parameters<typeof installationKey>[0], at: EpochMs): Promise<boolean> {
    const record = await whereReadable(this.#store.installations.get(installationKey(installation)))
    return record !== undefined && at + 1000 <= record.installedAt
  }

  /** Caches of other processes expire within minutes. */
  async #deleteContents(team: Tenant): Promise<void> {
    await this.#store.deleteTenant(tenantKey(team))
    await this.#jobs.deleteTenantJobs(team)
  }
}
