import { z } from 'zod'
import { type Job, NonRetryableError } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import { type TenantKey, tenantKey, tenantRecord } from '../../../store/tenant.ts'

/** Of one workspace; the next ones wait. */
export const mostAtATime = 2
/** Of one workspace: under way, and in line. */
export const mostKept = 12

const exportJob = z.object({ tenant: tenantRecord, id: z.string() })

/**
 * The line of a workspace's exports: the two that were asked for first are worked on, each by a job of its own. Whatever
 * changes the line, `advance` afterwards; that it is done twice, or by two processes, does no harm.
 */
export class ExportQueue {
  /** For whoever works on it. */
  readonly name = 'exports'
  readonly #services

  constructor(services: Pick<Services, 'store' | 'jobs' | 'now'>) {
    this.#services = services
  }

  /** @throws {NonRetryableError} */
  readJob({ data }: Job): z.infer<typeof exportJob> {
    const parsed = exportJob.safeParse(data)
    if (!parsed.success)
      throw new NonRetryableError('the job of an export is malformed', { cause: parsed.error })
    return parsed.data
  }

  /** @throws {StoreError} */
  async advance(tenant: TenantKey): Promise<void> {
    const { store, jobs, now } = this.#services
    for (const { tenant: team, id } of (await store.exports.all(tenant)).slice(0, mostAtATime))
      await jobs.enqueue(this.name, `${team.teamId}/${id}`, { tenant: team, id }, new Date(now()))
  }

  /** Takes one out whose end has been told. @throws {StoreError} */
  async remove({ tenant: team, id }: Pick<ExportRecord, 'tenant' | 'id'>): Promise<void> {
    const tenant = tenantKey(team)
    await this.#services.store.exports.delete(tenant, id)
    await this.advance(tenant)
  }

  /** What a process that was killed may have left undone. @throws {StoreError} */
  async resume(): Promise<void> {
    const tenants = new Set<TenantKey>()
    for await (const { tenant } of this.#services.store.exports.scan()) tenants.add(tenantKey(tenant))
    for (const tenant of tenants) await this.advance(tenant)
  }
}
