import type { Log } from '../log.ts'
import type { Claims } from '../store/claims.ts'
import type { PendingJob, PendingJobs } from '../store/pending-jobs.ts'
import { type Job, type Jobs, policy } from './jobs.ts'

export interface InProcessOptions {
  readonly pending: PendingJobs
  readonly claims: Claims
  readonly log: Pick<Log, 'error'>
  /** Epoch ms. */
  readonly now: () => number
  /** How often it looks for jobs that are due. */
  readonly lookEveryMs?: number | undefined
}

interface Queue {
  readonly name: string
  readonly handle: (job: Job) => Promise<void>
  /** Those of the store, as far as this process knows. */
  readonly waiting: Map<string, PendingJob>
  readonly running: Set<string>
  version: number | undefined
}

const leases = 'job'

/** Works through the jobs that the store keeps, for a store that is on this machine. */
export function createInProcessJobs(options: InProcessOptions): Jobs {
  const { pending, claims, log, now, lookEveryMs = 1000 } = options
  const queues = new Map<string, Queue>()
  const underWay = new Set<Promise<void>>()
  let isStopped = false

  async function refresh(queue: Queue): Promise<void> {
    const version = pending.version()
    if (queue.version === version) return
    for (const [id, job] of await pending.all(queue.name)) {
      // Another process may have it under way: it waits for as long as that one may take.
      if (!queue.waiting.has(id) && !queue.running.has(id)) queue.waiting.set(id, job)
    }
    queue.version = version
  }

  async function putOff(queue: Queue, id: string, job: PendingJob, error: unknown): Promise<void> {
    log.error({ err: error, queue: queue.name, failed: job.failed + 1 }, 'a job failed')
    if (job.failed >= policy.retries) return pending.delete(queue.name, id)
    const wait = Math.min(policy.firstRetryMs * 2 ** job.failed, policy.longestRetryMs)
    const next = { ...job, failed: job.failed + 1, at: now() + wait }
    await pending.set(queue.name, id, next)
    queue.waiting.set(id, next)
  }

  async function run(queue: Queue, id: string, job: PendingJob): Promise<void> {
    // Under the lease of one process; another looks again once it has run out.
    const lease = `${queue.name}/${id}`
    if (!(await claims.claim(leases, lease, policy.leaseMs))) {
      queue.waiting.set(id, { ...job, at: now() + policy.leaseMs })
      return
    }
    // Another process may have finished it since this one read it.
    const current = await pending.get(queue.name, id)
    if (current === undefined) return claims.release(leases, lease)
    const renewing = setInterval(() => {
      claims.renew(leases, lease, policy.leaseMs).catch((error: unknown) => {
        log.error({ err: error, queue: queue.name }, 'the lease of a job was not renewed')
      })
    }, policy.leaseMs / 3)
    try {
      await queue.handle({ id, data: job.data })
      await pending.delete(queue.name, id)
    } catch (error) {
      await putOff(queue, id, current, error)
    } finally {
      clearInterval(renewing)
      // Only after the job is gone, or another process would run it once more.
      await claims.release(leases, lease)
    }
  }

  function start(queue: Queue, id: string, job: PendingJob): void {
    queue.waiting.delete(id)
    queue.running.add(id)
    const done = run(queue, id, job)
      .catch((error: unknown) => {
        // The store failed: the job is still in it.
        log.error({ err: error, queue: queue.name }, 'a job could not be run')
        queue.waiting.set(id, { ...job, at: now() + policy.leaseMs })
      })
      .finally(() => {
        queue.running.delete(id)
        underWay.delete(done)
      })
    underWay.add(done)
  }

  async function look(queue: Queue): Promise<void> {
    await refresh(queue)
    const due = [...queue.waiting].filter(([, { at }]) => at <= now()).sort(([, a], [, b]) => a.at - b.at)
    for (const [id, job] of due.slice(0, policy.atOnce - queue.running.size)) {
      if (!isStopped) start(queue, id, job)
    }
  }

  const lookAll = () => {
    for (const queue of queues.values()) {
      look(queue).catch((error: unknown) =>
        log.error({ err: error, queue: queue.name }, 'jobs were not read'),
      )
    }
  }
  const timer = setInterval(lookAll, lookEveryMs).unref()

  return {
    async enqueue(queue, id, data, at) {
      await pending.add(queue, id, { data, at: at.getTime(), failed: 0 })
      const open = queues.get(queue)
      if (!open || open.running.has(id) || open.waiting.has(id)) return
      const job = await pending.get(queue, id)
      if (job) open.waiting.set(id, job)
    },
    work(name, handle) {
      // No version is ever negative: the first look reads what an earlier process left.
      queues.set(name, { name, handle, waiting: new Map(), running: new Set(), version: -1 })
    },
    get underWay() {
      return underWay.size
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      const late = new Promise((resolve) => setTimeout(resolve, policy.stopMs).unref())
      await Promise.race([Promise.all(underWay), late])
    },
  }
}
