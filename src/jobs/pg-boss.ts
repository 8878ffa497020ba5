import { PgBoss } from 'pg-boss'
import type { Tenant } from '../store/tenant.ts'
import { once, retryUntilSuccess } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'
import {
  DEFAULT_CONCURRENCY,
  FIRST_RETRY_MS,
  type JobServices,
  type Jobs,
  MAX_RETRIES,
  MAX_RETRY_DELAY_MS,
  type Queue,
  type QueueWork,
  runJob,
  STOP_TIMEOUT_MS,
  tenantGroup,
} from './jobs.ts'

const seconds = (ms: Milliseconds) => Math.ceil(ms / 1000)

/** Longer than any handler takes, because the job would run again. Killed processes are noticed earlier by their heartbeat. */
const HANDLER_TIMEOUT_MS: Milliseconds = 2 * 60 * 60_000
/** The minimum that pg-boss accepts. */
const MIN_POLL_INTERVAL_MS: Milliseconds = 500
/** Each worker of a queue polls separately, and `enqueue` wakes those of its process. */
const POLL_FACTOR = 2
/** With more due jobs than this, a worker takes the next job immediately instead of at its next poll. */
const BACKLOG = 5

/** Runs jobs with pg-boss, for a database that several processes share. */
export class PgBossJobs implements Jobs {
  readonly #boss
  readonly #log
  readonly #pollEveryMs
  readonly #start
  readonly #queues = new Map<string, () => Promise<void>>()
  /** Ids of this process's workers, by queue. */
  readonly #workers = new Map<string, string>()
  readonly #stopping = new AbortController()
  #inFlight = 0

  constructor(connectionString: string, { log, times }: Pick<JobServices, 'log' | 'times'>) {
    this.#log = log
    this.#pollEveryMs = times?.pollEveryMs ?? 1000
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
      // Thousands of jobs that wait for their time aren't a backlog.
      warningQueueSize: 10_000_000,
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
    this.#boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))
    // On first use, and again after a failure, so that the app starts while the database is down.
    this.#start = once(() => this.#boss.start())
  }

  get inFlight(): number {
    return this.#inFlight
  }

  async enqueue({ name }: Queue<object>, id: string, data: object, at: Date): Promise<void> {
    await this.#openQueue(name)
    const group = tenantGroup(data)
    await this.#boss.send(name, data, {
      singletonKey: id,
      startAfter: at,
      ...(group !== undefined && { group: { id: group } }),
    })
    const worker = this.#workers.get(name)
    if (worker !== undefined && at.getTime() <= Date.now()) this.#boss.notifyWorker(worker)
  }

  work(work: QueueWork<object>): void {
    const { name } = work.queue
    const begin = async () => {
      await this.#openQueue(name)
      this.#workers.set(name, await this.#begin(work))
    }
    const onFailure = (error: unknown) =>
      this.#log.warn({ err: error, queue: name }, 'queue is not ready yet')
    void retryUntilSuccess(begin, { signal: this.#stopping.signal, onFailure })
  }

  async deleteTenantJobs({ enterpriseId, teamId }: Tenant): Promise<void> {
    await this.#start()
    const tenant = teamId === '' ? { enterpriseId, teamId } : { teamId }
    for (const { name } of await this.#boss.getQueues()) {
      const ids = (await this.#boss.findJobs(name, { data: { tenant } })).map(({ id }) => id)
      if (ids.length > 0) await this.#boss.deleteJob(name, ids)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
  }

  #begin(work: QueueWork<object>): Promise<string> {
    const { queue, concurrency: localConcurrency = DEFAULT_CONCURRENCY } = work
    const options = {
      localConcurrency,
      pollingIntervalSeconds: Math.max(this.#pollEveryMs * POLL_FACTOR, MIN_POLL_INTERVAL_MS) / 1000,
      burstWhenReadyExceeds: BACKLOG,
      includeMetadata: true,
      // `groupConcurrency` counts across processes, but workers that fetch at the same moment exceed it.
      ...(queue.perTenant !== undefined && { localGroupConcurrency: queue.perTenant }),
    } as const
    return this.#boss.work<object, void, typeof options>(queue.name, options, async ([job]) => {
      if (!job) return
      const { singletonKey, id, data, retryCount: failed, signal } = job
      const ending = AbortSignal.any([this.#stopping.signal, signal])
      this.#inFlight += 1
      try {
        await runJob(work, { id: singletonKey ?? id, data }, { failed, ending, log: this.#log })
      } finally {
        this.#inFlight -= 1
      }
    })
  }

  #openQueue(name: string): Promise<void> {
    const open = this.#queues.get(name) ?? once(() => this.#createQueue(name))
    this.#queues.set(name, open)
    return open()
  }

  async #createQueue(name: string): Promise<void> {
    await this.#start()
    await this.#boss.createQueue(name, {
      // At most one job per id waits or runs.
      policy: 'exclusive',
      retryLimit: MAX_RETRIES,
      retryBackoff: true,
      retryDelay: seconds(FIRST_RETRY_MS),
      retryDelayMax: seconds(MAX_RETRY_DELAY_MS),
      expireInSeconds: seconds(HANDLER_TIMEOUT_MS),
      // The minimum that pg-boss accepts.
      heartbeatSeconds: 10,
      // Waiting jobs survive a year of downtime; finished ones are useless.
      retentionSeconds: 365 * 24 * 3600,
      deleteAfterSeconds: 60,
    })
  }
}
