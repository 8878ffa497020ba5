import { type JobWithMetadata, PgBoss, type SendOptions, type WorkOptions } from 'pg-boss'
import type { Workspace } from '../store/tenant.ts'
import { once, retryUntilSuccess } from '../util/promises.ts'
import * as engine from './jobs.ts'

const queueOptions = {
  // At most one job per id waits or runs.
  policy: 'exclusive',
  retryLimit: engine.MAX_RETRIES,
  retryBackoff: true,
  retryDelayMax: engine.RETRY_DELAYS.maxMs / 1000,
  // Longer than any handler takes, because an expired job runs again. The heartbeat notices killed processes earlier.
  expireInSeconds: 2 * 3600,
  // The minimum that pg-boss accepts.
  heartbeatSeconds: 10,
  // Waiting jobs survive a year of downtime; finished ones are useless.
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 60,
} as const

/** Limit for all workers of an idle queue together, per `pollEveryMs`. */
const MAX_IDLE_POLLS = 5

/** For a database that several processes share. */
export class PgBossJobs implements engine.Jobs {
  readonly #services
  readonly #boss
  readonly #start
  /** By the name of the queue that each creates at its first call. */
  readonly #openers = new Map<string, () => Promise<void>>()
  readonly #workerIdByQueue = new Map<string, string>()
  readonly #stopping = new AbortController()
  inFlight = 0

  constructor(connectionString: string, services: Omit<engine.JobServices, 'store' | 'now'>) {
    this.#services = services
    const { log } = services
    this.#boss = new PgBoss({
      connectionString,
      schema: 'callboard_jobs',
      application_name: 'callboard-jobs',
      max: 5,
      connectionTimeoutMillis: 5000,
      // Callboard computes recurring times itself, for both engines.
      schedule: false,
      // With these and the heartbeat, a killed process's job runs again within 20 s instead of two minutes.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      queueCacheIntervalSeconds: 5,
      maintenanceIntervalSeconds: 60,
      // Jobs don't depend on each other.
      flowIntervalSeconds: 3600,
      // Thousands of scheduled jobs aren't a backlog.
      warningQueueSize: 10_000_000,
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
    this.#boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))
    // Connects on first use, so that the app starts while the database is down.
    this.#start = once(() => this.#boss.start())
  }

  async enqueue({ name }: engine.Queue<object>, id: string, data: object, at: Date): Promise<void> {
    await this.#openQueue(name)
    const options: SendOptions = { singletonKey: id, startAfter: at }
    const tenantId = engine.findTenantId(data)
    if (tenantId !== undefined) options.group = { id: tenantId }
    await this.#boss.send(name, data, options)
    const workerId = this.#workerIdByQueue.get(name)
    if (workerId !== undefined && at.getTime() <= Date.now()) this.#boss.notifyWorker(workerId)
  }

  work(work: engine.QueueWork<object>): void {
    const { queue, concurrency = engine.DEFAULT_CONCURRENCY } = work
    const { log, pollEveryMs = 1000 } = this.#services
    // Each worker polls once in two intervals; with more than ten workers, less often.
    const pollMs = pollEveryMs * Math.max(2, concurrency / MAX_IDLE_POLLS)
    const options: WorkOptions & { includeMetadata: true } = {
      localConcurrency: concurrency,
      // `enqueue` wakes the workers of its process. 0.5 s is the minimum that pg-boss accepts.
      pollingIntervalSeconds: Math.max(pollMs / 1000, 0.5),
      // With more due jobs than this, a worker takes the next job without waiting for its poll.
      burstWhenReadyExceeds: 5,
      includeMetadata: true,
    }
    // `groupConcurrency` counts across processes, but workers that fetch at the same moment exceed it.
    if (queue.perTenant !== undefined) options.localGroupConcurrency = queue.perTenant
    const runBatch = async ([onlyJob]: JobWithMetadata<object>[]) => {
      if (onlyJob) await this.#run(work, onlyJob)
    }
    const begin = async () => {
      await this.#openQueue(queue.name)
      const workerId = await this.#boss.work(queue.name, options, runBatch)
      this.#workerIdByQueue.set(queue.name, workerId)
    }
    const onFailure = (error: unknown) =>
      log.warn({ err: error, queue: queue.name }, 'queue is not ready yet')
    void retryUntilSuccess(begin, { signal: this.#stopping.signal, onFailure })
  }

  async deleteTenantJobs({ enterpriseId, teamId }: Workspace): Promise<void> {
    await this.#start()
    // Not every job of a team names its organization.
    const workspace = teamId === '' ? { enterpriseId, teamId } : { teamId }
    const queues = await this.#boss.getQueues()
    for (const { name } of queues) {
      const jobs = await this.#boss.findJobs(name, { data: { workspace } })
      const ids = jobs.map(({ id }) => id)
      if (ids.length > 0) await this.#boss.deleteJob(name, ids)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#boss.stop({ graceful: true, timeout: engine.STOP_TIMEOUT_MS })
  }

  async #run(work: engine.QueueWork<object>, job: JobWithMetadata<object>): Promise<void> {
    const { singletonKey, id, data, retryCount } = job
    const ending = AbortSignal.any([this.#stopping.signal, job.signal])
    this.inFlight += 1
    try {
      const pendingJob = { id: singletonKey ?? id, data, failed: retryCount }
      await engine.runJob(work, pendingJob, ending, this.#services.log)
    } finally {
      this.inFlight -= 1
    }
  }

  #openQueue(name: string): Promise<void> {
    const open = this.#openers.get(name) ?? once(() => this.#createQueue(name))
    this.#openers.set(name, open)
    return open()
  }

  async #createQueue(name: string): Promise<void> {
    const { retryAfterMs = engine.RETRY_DELAYS.firstMs } = this.#services
    await this.#start()
    // Whole seconds; less than one counts as one.
    await this.#boss.createQueue(name, { ...queueOptions, retryDelay: Math.floor(retryAfterMs / 1000) })
  }
}
