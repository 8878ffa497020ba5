import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** A job that no retry will ever get done. */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError'
}

export interface Queue<Data extends object> {
  /** Letters, digits and `-`. */
  readonly name: string
  /** What a job carries: JSON without anything secret, since it is kept in the clear. One that carries something else is given up. */
  readonly schema: z.ZodType<Data>
  /** Maximum number of jobs per process with the same `tenant` in their data. At the limit, jobs of others overtake. */
  readonly perTenant?: number
}

export interface Job<Data extends object> {
  readonly id: string
  readonly data: Data
}

/** What becomes of a queue's jobs. */
export interface QueueWork<Data extends object> {
  readonly queue: Queue<Data>
  /**
   * A job is done once this resolves, and retried where it rejects.
   * @param ending aborted as soon as the process stops, or the job has gone to another process: work that takes longer than
   * `stopMs` breaks off then, and rejects, so that the job runs again
   */
  handle(job: Job<Data>, ending: AbortSignal): Promise<void>
  /** Called with a job that is given up: once, as far as its process lives. */
  onGivenUp?(job: Job<Data>): Promise<void>
  /** How many run at a time in one process, at most: five unless given. Other queues don't wait for them. */
  readonly concurrency?: number
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
   */
  enqueue<Data extends object>(queue: Queue<Data>, id: string, data: NoInfer<Data>, at: Date): Promise<void>
  /** Does the queue's jobs, in this process and every other one that works on it. */
  work<Data extends object>(work: QueueWork<Data>): void
  /** Deletes every job whose data carry this `tenant`: of an organisation, where its team is empty. */
  deleteOf(tenant: Tenant): Promise<void>
  readonly inFlight: number
  /** Takes no more, and waits for those in flight, `stopMs` at most. */
  stop(): Promise<void>
}

const tenantJobSchema = z.object({
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
})

/** Returns the id of the team that a job's data name as their tenant, or of the organization if its team is empty. */
export function tenantGroup(data: unknown): string | undefined {
  const { tenant } = tenantJobSchema.safeParse(data).data ?? {}
  return tenant && (tenant.teamId || tenant.enterpriseId)
}

export const defaultConcurrency = 5
export const mostRetries = 200
export const firstRetryMs: Milliseconds = 2000
export const longestRetryMs: Milliseconds = 600_000
export const stopMs: Milliseconds = 8000

/** What tests and the demo set. */
export interface JobTimes {
  /** How often an engine polls for jobs that are due: every second unless given. */
  readonly pollEveryMs?: Milliseconds
}

export interface JobServices {
  readonly store: Pick<Store, 'rows'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly now: () => EpochMs
  readonly times?: JobTimes | undefined
}

/** Runs a job, and says of one that failed whether that is the end of it. @throws what the handler threw, for a retry */
export async function runJob<Data extends object>(
  work: QueueWork<Data>,
  { id, data }: { readonly id: string; readonly data: unknown },
  { failed, ending, log }: { failed: number; ending: AbortSignal; log: Pick<Log, 'info' | 'error'> },
): Promise<void> {
  const of = { queue: work.queue.name, job: id }
  const parsed = work.queue.schema.safeParse(data)
  if (!parsed.success) {
    log.error({ err: parsed.error, ...of }, 'a malformed job was given up')
    return
  }
  const job = { id, data: parsed.data }
  try {
    await work.handle(job, ending)
  } catch (error) {
    const isGivenUp = failed >= mostRetries || error instanceof NonRetryableError
    log[ending.aborted ? 'info' : 'error'](
      { err: error, ...of, failed: failed + 1, isGivenUp },
      'a job failed',
    )
    if (!isGivenUp) throw error
    await work.onGivenUp?.(job).catch((cause: unknown) => {
      log.error({ err: cause, ...of }, 'nobody heard that a job was given up')
    })
  }
}
