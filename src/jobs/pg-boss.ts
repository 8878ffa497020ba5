import { createHash } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { type Job, type Jobs, policy } from './jobs.ts'

export interface PgBossOptions {
  readonly url: string
  readonly log: Pick<Log, 'warn' | 'error'>
}

const startAgainMs = 5000
const seconds = (ms: number) => Math.ceil(ms / 1000)

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
  expireInSeconds: seconds(policy.longestMs),
  heartbeatSeconds: seconds(policy.leaseMs),
  // What waits is kept for a year after its time, however long everything was down; what is done, for an hour.
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
} as const

const envelope = z.object({ id: z.string(), data: z.unknown() })

/** Works through jobs with pg-boss, for a store that several processes on several machines share. */
export function createPgBossJobs({ url, log }: PgBossOptions): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'callboard_jobs',
    application_name: 'callboard-jobs',
    max: 5,
    connectionTimeoutMillis: 2000,
    // croner says when a schedule is due, for both engines.
    schedule: false,
    // With these, and the queue's heartbeat, a job whose process was killed runs again within 20 s rather than two minutes.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
  })
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
  boss.on('warning', ({ message }) => log.warn({ message }, 'pg-boss'))

  const abort = new AbortController()
  let underWay = 0
  let started: Promise<unknown> | undefined
  const queues = new Map<string, Promise<void>>()

  /** Starts when it is first needed and again after a failure, so that the app starts while the database is down. */
  const start = () => {
    started ??= boss.start().catch((error: unknown) => {
      started = undefined
      throw error
    })
    return started
  }

  function queueReady(name: string): Promise<void> {
    const known = queues.get(name)
    if (known) return known
    const made = start()
      .then(async () => {
        await boss.createQueue(name, queueOptions)
        // One that an earlier version has made.
        await boss.updateQueue(name, queueOptions)
      })
      .catch((error: unknown) => {
        queues.delete(name)
        throw error
      })
    queues.set(name, made)
    return made
  }

  async function begin(queue: string, handle: (job: Job) => Promise<void>): Promise<void> {
    while (!abort.signal.aborted) {
      try {
        await queueReady(queue)
        const options = { localConcurrency: policy.atOnce, pollingIntervalSeconds: 2 }
        await boss.work<unknown>(queue, options, async (jobs) => {
          for (const job of jobs) await run(queue, envelope.parse(job.data), handle)
        })
        return
      } catch (error) {
        log.warn({ err: error, queue }, 'the queue is not worked on yet')
        await new Promise((resolve) => setTimeout(resolve, startAgainMs).unref())
      }
    }
  }

  async function run(
    queue: string,
    { id, data }: z.infer<typeof envelope>,
    handle: (job: Job) => Promise<void>,
  ) {
    underWay += 1
    try {
      await handle({ id, data })
    } catch (error) {
      log.error({ err: error, queue }, 'a job failed')
      throw error
    } finally {
      underWay -= 1
    }
  }

  return {
    async enqueue(queue, id, data, at) {
      await queueReady(queue)
      await boss.send(queue, { id, data }, { id: uuidOf(queue, id), startAfter: at })
    },
    work(queue, handle) {
      void begin(queue, handle)
    },
    get underWay() {
      return underWay
    },
    async stop() {
      abort.abort()
      await started?.catch(() => {})
      if (started) await boss.stop({ graceful: true, timeout: policy.stopMs })
    },
  }
}
