import { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import type { Tenant } from '../store/tenant.ts'
import { retryUntilSuccess } from '../util/retry-until-success.ts'
import type { Milliseconds } from '../util/units.ts'
import { type JobHandler, type Jobs, type PlannedJob, policy, type WorkOptions } from './jobs.ts'
import { toBossJob } from './pg-boss-job.ts'
import { PgBossPoll } from './pg-boss-poll.ts'
import { PgBossQueue } from './pg-boss-queue.ts'

const seconds = (ms: Milliseconds) => Math.ceil(ms / 1000)

const queueOptions = {
  retryLimit: policy.retries,
  retryBackoff: true,
  retryDelay: seconds(policy.firstRetryMs),
  retryDelayMax: seconds(policy.longestRetryMs),
  expireInSeconds: seconds(policy.handlerTimeoutMs),
  heartbeatSeconds: seconds(policy.leaseMs),
  // What waits is kept for a year after its time, however long everything was down. What is done is deleted at once; what
  // an older version has done, after an hour.
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
} as const

const schema = 'callboard_jobs'
/** Rows of one statement. */
const enqueuedAtOnce = 1000

/** Works through jobs with pg-boss, for a store that several processes on several machines share. */
export class PgBossJobs implements Jobs {
  readonly #boss
  readonly #log
  readonly #poll
  readonly #queues = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #started: Promise<unknown> | undefined

  constructor(
    connectionString: string,
    {
      log,
      pollEveryMs = policy.pollEveryMs,
    }: { log: Pick<Log, 'info' | 'warn' | 'error'>; pollEveryMs?: Milliseconds | undefined },
  ) {
    this.#log = log
    this.#boss = new PgBoss({
      connectionString,
      schema,
      application_name: 'callboard-jobs',
      max: 5,
      connectionTimeoutMillis: 5000,
      // croner says when a schedule is due, for both engines.
      schedule: false,
      // With these, and the queue's heartbeat, a job whose process was killed runs again within 20 s rather than two minutes.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 3600,
      // No job waits for another one.
      flowIntervalSeconds: 3600,
      // One for each account that is watched, and each schedule, waits at any time: that is no backlog.
      warningQueueSize: 10_000_000,
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
    this.#boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))
    this.#poll = new PgBossPoll({ boss: this.#boss, schema, log, pollEveryMs })
  }

  get underWay(): number {
    return this.#poll.underWay
  }

  enqueue(queue: string, id: string, data: object, at: Date): Promise<void> {
    return this.enqueueAll(queue, [{ id, data, at }])
  }

  async enqueueAll(queue: string, jobs: readonly PlannedJob[]): Promise<void> {
    await this.#openQueue(queue)
    const byId = new Map(jobs.map((job) => [job.id, toBossJob(queue, job)]))
    const all = [...byId.values()]
    // pg-boss leaves one that it has already as it is.
    for (let from = 0; from < all.length; from += enqueuedAtOnce)
      await this.#boss.insert(queue, all.slice(from, from + enqueuedAtOnce))
    if (jobs.some(({ at }) => at.getTime() <= Date.now())) this.#poll.wake(queue)
  }

  work(name: string, handle: JobHandler, options: WorkOptions = {}): void {
    const begin = async () => {
      await this.#openQueue(name)
      const [boss, log, { signal: stopping }] = [this.#boss, this.#log, this.#stopping]
      this.#poll.add(new PgBossQueue({ boss, name, handle, ...options, log, stopping }))
    }
    const onFailure = (error: unknown) =>
      this.#log.warn({ err: error, queue: name }, 'the queue is not worked on yet')
    void retryUntilSuccess(begin, { signal: this.#stopping.signal, onFailure })
  }

  async deleteOf({ enterpriseId, teamId }: Tenant): Promise<void> {
    await this.#start()
    const tenant = teamId === '' ? { enterpriseId, teamId } : { teamId }
    for (const { name } of await this.#boss.getQueues()) await this.#deleteAll(name, { data: { tenant } })
  }

  /** Until there are none: one that was about to run again while it was deleted has a new row. */
  async #deleteAll(name: string, data: object): Promise<void> {
    for (;;) {
      const found = await this.#boss.findJobs(name, { data })
      if (found.length === 0) return
      await this.#boss.deleteJob(
        name,
        found.map(({ id }) => id),
      )
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#started?.catch(() => {})
    await this.#poll.stop()
    if (this.#started) await this.#boss.stop({ graceful: false })
  }

  #openQueue(name: string): Promise<void> {
    const opened = this.#queues.get(name)
    if (opened) return opened
    const opening = this.#createQueue(name).catch((error: unknown) => {
      this.#queues.delete(name)
      throw error
    })
    this.#queues.set(name, opening)
    return opening
  }

  async #createQueue(name: string): Promise<void> {
    await this.#start()
    await this.#boss.createQueue(name, queueOptions)
    // One that an earlier version has made.
    await this.#boss.updateQueue(name, queueOptions)
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
