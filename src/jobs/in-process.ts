import type { Log } from '../log.ts'
import type { PendingJob } from '../store/pending-jobs.ts'
import type { Store } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { WorkUnderWay } from '../util/work-under-way.ts'
import { isUseless, type JobHandler, type Jobs, policy } from './jobs.ts'

interface Queue {
  readonly name: string
  readonly handle: JobHandler
  readonly onGivenUp: JobHandler
  /** Those of the store, as far as this process has read them. */
  readonly waiting: Map<string, PendingJob>
  readonly running: Set<string>
  version: number | undefined
}

const leases = 'job'

/** Works through the jobs that the store keeps, for a store that is on this machine. */
export class InProcessJobs implements Jobs {
  readonly #pending
  readonly #claims
  readonly #log
  readonly #now
  readonly #queues = new Map<string, Queue>()
  readonly #underWay = new WorkUnderWay()
  readonly #timer
  readonly #stopping = new AbortController()

  /** @param options.pollEveryMs how often it looks for jobs that are due */
  constructor(options: {
    store: Pick<Store, 'pendingJobs' | 'claims'>
    log: Pick<Log, 'info' | 'error'>
    now: () => EpochMs
    pollEveryMs?: Milliseconds | undefined
  }) {
    this.#pending = options.store.pendingJobs
    this.#claims = options.store.claims
    this.#log = options.log
    this.#now = options.now
    this.#timer = setInterval(() => {
      for (const queue of this.#queues.values()) {
        this.#poll(queue).catch((error: unknown) =>
          this.#log.error({ err: error, queue: queue.name }, 'jobs were not read'),
        )
      }
    }, options.pollEveryMs ?? 1000).unref()
  }

  get underWay(): number {
    return this.#underWay.size
  }

  async enqueue(name: string, id: string, data: object, at: Date): Promise<void> {
    await this.#pending.add(name, id, { data, at: at.getTime(), failed: 0 })
    const queue = this.#queues.get(name)
    if (!queue || queue.running.has(id) || queue.waiting.has(id)) return
    const job = await this.#pending.get(name, id)
    if (job) queue.waiting.set(id, job)
  }

  work(name: string, handle: JobHandler, onGivenUp: JobHandler = async () => {}): void {
    const queue = { name, handle, onGivenUp, waiting: new Map(), running: new Set<string>() }
    // No version is ever negative: the first poll reads what an earlier process left.
    this.#queues.set(name, { ...queue, version: -1 })
  }

  async deleteOf(tenant: Tenant): Promise<void> {
    for (const { name, waiting } of this.#queues.values())
      for (const id of await this.#pending.deleteOf(name, tenant)) waiting.delete(id)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#underWay.settled(policy.stopMs)
  }

  async #poll(queue: Queue): Promise<void> {
    await this.#readWaiting(queue)
    const now = this.#now()
    const due = [...queue.waiting].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at)
    for (const [id, job] of due.slice(0, policy.concurrency - queue.running.size)) {
      if (!this.#stopping.signal.aborted) this.#start(queue, id, job)
    }
  }

  async #readWaiting(queue: Queue): Promise<void> {
    const version = this.#pending.version()
    if (queue.version === version) return
    for (const [id, job] of await this.#pending.all(queue.name)) {
      // Another process may have it under way: it waits for as long as that one may take.
      if (!queue.waiting.has(id) && !queue.running.has(id)) queue.waiting.set(id, job)
    }
    queue.version = version
  }

  #start(queue: Queue, id: string, job: PendingJob): void {
    queue.waiting.delete(id)
    queue.running.add(id)
    const work = this.#run(queue, id, job)
      .catch((error: unknown) => {
        // The store failed: the job is still in it.
        this.#log.error({ err: error, queue: queue.name }, 'a job could not be run')
        queue.waiting.set(id, { ...job, at: this.#now() + policy.leaseMs })
      })
      .finally(() => queue.running.delete(id))
    this.#underWay.add(work)
  }

  async #run(queue: Queue, id: string, job: PendingJob): Promise<void> {
    // Under the lease of one process; another tries again once it has run out.
    const lease = `${queue.name}/${id}`
    if (!(await this.#claims.claim(leases, lease, policy.leaseMs))) {
      queue.waiting.set(id, { ...job, at: this.#now() + policy.leaseMs })
      return
    }
    // Another process may have finished it since this one read it.
    const current = await this.#pending.get(queue.name, id)
    if (current === undefined) return this.#claims.release(leases, lease)
    const renewing = setInterval(() => {
      this.#claims.renew(leases, lease, policy.leaseMs).catch((error: unknown) => {
        this.#log.error({ err: error, queue: queue.name }, 'the lease of a job was not renewed')
      })
    }, policy.leaseMs / 3)
    try {
      await queue.handle({ id, data: job.data }, this.#stopping.signal)
      await this.#pending.delete(queue.name, id)
    } catch (error) {
      await this.#retryOrDrop(queue, id, current, error)
    } finally {
      clearInterval(renewing)
      // Only after the job is gone, or another process would run it once more.
      await this.#claims.release(leases, lease)
    }
  }

  async #retryOrDrop(queue: Queue, id: string, job: PendingJob, error: unknown): Promise<void> {
    const failed = job.failed + 1
    const isGivenUp = job.failed >= policy.retries || isUseless(error)
    const { aborted: isStopping } = this.#stopping.signal
    const level = isStopping ? 'info' : 'error'
    this.#log[level]({ err: error, queue: queue.name, job: id, failed, isGivenUp }, 'a job failed')
    if (isGivenUp) {
      await queue.onGivenUp({ id, data: job.data }, this.#stopping.signal).catch((cause: unknown) => {
        this.#log.error({ err: cause, queue: queue.name }, 'nobody was told that a job was given up')
      })
      return this.#pending.delete(queue.name, id)
    }
    const wait = Math.min(policy.firstRetryMs * 2 ** job.failed, policy.longestRetryMs)
    const next = { ...job, failed, at: this.#now() + wait }
    if (await this.#pending.set(queue.name, id, next)) queue.waiting.set(id, next)
  }
}
