import { z } from 'zod'
import type { Database, Row } from '../store/engine/database.ts'
import type { Tenant } from '../store/tenant.ts'
import { epochMs } from '../store/workspaces.ts'
import { InFlight, retryUntilSuccess } from '../util/promises.ts'
import { backoff, type EpochMs } from '../util/units.ts'
import {
  DEFAULT_CONCURRENCY,
  FIRST_RETRY_MS,
  type JobServices,
  type Jobs,
  MAX_RETRY_DELAY_MS,
  type Queue,
  type QueueWork,
  runJob,
  STOP_TIMEOUT_MS,
  tenantGroup,
} from './jobs.ts'

const pendingJobSchema = z.object({
  id: z.string(),
  data: z.unknown(),
  at: epochMs,
  /** How often the job has failed. */
  failed: z.number(),
})
type PendingJob = z.infer<typeof pendingJobSchema>

/** The jobs of one queue, in memory and in the store. Every change is stored first. */
class InProcessQueue {
  readonly work
  /** Resolved once the jobs of an earlier process were read. */
  readonly isRead: Promise<void>
  readonly #namespace
  readonly #database: Database
  readonly #jobs = new Map<string, PendingJob>()
  /** Jobs that don't run, the first one due first. */
  #waiting: PendingJob[] = []
  /** Tenants of the running jobs, by job id. */
  readonly #running = new Map<string, string | undefined>()

  constructor(work: QueueWork<object>, { store: { database }, log }: JobServices, stopping: AbortSignal) {
    const { name } = work.queue
    this.work = work
    this.#namespace = jobNamespace(name)
    this.#database = database
    const read = async () => {
      for await (const { key, value } of database.scan(this.#namespace)) {
        const job = database.parse(pendingJobSchema, { namespace: this.#namespace, key }, value)
        if (job) this.#jobs.set(key, job)
      }
      this.#waiting = [...this.#jobs.values()].sort((one, other) => one.at - other.at)
    }
    const onFailure = (error: unknown) => log.error({ err: error, queue: name }, 'jobs could not be read')
    this.isRead = retryUntilSuccess(read, { signal: stopping, onFailure })
  }

  has(id: string): boolean {
    return this.#jobs.has(id)
  }

  add(job: PendingJob): void {
    this.#jobs.set(job.id, job)
    this.#waiting.splice(this.#waiting.findLastIndex(({ at }) => at <= job.at) + 1, 0, job)
  }

  /** Marks the next job that is due as running, unless a limit is reached. */
  take(now: EpochMs): PendingJob | undefined {
    const { concurrency = DEFAULT_CONCURRENCY } = this.work
    if (this.#running.size >= concurrency) return undefined
    const index = this.#waiting.findIndex((job) => job.at > now || this.#canRun(job))
    const job = this.#waiting[index]
    if (!job || job.at > now) return undefined
    this.#waiting.splice(index, 1)
    this.#running.set(job.id, tenantGroup(job.data))
    return job
  }

  /** @param retry the job as it runs again, if it failed */
  async end(job: PendingJob, retry?: PendingJob): Promise<void> {
    this.#running.delete(job.id)
    // A job that was deleted while it ran stays deleted, even if another one with its id was enqueued since.
    if (this.#jobs.get(job.id) !== job) return
    if (!retry) await this.#database.delete(this.#namespace, job.id)
    const isStored = retry && (await this.#database.update(this.#namespace, toRow(retry)))
    if (this.#jobs.get(job.id) !== job) return
    this.#jobs.delete(job.id)
    if (isStored) this.add(retry)
  }

  async deleteTenant(tenant: Tenant): Promise<void> {
    await this.isRead
    const group = tenantGroup({ tenant })
    if (group === undefined) return
    for (const [id, job] of [...this.#jobs]) {
      if (tenantGroup(job.data) !== group || this.#jobs.get(id) !== job) continue
      await this.#database.delete(this.#namespace, id)
      if (this.#jobs.get(id) === job) this.#jobs.delete(id)
      this.#waiting = this.#waiting.filter((one) => one !== job)
    }
  }

  #canRun({ id, data }: PendingJob): boolean {
    if (this.#running.has(id)) return false
    const { perTenant } = this.work.queue
    const group = perTenant && tenantGroup(data)
    return !group || [...this.#running.values()].filter((one) => one === group).length < perTenant
  }
}

/** Runs stored jobs in this process, for a database that no other process uses. */
export class InProcessJobs implements Jobs {
  readonly #services
  readonly #queues = new Map<string, InProcessQueue>()
  readonly #inFlight = new InFlight()
  readonly #timer
  readonly #stopping = new AbortController()

  constructor(services: JobServices) {
    this.#services = services
    const startDue = () => {
      for (const queue of this.#queues.values()) this.#startDue(queue)
    }
    this.#timer = setInterval(startDue, services.times?.pollEveryMs ?? 1000).unref()
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  async enqueue({ name }: Queue<object>, id: string, data: object, at: Date): Promise<void> {
    const queue = this.#queues.get(name)
    await queue?.isRead
    if (queue?.has(id)) return
    const job = { id, data, at: at.getTime(), failed: 0 }
    await this.#services.store.database.insert(jobNamespace(name), toRow(job))
    if (!queue || queue.has(id)) return
    queue.add(job)
    this.#startDue(queue)
  }

  work(work: QueueWork<object>): void {
    const queue = new InProcessQueue(work, this.#services, this.#stopping.signal)
    this.#queues.set(work.queue.name, queue)
  }

  async deleteTenantJobs(tenant: Tenant): Promise<void> {
    for (const queue of this.#queues.values()) await queue.deleteTenant(tenant)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#inFlight.settled(STOP_TIMEOUT_MS)
  }

  #startDue(queue: InProcessQueue): void {
    while (!this.#stopping.signal.aborted) {
      const job = queue.take(this.#services.now())
      if (!job) return
      this.#inFlight.add(this.#run(queue, job))
    }
  }

  async #run(queue: InProcessQueue, job: PendingJob): Promise<void> {
    const { now, log } = this.#services
    const { id, data, failed } = job
    let retry: PendingJob | undefined
    try {
      await runJob(queue.work, { id, data }, { failed, ending: this.#stopping.signal, log })
    } catch {
      const at = now() + backoff(failed + 1, { firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_DELAY_MS })
      retry = { ...job, failed: failed + 1, at }
    }
    try {
      await queue.end(job, retry)
    } catch (error) {
      log.error({ err: error, queue: queue.work.queue.name, job: id }, 'a finished job runs again')
      queue.add({ ...job, at: now() + FIRST_RETRY_MS })
    }
    this.#startDue(queue)
  }
}

const jobNamespace = (queue: string) => `job:${queue}`

const toRow = (job: PendingJob): Row => ({ key: job.id, value: JSON.stringify(job) })
