import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** A job that no retry will ever get done: its data make no sense. */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError'
}

/** By name: an engine that is loaded late may have classes of its own in a test. */
const isRetryable = (error: unknown): boolean =>
  !(error instanceof Error && error.name === NonRetryableError.name)

export interface Job {
  readonly id: string
  /** As it was enqueued, through JSON; parse it. */
  readonly data: unknown
}

/**
 * A job is done once its handler resolves, and retried where it rejects.
 * @param ending aborted as soon as the process stops, or the job has gone to another process: work that takes longer than
 * `stopMs` breaks off then, and rejects, so that the job runs again
 */
export type JobHandler = (job: Job, ending: AbortSignal) => Promise<void>

export interface WorkOptions {
  /** Called with a job that is given up: once, as far as its process lives. */
  readonly onGivenUp?: JobHandler | undefined
  /** How many of the queue run at a time in one process, at most: five unless given. Other queues don't wait for them. */
  readonly concurrency?: number | undefined
}

/**
 * Background work that outlives the process. At least once: a job whose process died runs again within half a minute, or on
 * SQLite when the process starts again, and one whose handler rejects is retried, after 2 s at first and at most 10 min
 * later, for a day or so, unless retrying can't help.
 */
export interface Jobs {
  /**
   * Runs a job not before `at`. One of this id that waits or runs already is left as it is, whichever process enqueued it;
   * once that one is done, or given up, its id is free again. A job that recurs enqueues its next run before it ends, under
   * an id of its own that a second run would choose as well.
   * @param queue letters, digits and `-`
   * @param data JSON without anything secret: it is kept in the clear
   */
  enqueue(queue: string, id: string, data: object, at: Date): Promise<void>
  /** Hands the queue's jobs to `handle`, in this process and every other one that works on it. */
  work(queue: string, handle: JobHandler, options?: WorkOptions): void
  /** Deletes every job whose data carry this `tenant`: of an organisation, where its team is empty. */
  deleteOf(tenant: Tenant): Promise<void>
  /** How many run in this process. */
  readonly inFlight: number
  /** Takes no more, and waits for those in flight, `stopMs` at most. */
  stop(): Promise<void>
}

export interface JobTimes {
  /** How often an engine polls for jobs that are due. */
  readonly pollEveryMs: Milliseconds
  readonly firstRetryMs: Milliseconds
  readonly longestRetryMs: Milliseconds
  /** A process that has not said for so long that it works on a job is taken for dead. pg-boss takes no less. */
  readonly leaseMs: Milliseconds
  readonly stopMs: Milliseconds
}

export const defaultTimes: JobTimes = {
  pollEveryMs: 1000,
  firstRetryMs: 2000,
  longestRetryMs: 600_000,
  leaseMs: 10_000,
  stopMs: 8000,
}

export const defaultConcurrency = 5
export const mostRetries = 200

export interface JobServices {
  readonly store: Pick<Store, 'rows'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly now: () => EpochMs
  readonly times?: Partial<JobTimes> | undefined
}

/** Runs a job, and says of one that failed whether that is the end of it. @throws what the handler threw, for a retry */
export async function runJob(
  { queue, handle, onGivenUp }: { readonly queue: string; readonly handle: JobHandler } & WorkOptions,
  job: Job,
  { failed, ending, log }: { failed: number; ending: AbortSignal; log: Pick<Log, 'info' | 'error'> },
): Promise<void> {
  try {
    await handle(job, ending)
  } catch (error) {
    const isGivenUp = failed >= mostRetries || !isRetryable(error)
    const level = ending.aborted ? 'info' : 'error'
    log[level]({ err: error, queue, job: job.id, failed: failed + 1, isGivenUp }, 'a job failed')
    if (!isGivenUp) throw error
    await onGivenUp?.(job, ending).catch((cause: unknown) => {
      log.error({ err: cause, queue }, 'nobody heard that a job was given up')
    })
  }
}
