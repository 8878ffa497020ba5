import { z } from 'zod'
import { type Job, NonRetryableError } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { EXPORT_KEPT_MS, type ExportRecord } from '../../../store/exports.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../../store/tenant.ts'
import type { Milliseconds } from '../../../util/units.ts'

/** Of one workspace; the next ones wait. */
const mostAtATime = 2
/** Of one workspace: under way, and in line. */
const mostKept = 12
/** A process that was killed while it started one keeps the same from being asked for so long. */
const longestStartMs: Milliseconds = 60_000

const exportJob = z.object({ tenant: tenantRecord, id: z.string() })

/**
 * The line of a workspace's exports: the two that were asked for first are worked on, each by a job of its own. Whatever
 * changes the line, `advance` afterwards; that it is done twice, or by two processes, does no harm.
 */
export class ExportQueue {
  /** For whoever works on it. */
  readonly name = 'exports'
  readonly #services
  /** How many of a workspace are being announced: they have a place in the line already. */
  readonly #starting = new Map<TenantKey, number>()

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

  /**
   * Puts one at the end of the line. It claims its place before it is announced: the same may be asked for ten times at once.
   * @returns `already` where the person waits for the same, `full` where nothing more fits
   * @throws {StoreError}, and what `announce` throws: then it is not in the line
   */
  async add(
    asked: Omit<ExportRecord, 'message' | 'state'>,
    announce: (isInLine: boolean) => Promise<ExportRecord['message']>,
  ): Promise<'already' | 'full' | { readonly isInLine: boolean; readonly message: ExportRecord['message'] }> {
    const { exports, claims } = this.#services.store
    const { person, query, zone } = asked
    const tenant = tenantKey(asked.tenant)
    const same = scopedKey(tenant, person, query, zone)
    if (!(await claims.claim('export', same, longestStartMs))) return 'already'
    const starting = this.#starting.get(tenant) ?? 0
    this.#starting.set(tenant, starting + 1)
    try {
      const kept = await exports.all(tenant)
      const isSame = (one: ExportRecord) =>
        one.person === person && one.query === query && one.zone === zone && !hasEnded(one)
      if (kept.some(isSame)) return 'already'
      const ahead = kept.length + starting
      if (ahead >= mostKept) return 'full'
      const isInLine = ahead >= mostAtATime
      const message = await announce(isInLine)
      await exports.set(tenant, asked.id, { ...asked, message, state: 'waiting' }, EXPORT_KEPT_MS)
      await this.advance(tenant)
      return { isInLine, message }
    } finally {
      this.#starting.set(tenant, (this.#starting.get(tenant) ?? 1) - 1)
      await claims.release('export', same)
    }
  }

  /** @throws {StoreError} */
  async advance(tenant: TenantKey): Promise<void> {
    const { store, jobs, now } = this.#services
    for (const { tenant: team, id } of (await store.exports.all(tenant)).slice(0, mostAtATime))
      await jobs.enqueue(this.name, `${team.teamId}/${id}`, { tenant: team, id }, new Date(now()))
  }

  /** Takes one out whose end is shown. @throws {StoreError} */
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

const hasEnded = ({ state }: ExportRecord) => state === 'sent' || state === 'cancelled'
