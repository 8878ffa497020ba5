import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Row } from '../store/engine/sql.ts'
import type { Store } from '../store/store.ts'
import type { Workspace } from '../store/tenant.ts'
import { epochMsSchema } from '../store/times.ts'
import { InFlight, retryUntilSuccess } from '../util/promises.ts'
import { backoff, type EpochMs, type Milliseconds } from '../util/units.ts'

export const DEFAULT_CONCURRENCY = 5
/** For jobs that wait for Slack or the phone service: fewer than twenty slow tenants delay no other. */
export const FAIR_LIMITS = { perTenant: 2, concurrency: 40 } as const
export const MAX_RETRIES = 200
export const RETRY_DELAYS = { firstMs: 2000, maxMs: 600_000 } as const
export const STOP_TIMEOUT_MS: Milliseconds = 8000

export interface Queue<Data extends object> {
  /** Letters, digits and `-`. */
  readonly name: string
  /** The data are stored unencrypted. */
  readonly schema: z.ZodType<Data>
  /** Maximum number per process and `workspace` in the data. At the limit, jobs of other tenants overtake. */
  readonly perTenant?: number
}

export interface Job<Data extends object> {
  readonly id: string
  readonly data: Data
}

export interface QueueWork<Data extends object> {
  readonly queue: Queue<Data>
  /**
   * Runs a job, again if this rejects. When `ending` aborts, because the process stops or another process took the job, a
   * handler that takes longer than `STOP_TIMEOUT_MS` must reject, so that the job runs again.
   */
  handle(job: Job<Data>, ending: AbortSignal): Promise<void>
  /** Maximum number of running jobs per process. */
  readonly concurrency?: number
}

/**
 * Runs each job at least once: again within half a minute if its process died (with SQLite, at the next start), and again
 * after 2 s to 10 min, for about a day, if its handler rejects.
 */
export interface Jobs {
  /** Does nothing if a job with this id waits or runs in any process: a job that enqueues its next run needs another id. */
  enqueue<Data extends object>(queue: Queue<Data>, id: string, data: NoInfer<Data>, at: Date): Promise<void>
  work<Data extends object>(work: QueueWork<Data>): void
  /** Deletes the jobs with this `workspace` in their data. An empty team stands for the organization itself. */
  deleteTenantJobs(workspace: Workspace): Promise<void>
  readonly inFlight: number
  /** Waits up to `STOP_TIMEOUT_MS` for running jobs. */
  stop(): Promise<void>
}

export interface JobServices {
  readonly store: Pick<Store, 'database'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly now: () => EpochMs
  /** One second by default. */
  readonly pollEveryMs?: Milliseconds | undefined
  /** Wait before the first retry; 2 s by default. */
  readonly retryAfterMs?: Milliseconds | undefined
}

const workspaceJobSchema = z.object({
  workspace: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
})

/** Returns the id of the job's team, or of its organization if the team is empty. */
export function findTenantId(data: unknown): string | undefined {
  const { workspace } = workspaceJobSchema.safeParse(data).data ?? {}
  return workspace && (workspace.teamId || workspace.enterpriseId)
}

const pendingJobSchema = z.object({
  id: z.string(),
  data: z.unknown(),
  at: epochMsSchema,
  /** Number of failed runs. */
  failed: z.number(),
})
type PendingJob = z.infer<typeof pendingJobSchema>

/** @throws the error of the handler or the schema if the job should be retried */
export async function runJob(
  { queue, handle }: QueueWork<object>,
  { id, data, failed }: Omit<PendingJob, 'at'>,
  ending: AbortSignal,
  log: JobServices['log'],
): Promise<void> {
  try {
    await handle({ id, data: queue.schema.parse(data) }, ending)
  } catch (error) {
    const isGivenUp = failed >= MAX_RETRIES
    const details = { err: error, queue: queue.name, job: id, failed: failed + 1, isGivenUp }
    log[ending.aborted ? 'info' : 'error'](details, 'a job failed')
    if (!isGivenUp) throw error
  }
}

const toRow = (job: PendingJob): Row => ({ key: job.id, value: JSON.stringify(job) })

/** Keeps the jobs in memory too. Every change is stored first. */
class InProcessQueue {
  work: QueueWork<object> | undefined
  readonly #database
  readonly #namespace
  /** Resolves once the jobs of an earlier process were read. */
  readonly #reading: Promise<void>
  /** By id, in the order of enqueueing. */
  readonly #jobs = new Map<string, PendingJob>()
  /** Ids of tenants by job id; undefined for jobs without a `workspace`. */
  readonly #running = new Map<string, string | undefined>()

  constructor(name: string, { store, log }: JobServices, stopping: AbortSignal) {
    const namespace = `job:${name}`
    this.#database = store.database
    this.#namespace = namespace
    const read = async () => {
      for await (const { key, value } of this.#database.scan(namespace)) {
        const job = this.#database.parse(pendingJobSchema, { namespace, key }, value)
        if (job) this.#jobs.set(key, job)
      }
    }
    const onFailure = (error: unknown) => log.error({ err: error, queue: name }, 'jobs could not be read')
    this.#reading = retryUntilSuccess(read, { signal: stopping, onFailure })
  }

  async add(job: PendingJob): Promise<void> {
    await this.#reading
    if (this.#jobs.has(job.id)) return
    await this.#database.insert(this.#namespace, toRow(job))
    // The same id may have been added meanwhile.
    if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, job)
  }

  /** Marks the next due job as running, unless a limit is reached. */
  take(now: EpochMs): PendingJob | undefined {
    if (!this.work) return undefined
    const { queue, concurrency = DEFAULT_CONCURRENCY } = this.work
    if (this.#running.size >= concurrency) return undefined
    const canRun = ({ id, data, at }: PendingJob) =>
      at <= now && !this.#running.has(id) && !this.#isTenantAtLimit(data, queue.perTenant)
    const job = this.#jobs.values().find(canRun)
    if (job) this.#running.set(job.id, findTenantId(job.data))
    return job
  }

  #isTenantAtLimit(data: unknown, perTenant: number | undefined): boolean {
    if (perTenant === undefined) return false
    const tenantId = findTenantId(data)
    if (tenantId === undefined) return false
    const runningOfTenant = [...this.#running.values()].filter(
      (runningTenantId) => runningTenantId === tenantId,
    )
    return runningOfTenant.length >= perTenant
  }

  release(job: PendingJob): void {
    this.#running.delete(job.id)
  }

  async delete(job: PendingJob): Promise<void> {
    if (this.#isDeleted(job)) return
    await this.#database.delete(this.#namespace, job.id)
    if (!this.#isDeleted(job)) this.#jobs.delete(job.id)
  }

  async retryAt(job: PendingJob, at: EpochMs): Promise<void> {
    if (this.#isDeleted(job)) return
    const retry = { ...job, failed: job.failed + 1, at }
    const hasRow = await this.#database.update(this.#namespace, toRow(retry))
    if (this.#isDeleted(job)) return
    // Rows are also deleted with a tenant's records.
    if (hasRow) Object.assign(job, retry)
    else this.#jobs.delete(job.id)
  }

  async deleteTenant(tenantId: string): Promise<void> {
    await this.#reading
    const jobs = [...this.#jobs.values()].filter(({ data }) => findTenantId(data) === tenantId)
    for (const job of jobs) await this.delete(job)
  }

  /** Also true if another job with the same id was enqueued since. */
  #isDeleted(job: PendingJob): boolean {
    return this.#jobs.get(job.id) !== job
  }
}

/** For a database that no other process uses. */
export class InProcessJobs implements Jobs {
  readonly #services
  readonly #queues = new Map<string, InProcessQueue>()
  readonly #inFlight = new InFlight()
  readonly #retryDelays
  readonly #timer
  readonly #stopping = new AbortController()

  constructor(services: JobServices) {
    this.#services = services
    const { retryAfterMs = RETRY_DELAYS.firstMs } = services
    this.#retryDelays = { ...RETRY_DELAYS, firstMs: retryAfterMs }
    const startAllDue = () => {
      for (const queue of this.#queues.values()) this.#startDue(queue)
    }
    this.#timer = setInterval(startAllDue, services.pollEveryMs ?? 1000).unref()
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  async enqueue({ name }: Queue<object>, id: string, data: object, at: Date): Promise<void> {
    const queue = this.#getQueue(name)
    await queue.add({ id, data, at: at.getTime(), failed: 0 })
    this.#startDue(queue)
  }

  work(work: QueueWork<object>): void {
    this.#getQueue(work.queue.name).work = work
  }

  async deleteTenantJobs(workspace: Workspace): Promise<void> {
    const tenantId = findTenantId({ workspace })
    if (tenantId === undefined) return
    for (const queue of this.#queues.values()) await queue.deleteTenant(tenantId)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#inFlight.settle(STOP_TIMEOUT_MS)
  }

  #getQueue(name: string): InProcessQueue {
    const queue = this.#queues.get(name) ?? new InProcessQueue(name, this.#services, this.#stopping.signal)
    this.#queues.set(name, queue)
    return queue
  }

  #startDue(queue: InProcessQueue): void {
    while (!this.#stopping.signal.aborted) {
      const job = queue.take(this.#services.now())
      if (!job || !queue.work) return
      this.#inFlight.add(this.#run(queue, queue.work, job))
    }
  }

  async #run(queue: InProcessQueue, work: QueueWork<object>, job: PendingJob): Promise<void> {
    const { now, log } = this.#services
    // `runJob` logs why a job failed.
    const isDone = await runJob(work, job, this.#stopping.signal, log).then(
      () => true,
      () => false,
    )
    try {
      if (isDone) await queue.delete(job)
      else await queue.retryAt(job, now() + backoff(job.failed + 1, this.#retryDelays))
    } catch (error) {
      // The job's end couldn't be stored, so the job stays in the queue.
      job.at = now() + this.#retryDelays.firstMs
      log.error({ err: error, queue: work.queue.name, job: job.id }, 'a finished job runs again')
    }
    queue.release(job)
    this.#startDue(queue)
  }
}
