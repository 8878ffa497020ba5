import { z } from 'zod'
import type { Row } from '../store/engine/database.ts'
import { epochMs } from '../store/engine/schema.ts'
import type { Tenant } from '../store/tenant.ts'
import { InFlight, retryUntilSuccess } from '../util/promises.ts'
import { backoff } from '../util/units.ts'
import {
  defaultConcurrency,
  firstRetryMs,
  type JobServices,
  type Jobs,
  longestRetryMs,
  type Queue,
  type QueueWork,
  runJob,
  stopMs,
} from './jobs.ts'

const pendingJob = z.object({
  data: z.unknown(),
  at: epochMs,
  /** How often it has failed. */
  failed: z.number(),
})
type PendingJob = z.infer<typeof pendingJob>

const ofTenant = z.object({ tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }) })

const namespaceOf = (queue: string) => `job:${queue}`
const toRow = (id: string, job: PendingJob): Row => ({ key: id, value: JSON.stringify(job) })

interface OpenQueue {
  readonly work: QueueWork<object>
  /** All of the store, once they are read. */
  readonly jobs: Map<string, PendingJob>
  readonly running: Set<string>
  /** Resolved once what an earlier process left is read. */
  readonly isRead: Promise<void>
}

/** Works through the jobs that the store keeps, for a store that this process has to itself. */
export class InProcessJobs implements Jobs {
  readonly #rows
  readonly #log
  readonly #now
  readonly #queues = new Map<string, OpenQueue>()
  readonly #inFlight = new InFlight()
  readonly #timer
  readonly #stopping = new AbortController()

  constructor({ store, log, now, times: { pollEveryMs = 1000 } = {} }: JobServices) {
    this.#rows = store.rows
    this.#log = log
    this.#now = now
    const startDue = () => {
      for (const queue of this.#queues.values()) this.#startDue(queue)
    }
    this.#timer = setInterval(startDue, pollEveryMs).unref()
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  async enqueue({ name }: Queue<object>, id: string, data: object, at: Date): Promise<void> {
    const queue = this.#queues.get(name)
    await queue?.isRead
    if (queue?.jobs.has(id)) return
    const job = { data, at: at.getTime(), failed: 0 }
    await this.#rows.database.insert(namespaceOf(name), toRow(id, job))
    if (!queue || queue.jobs.has(id)) return
    queue.jobs.set(id, job)
    if (job.at <= this.#now()) this.#startDue(queue)
  }

  work(work: QueueWork<object>): void {
    const { name } = work.queue
    const jobs = new Map<string, PendingJob>()
    const read = async () => {
      const namespace = namespaceOf(name)
      for await (const { key, value } of this.#rows.database.scan(namespace)) {
        const job = this.#rows.parser.parseJson(pendingJob, { namespace, key }, value)
        if (job) jobs.set(key, job)
      }
    }
    const onFailure = (error: unknown) => this.#log.error({ err: error, queue: name }, 'jobs were not read')
    const isRead = retryUntilSuccess(read, { signal: this.#stopping.signal, onFailure })
    this.#queues.set(name, { work, jobs, running: new Set(), isRead })
  }

  async deleteOf({ enterpriseId, teamId }: Tenant): Promise<void> {
    const isOf = ({ data }: PendingJob) => {
      const { tenant } = ofTenant.safeParse(data).data ?? {}
      return tenant?.teamId === teamId && (teamId !== '' || tenant.enterpriseId === enterpriseId)
    }
    for (const [name, { jobs, isRead }] of this.#queues) {
      await isRead
      for (const [id, job] of [...jobs].filter(([, one]) => isOf(one))) {
        await this.#rows.database.delete(namespaceOf(name), id)
        // Another one of this id may have been enqueued meanwhile.
        if (jobs.get(id) === job) jobs.delete(id)
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#inFlight.settled(stopMs)
  }

  #startDue(queue: OpenQueue): void {
    if (this.#stopping.signal.aborted) return
    const { jobs, running } = queue
    const { concurrency = defaultConcurrency } = queue.work
    if (running.size >= concurrency) return
    const now = this.#now()
    const due = [...jobs].filter(([id, { at }]) => at <= now && !running.has(id))
    due.sort(([, one], [, other]) => one.at - other.at)
    for (const [id, job] of due.slice(0, concurrency - running.size)) {
      running.add(id)
      this.#inFlight.add(this.#run(queue, id, job))
    }
  }

  async #run(queue: OpenQueue, id: string, job: PendingJob): Promise<void> {
    const { failed, data } = job
    let next: PendingJob | undefined
    try {
      await runJob(queue.work, { id, data }, { failed, ending: this.#stopping.signal, log: this.#log })
    } catch {
      const at = this.#now() + backoff(failed + 1, { firstMs: firstRetryMs, longestMs: longestRetryMs })
      next = { data, failed: failed + 1, at }
    }
    // Not where it was deleted with its tenant, and perhaps enqueued anew since.
    if (queue.jobs.get(id) === job) await this.#keepEnd(queue, id, job, next)
    queue.running.delete(id)
    this.#startDue(queue)
  }

  /** @param next the job as it is retried; none where it is over */
  async #keepEnd({ work, jobs }: OpenQueue, id: string, job: PendingJob, next?: PendingJob): Promise<void> {
    const { name } = work.queue
    const namespace = namespaceOf(name)
    try {
      if (next && (await this.#rows.database.update(namespace, toRow(id, next)))) jobs.set(id, next)
      else {
        if (!next) await this.#rows.database.delete(namespace, id)
        jobs.delete(id)
      }
    } catch (error) {
      // The store failed: the job is still in it.
      this.#log.error({ err: error, queue: name }, 'the end of a job was not kept: it runs again')
      jobs.set(id, { ...job, at: this.#now() + firstRetryMs })
    }
  }
}
