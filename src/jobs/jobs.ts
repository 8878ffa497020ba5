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

/**
 * The one for what was given up is called once, as far as its process lives.
 * @param ending aborted as soon as the process stops, or the job is another process's: work that takes longer than
 * `policy.stopMs` breaks off then, and rejects, so that the job runs again
 */
export type JobHandler = (job: Job, ending: AbortSignal) => Promise<void>

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
   * Runs a job not before `at`. One of this id that waits or runs already is left as it is; whether one that is done
   * runs again is not promised, so what is enqueued anew needs an id of its own.
   * @param queue letters, digits and `-`
   * @param data JSON without anything secret: it is kept in the clear
   */
  enqueue(queue: string, id: string, data: object, at: Date): Promise<void>
  /** Hands the queue's jobs to `handle`, five at a time at most, in this process and every other one that works on it. */
  work(queue: string, handle: JobHandler, onGivenUp?: JobHandler): void
  /** Deletes every job whose data carry this `tenant`: of an organisation, where its team is empty. */
  deleteOf(tenant: Tenant): Promise<void>
  /** How many are being worked on in this process. */
  readonly underWay: number
  /** Takes no more, and waits for those under way, 8 s at most. */
  stop(): Promise<void>
}

/** The same for both engines. */
export const policy = {
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
