import { MalformedError } from '../store/errors.ts'
import type { Tenant } from '../store/tenant.ts'

/** A job that can't ever be done, whatever is tried again: its data make no sense. */
export class UselessJobError extends Error {
  override readonly name = 'UselessJobError'
}

export interface Job {
  readonly id: string
  /** As it was enqueued, through JSON; parse it. */
  readonly data: unknown
}

/** The job runs again, as it was enqueued, not before this time. */
export interface Again {
  readonly again: Date
}

/**
 * The job is over once it resolves to nothing. Where it resolves to a time, it waits for it under the same id: that is kept
 * in one step with the end of this run, so that it is neither lost nor doubled, whatever ends the process. Not where it was
 * deleted meanwhile.
 * @param ending aborted as soon as the process stops, or the job is another process's: work that takes longer than
 * `policy.stopMs` breaks off then, and rejects, so that the job runs again
 */
export type JobHandler = (job: Job, ending: AbortSignal) => Promise<void> | Promise<Again | undefined>

/** Is told of a job that was given up: once, as far as its process lives. */
export type GivenUpHandler = (job: Job, ending: AbortSignal) => Promise<void>

export interface WorkOptions {
  readonly onGivenUp?: GivenUpHandler | undefined
  /** How many of the queue run at a time in one process, at most: five unless given. Other queues don't wait for them. */
  readonly concurrency?: number | undefined
}

/** One of many to be enqueued, as `Jobs.enqueue` takes them. */
export interface PlannedJob {
  readonly id: string
  readonly data: object
  readonly at: Date
}

/** Whether trying again is of no use. By name: an engine that is loaded late may have classes of its own in a test. */
export const isUseless = (error: unknown): boolean =>
  error instanceof Error && [UselessJobError.name, MalformedError.name].includes(error.name)

/**
 * Background work that outlives the process. At least once: a job whose process died runs again within half a minute, and
 * one whose handler rejects is tried again, after 2 s at first and at most 10 min later, for a day or so, unless that is of
 * no use.
 */
export interface Jobs {
  /**
   * Runs a job not before `at`. One of this id that waits or runs already is left as it is, whichever process enqueued it;
   * once that one is over, or given up, its id is free again.
   * @param queue letters, digits and `-`
   * @param data JSON without anything secret: it is kept in the clear
   */
  enqueue(queue: string, id: string, data: object, at: Date): Promise<void>
  /** The same for many, in few statements. */
  enqueueAll(queue: string, jobs: readonly PlannedJob[]): Promise<void>
  /** Hands the queue's jobs to `handle`, in this process and every other one that works on it. */
  work(queue: string, handle: JobHandler, options?: WorkOptions): void
  /** Deletes every job whose data carry this `tenant`: of an organisation, where its team is empty. */
  deleteOf(tenant: Tenant): Promise<void>
  /** How many are being worked on in this process. */
  readonly underWay: number
  /** Takes no more, and waits for those under way, 8 s at most. */
  stop(): Promise<void>
}

/** The same for both engines. */
export const policy = {
  /** How often an engine looks for jobs that are due, for all queues at once. */
  pollEveryMs: 1000,
  concurrency: 5,
  retries: 200,
  firstRetryMs: 2000,
  longestRetryMs: 600_000,
  /** A process that has not said for so long that it works on a job is taken for dead. pg-boss takes no less. */
  leaseMs: 10_000,
  /** No handler takes longer; its job would run again. Of a process that died the lease tells, long before that. */
  handlerTimeoutMs: 2 * 60 * 60_000,
  stopMs: 8000,
} as const
