import { z } from 'zod'
import type { Job } from '../../../jobs/jobs.ts'
import type { Services } from '../../../services.ts'
import { EXPORT_KEPT_MS, type ExportRecord } from '../../../store/exports.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../../store/tenant.ts'
import type { Milliseconds } from '../../../util/units.ts'
import { ExportMessage } from './message.ts'
import { ExportRun } from './run.ts'
import { givenUpMessage } from './view.ts'

/** Of one workspace; the next ones wait. */
const mostAtATime = 2
/** Of one workspace: under way, and in line. */
const mostKept = 12
/** A process that was killed while it started one keeps the same from being asked for so long. */
const longestStartMs: Milliseconds = 60_000

const exportJob = z.object({ tenant: tenantRecord, id: z.string() })
export type ExportJob = Job<z.infer<typeof exportJob>>
type Asked = Omit<ExportRecord, 'message' | 'state'>
type Place = ExportRecord['message']

const isSame = (one: Asked, other: Asked) =>
  one.person === other.person && one.query === other.query && one.zone === other.zone

/**
 * The line of a workspace's exports: the two that were asked for first are worked on, each by a job of its own. Whatever
 * changes the line, `advance` afterwards; that it is done twice, or by two processes, does no harm.
 */
export class ExportQueue {
  /** For whoever works on it. */
  readonly jobs = { name: 'exports', schema: exportJob }
  readonly #services
  /** What is being announced has a place in the line already. */
  readonly #starting = new Set<Asked>()

  constructor(services: Services) {
    this.#services = services
  }

  /**
   * Puts one at the end of the line. It claims its place before it is announced: the same may be asked for ten times at once.
   * @param withdraw is called with what was announced where it could not be put in the line after all
   * @returns `already` where the person waits for the same, `full` where nothing more fits
   * @throws {StoreError}, and what `announce` throws: then it is not in the line
   */
  async add(
    asked: Asked,
    announce: (isInLine: boolean) => Promise<Place>,
    withdraw: (message: Place, error: unknown) => Promise<void>,
  ): Promise<'already' | 'full' | { readonly isInLine: boolean; readonly message: Place }> {
    const { exports, claims } = this.#services.store
    const tenant = tenantKey(asked.tenant)
    const claim = scopedKey(tenant, asked.person, asked.query, asked.zone)
    if (!(await claims.claim('export', claim, longestStartMs))) return 'already'
    const starting = [...this.#starting].filter((one) => tenantKey(one.tenant) === tenant).length
    this.#starting.add(asked)
    try {
      const kept = await exports.all(tenant)
      if (kept.some((one) => isSame(one, asked) && one.state !== 'sent' && one.state !== 'cancelled'))
        return 'already'
      const ahead = kept.length + starting
      if (ahead >= mostKept) return 'full'
      const isInLine = ahead >= mostAtATime
      const message = await announce(isInLine)
      try {
        await exports.set(tenant, asked.id, { ...asked, message, state: 'waiting' }, EXPORT_KEPT_MS)
        await this.advance(tenant)
      } catch (error) {
        await withdraw(message, error)
        await exports.delete(tenant, asked.id)
        throw error
      }
      return { isInLine, message }
    } finally {
      this.#starting.delete(asked)
      await claims.release('export', claim)
    }
  }

  /** @throws {StoreError} */
  async advance(tenant: TenantKey): Promise<void> {
    for (const record of (await this.#services.store.exports.all(tenant)).slice(0, mostAtATime))
      await this.work(record)
  }

  /** Has its job done, whatever its place in the line. @throws {StoreError} */
  async work({ tenant, id }: Pick<ExportRecord, 'tenant' | 'id'>): Promise<void> {
    const { jobs, now } = this.#services
    await jobs.enqueue(this.jobs, `${tenant.teamId}/${id}`, { tenant, id }, new Date(now()))
  }

  /** @throws {NonRetryableError}, and what is for another try */
  async run(job: ExportJob, ending: AbortSignal): Promise<void> {
    const { record, tenant } = await this.#read(job)
    // Its process may have been killed just after its end.
    if (record && (await new ExportRun(this.#services, record).run(ending)))
      await this.#services.store.exports.delete(tenant, record.id)
    await this.advance(tenant)
  }

  /** What can't be done however often it is tried. */
  async giveUp(job: ExportJob): Promise<void> {
    const { record, tenant } = await this.#read(job)
    if (!record) return
    await this.#services.store.exports.delete(tenant, record.id)
    await this.advance(tenant)
    await new ExportMessage(this.#services, record).end(givenUpMessage)
  }

  /** What a process that was killed may have left undone. @throws {StoreError} */
  async resume(): Promise<void> {
    const tenants = new Set<TenantKey>()
    for await (const { tenant } of this.#services.store.exports.scan()) tenants.add(tenantKey(tenant))
    for (const tenant of tenants) await this.advance(tenant)
  }

  async #read({ data }: ExportJob) {
    const tenant = tenantKey(data.tenant)
    return { tenant, record: await this.#services.store.exports.get(tenant, data.id) }
  }
}
