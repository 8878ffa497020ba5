import { createHash } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Tenant } from '../store/tenant.ts'
import { retryUntilSuccess } from '../util/retry-until-success.ts'
import type { Milliseconds } from '../util/units.ts'
import { isUseless, type Job, type JobHandler, type Jobs, policy } from './jobs.ts'

const seconds = (ms: Milliseconds) => Math.ceil(ms / 1000)

/** pg-boss takes UUIDs alone, and leaves one that it has already as it is. */
function uuidOf(queue: string, id: string): string {
  const hex = createHash('sha256').update(`${queue}\n${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const queueOptions = {
  retryLimit: policy.retries,
  retryBackoff: true,
  retryDelay: seconds(policy.firstRetryMs),
  retryDelayMax: seconds(policy.longestRetryMs),
  expireInSeconds: seconds(policy.handlerTimeoutMs),
  heartbeatSeconds: seconds(policy.leaseMs),
  // What waits is kept for a year after its time, however long everything was down; what is done, for an hour.
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
} as const

const envelope = z.object({ id: z.string(), data: z.unknown() })

/** Works through jobs with pg-boss, for a store that several processes on several machines share. */
export class PgBossJobs implements Jobs {
  readonly #boss
  readonly #log
  readonly #queues = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #underWay = 0
  #started: Promise<unknown> | undefined

  constructor(connectionString: string, log: Pick<Log, 'info' | 'warn' | 'error'>) {
    this.#log = log
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
      maintenanceIntervalSeconds: 3600,
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
    this.#boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))
  }

  get underWay(): number {
    return this.#underWay
  }

  async enqueue(queue: string, id: string, data: object, at: Date): Promise<void> {
    await this.#openQueue(queue)
    await this.#boss.send(queue, { id, data }, { id: uuidOf(queue, id), startAfter: at })
  }

  work(queue: string, handle: JobHandler, onGivenUp: JobHandler = async () => {}): void {
    const options = { localConcurrency: policy.concurrency, pollingIntervalSeconds: 2 }
    const begin = async () => {
      await this.#openQueue(queue)
      await this.#boss.work<unknown>(queue, options, async (jobs) => {
        for (const { id, data, retryCount, signal } of jobs) {
          const parsed = envelope.safeParse(data)
          if (!parsed.success) {
            this.#log.error({ queue, job: id }, 'a malformed job is left out')
            continue
          }
          const isLast = retryCount >= policy.retries
          await this.#run(queue, parsed.data, { handle, onGivenUp, isLast, lost: signal })
        }
      })
    }
    const onFailure = (error: unknown) =>
      this.#log.warn({ err: error, queue }, 'the queue is not worked on yet')
    void retryUntilSuccess(begin, { signal: this.#stopping.signal, onFailure })
  }

  async deleteOf({ enterpriseId, teamId }: Tenant): Promise<void> {
    await this.#start()
    const tenant = teamId === '' ? { enterpriseId, teamId } : { teamId }
    for (const { name } of await this.#boss.getQueues()) {
      const found = await this.#boss.findJobs(name, { data: { data: { tenant } } })
      if (found.length > 0)
        await this.#boss.deleteJob(
          name,
          found.map(({ id }) => id),
        )
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#started?.catch(() => {})
    if (this.#started) await this.#boss.stop({ graceful: true, timeout: policy.stopMs })
  }

  async #run(
    queue: string,
    job: Job,
    {
      handle,
      onGivenUp,
      isLast,
      lost,
    }: { handle: JobHandler; onGivenUp: JobHandler; isLast: boolean; lost: AbortSignal },
  ): Promise<void> {
    this.#underWay += 1
    const ending = AbortSignal.any([this.#stopping.signal, lost])
    try {
      await handle(job, ending)
    } catch (error) {
      const isGivenUp = isLast || isUseless(error)
      const level = this.#stopping.signal.aborted ? 'info' : 'error'
      this.#log[level]({ err: error, queue, job: job.id, isGivenUp }, 'a job failed')
      if (!isGivenUp) throw error
      await onGivenUp(job, ending).catch((cause: unknown) => {
        this.#log.error({ err: cause, queue }, 'nobody was told that a job was given up')
      })
    } finally {
      this.#underWay -= 1
    }
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
