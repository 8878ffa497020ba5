import { PgBoss } from 'pg-boss'
import type { Tenant } from '../store/tenant.ts'
import { retryUntilSuccess } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'
import {
  defaultConcurrency,
  firstRetryMs,
  type JobServices,
  type Jobs,
  longestRetryMs,
  mostRetries,
  type Queue,
  type QueueWork,
  runJob,
  stopMs,
  tenantGroup,
} from './jobs.ts'

const seconds = (ms: Milliseconds) => Math.ceil(ms / 1000)

/** No handler takes longer; its job would run again. A process that died is noticed by its heartbeat, long before that. */
const handlerTimeoutMs: Milliseconds = 2 * 60 * 60_000
/** pg-boss asks no more often. */
const shortestPollMs: Milliseconds = 500
/** Each worker asks by itself, and those of this process are woken for what it enqueues. */
const pollFactor = 2
/** With more than that to be done, a worker takes the next job at once rather than at its next poll. */
const backlog = 5

/** Works through jobs with pg-boss, for a store that several processes on several machines share. */
export class PgBossJobs implements Jobs {
  readonly #boss
  readonly #log
  readonly #pollEveryMs
  readonly #queues = new Map<string, Promise<void>>()
  /** By queue, a worker of this process. */
  readonly #workers = new Map<string, string>()
  readonly #stopping = new AbortController()
  #inFlight = 0
  #started: Promise<unknown> | undefined

  constructor(connectionString: string, { log, times }: Pick<JobServices, 'log' | 'times'>) {
    this.#log = log
    this.#pollEveryMs = times?.pollEveryMs ?? 1000
    this.#boss = new PgBoss({
      connectionString,
      schema: 'callboard_jobs',
      application_name: 'callboard-jobs',
      max: 5,
      connectionTimeoutMillis: 5000,
      // croner says when a schedule is due, for both engines.
      schedule: false,
      // With these, and the queue's heartbeat, a job whose process was killed runs again within 20 s rather than two minutes.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      queueCacheIntervalSeconds: 5,
      maintenanceIntervalSeconds: 60,
      // No job waits for another one.
      flowIntervalSeconds: 3600,
      // One for each schedule waits at any time: that is no backlog.
      warningQueueSize: 10_000_000,
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
    this.#boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))
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
      this.#log.warn({ err: error, queue: name }, 'the queue is not worked on yet')
    void retryUntilSuccess(begin, { signal: this.#stopping.signal, onFailure })
  }

  async deleteOf({ enterpriseId, teamId }: Tenant): Promise<void> {
    await this.#start()
    const tenant = teamId === '' ? { enterpriseId, teamId } : { teamId }
    for (const { name } of await this.#boss.getQueues()) {
      const jobs = await this.#boss.findJobs(name, { data: { tenant } })
      if (jobs.length === 0) continue
      await this.#boss.deleteJob(
        name,
        jobs.map(({ id }) => id),
      )
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#started?.catch(() => {})
    if (this.#started) await this.#boss.stop({ graceful: true, timeout: stopMs })
  }

  #begin(work: QueueWork<object>): Promise<string> {
    const { queue, concurrency: localConcurrency = defaultConcurrency } = work
    const options = {
      localConcurrency,
      pollingIntervalSeconds: Math.max(this.#pollEveryMs * pollFactor, shortestPollMs) / 1000,
      burstWhenReadyExceeds: backlog,
      includeMetadata: true,
      // `groupConcurrency` counts across processes, but workers that fetch at the same moment exceed it.
      ...(queue.perTenant !== undefined && { localGroupConcurrency: queue.perTenant }),
    } as const
    const { signal: stopping } = this.#stopping
    return this.#boss.work<object, void, typeof options>(queue.name, options, async ([job]) => {
      if (!job) return
      const { singletonKey, id, data, retryCount: failed, signal } = job
      const ending = AbortSignal.any([stopping, signal])
      this.#inFlight += 1
      try {
        await runJob(work, { id: singletonKey ?? id, data }, { failed, ending, log: this.#log })
      } finally {
        this.#inFlight -= 1
      }
    })
  }

  #openQueue(name: string): Promise<void> {
    const opening =
      this.#queues.get(name) ??
      this.#createQueue(name).catch((error: unknown) => {
        this.#queues.delete(name)
        throw error
      })
    this.#queues.set(name, opening)
    return opening
  }

  async #createQueue(name: string): Promise<void> {
    await this.#start()
    await this.#boss.createQueue(name, {
      // One job of an id waits or runs.
      policy: 'exclusive',
      retryLimit: mostRetries,
      retryBackoff: true,
      retryDelay: seconds(firstRetryMs),
      retryDelayMax: seconds(longestRetryMs),
      expireInSeconds: seconds(handlerTimeoutMs),
      // The least that pg-boss takes: a process that has not said for so long that it works on a job is taken for dead.
      heartbeatSeconds: 10,
      // What waits is kept for a year after its time, however long everything was down. What is done is of no use.
      retentionSeconds: 365 * 24 * 3600,
      deleteAfterSeconds: 60,
    })
  }

  /** Starts when it is first needed and again after a failure, so that the app starts while the database is down. */
  #start(): Promise<unknown> {
    this.#started ??= this.#boss.start().catch((error: unknown) => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }
}
