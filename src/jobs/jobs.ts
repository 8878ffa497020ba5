import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { Tenant } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

export const DEFAULT_CONCURRENCY = 5
export const MAX_RETRIES = 200
export const FIRST_RETRY_MS: Milliseconds = 2000
export const MAX_RETRY_DELAY_MS: Milliseconds = 600_000
export const STOP_TIMEOUT_MS: Milliseconds = 8000

export interface Queue<Data extends object> {
  /** Letters, digits and `-`. */
  readonly name: string
  /** Schema of a job's data, which are stored as unencrypted JSON. A job with other data is given up. */
  readonly schema: z.ZodType<Data>
  /** Maximum number of jobs per process with the same `tenant` in their data. At the limit, jobs of others overtake. */
  readonly perTenant?: number
}

export interface Job<Data extends object> {
  readonly id: string
  readonly data: Data
}

export interface QueueWork<Data extends object> {
  readonly queue: Queue<Data>
  /**
   * Runs a job, which is retried if this rejects.
   * @param ending aborted when the process stops or another process took the job: a handler that takes longer than
   * `STOP_TIMEOUT_MS` then rejects, so that the job runs again
   */
  handle(job: Job<Data>, ending: AbortSignal): Promise<void>
  /** Maximum number of the queue's jobs that run at a time in one process. */
  readonly concurrency?: number
}

/**
 * Background work that survives restarts. Each job runs at least once: again within half a minute if its process died (with
 * SQLite, at the next start), and again after 2 s to 10 min, for about a day, if its handler rejects.
 */
export interface Jobs {
  /**
   * Runs a job at `at` or later. Does nothing if a job with this id waits or runs, in any process. The id is free again once
   * the job is done or given up, so a recurring job enqueues its next run under a different id before it ends.
   */
  enqueue<Data extends object>(queue: Queue<Data>, id: string, data: NoInfer<Data>, at: Date): Promise<void>
  /** Starts running the queue's jobs in this process. */
  work<Data extends object>(work: QueueWork<Data>): void
  /** Deletes every job with this `tenant` in its data; with an empty team, those of the organization itself. */
  deleteTenantJobs(tenant: Tenant): Promise<void>
  readonly inFlight: number
  /** Stops starting jobs, and waits up to `STOP_TIMEOUT_MS` for running ones. */
  stop(): Promise<void>
}

/** Intervals that tests and the demo shorten. */
export interface JobTimes {
  /** Interval at which an engine looks for due jobs; a second by default. */
  readonly pollEveryMs?: Milliseconds
}

export interface JobServices {
  readonly store: Pick<Store, 'database'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly now: () => EpochMs
  readonly times?: JobTimes | undefined
}

const tenantJobSchema = z.object({
  tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }),
})

/** Returns the id of the team that a job's data name as their tenant, or of the organization if its team is empty. */
export function tenantGroup(data: unknown): string | undefined {
  const { tenant } = tenantJobSchema.safeParse(data).data ?? {}
  return tenant && (tenant.teamId || tenant.enterpriseId)
}

/** Runs a job once. @throws the handler's error if the job should be retried */
export async function runJob<Data extends object>(
  work: QueueWork<Data>,
  { id, data }: { readonly id: string; readonly data: unknown },
  { failed, ending, log }: { failed: number; ending: AbortSignal; log: Pick<Log, 'info' | 'error'> },
): Promise<void> {
  const context = { queue: work.queue.name, job: id }
  const parsed = work.queue.schema.safeParse(data)
  if (!parsed.success) {
    log.error({ err: parsed.error, ...context }, 'a malformed job was given up')
    return
  }
  try {
    await work.handle({ id, data: parsed.data }, ending)
  } catch (error) {
    const isGivenUp = failed >= MAX_RETRIES
    const details = { err: error, ...context, failed: failed + 1, isGivenUp }
    log[ending.aborted ? 'info' : 'error'](details, 'a job failed')
    if (!isGivenUp) throw error
  }
}
