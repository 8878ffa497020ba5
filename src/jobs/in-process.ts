import type { Log } from '../log.ts'
import type { PendingJob } from '../store/pending-jobs.ts'
import type { Store } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import { InFlight } from '../util/in-flight.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import {
  type GivenUpHandler,
  isUseless,
  type JobHandler,
  type Jobs,
  type PlannedJob,
  policy,
  type WorkOptions,
} from './jobs.ts'

interface Queue {
  readonly name: string
  readonly handle: JobHandler
  readonly onGivenUp: GivenUpHandler
  readonly concurrency: number
  /** Those of the store, as far as this process has read them. */
  readonly waiting: Map<string, PendingJob>
  readonly running: Set<string>
  version: number | undefined
  /** Set where more are due than there was room for. */
  refill: NodeJS.Timeout | undefined
}

const leases = 'job'
const refillAfterMs: Milliseconds = 50

/** Works through the jobs that the store keeps, for a store that is on this machine. */
export class InProcessJobs implements Jobs {
  readonly #pending
  readonly #claims
  readonly #log
  readonly #now
  readonly #queues = new Map<string, Queue>()
  readonly #underWay = new InFlight()
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
      for (const queue of this.#queues.values()) void this.#poll(queue)
    }, options.pollEveryMs ?? policy.pollEveryMs).unref()
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

  async enqueueAll(name: string, jobs: readonly PlannedJob[]): Promise<void> {
    for (const { id, data, at } of jobs) await this.enqueue(name, id, data, at)
  }

  work(
    name: string,
    handle: JobHandler,
    { onGivenUp = async () => {}, concurrency = policy.concurrency }: WorkOptions = {},
  ): void {
    const [waiting, running] = [new Map<string, PendingJob>(), new Set<string>()]
    // No version is ever negative: the first poll reads what an earlier process left.
    const unread = { version: -1, refill: undefined }
    this.#queues.set(name, { name, handle, onGivenUp, concurrency, waiting, running, ...unread })
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
    try {
      await this.#readWaiting(queue)
    } catch (error) {
      this.#log.error({ err: error, queue: queue.name }, 'jobs were not read')
      return
    }
    if (this.#stopping.signal.aborted) return
    const now = this.#now()
    const due = [...queue.waiting].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at)
    const room = queue.concurrency - queue.running.size
    for (const [id, job] of due.slice(0, room)) this.#underWay.add(this.#start(queue, id, job))
    if (due.length > room)
      queue.refill ??= setTimeout(() => {
        queue.refill = undefined
        void this.#poll(queue)
      }, refillAfterMs).unref()
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

  async #start(queue: Queue, id: string, job: PendingJob): Promise<void> {
    queue.waiting.delete(id)
    queue.running.add(id)
    try {
      const isOurs = await this.#run(queue, id)
      queue.running.delete(id)
      // To be run again, to be tried again, or enqueued anew since.
      const left = await this.#pending.get(queue.name, id)
      if (!left || queue.running.has(id)) return
      queue.waiting.set(id, isOurs ? left : { ...left, at: Math.max(left.at, this.#now() + policy.leaseMs) })
    } catch (error) {
      // The store failed: the job is still in it.
      this.#log.error({ err: error, queue: queue.name }, 'a job could not be run')
      queue.waiting.set(id, { ...job, at: this.#now() + policy.leaseMs })
    } finally {
      queue.running.delete(id)
    }
  }

  /** @returns `false` where another process works on it */
  async #run(queue: Queue, id: string): Promise<boolean> {
    // Under the lease of one process; another tries again once it has run out.
    const lease = `${queue.name}/${id}`
    if (!(await this.#claims.claim(leases, lease, policy.leaseMs))) return false
    // Another process may have finished it, or run it once more, since this one read it.
    const job = await this.#pending.get(queue.name, id)
    if (job && job.at <= this.#now()) await this.#runLeased(queue, id, job, lease)
    // Only after it is kept how it ended, or another process would run it once more.
    await this.#claims.release(leases, lease)
    return true
  }

  async #runLeased(queue: Queue, id: string, job: PendingJob, lease: string): Promise<void> {
    const renewing = setInterval(() => {
      this.#claims.renew(leases, lease, policy.leaseMs).catch((error: unknown) => {
        this.#log.error({ err: error, queue: queue.name }, 'the lease of a job was not renewed')
      })
    }, policy.leaseMs / 3)
    try {
      const end = await queue.handle({ id, data: job.data }, this.#stopping.signal)
      if (end) await this.#pending.set(queue.name, id, { ...job, failed: 0, at: end.again.getTime() })
      else await this.#pending.delete(queue.name, id)
    } catch (error) {
      await this.#retryOrDrop(queue, id, job, error)
    } finally {
      clearInterval(renewing)
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
    await this.#pending.set(queue.name, id, { ...job, failed, at: this.#now() + wait })
  }
}
