import { z } from 'zod'
import { type Backend, type Row, scan } from './backend.ts'
import { wrapErrors } from './errors.ts'
import { epochMs } from './schema.ts'

const pendingJob = z.object({
  data: z.unknown(),
  at: epochMs,
  /** How often it has failed. */
  failed: z.number(),
})
export type PendingJob = z.infer<typeof pendingJob>

const parse = (value: string): PendingJob => pendingJob.parse(JSON.parse(value))
const namespaceOf = (queue: string) => `job:${queue}`
const toRow = (id: string, job: PendingJob): Row => ({
  key: id,
  value: JSON.stringify(job),
  expires: undefined,
})

/** Jobs that wait or run, for the engine that works in the process. Every method @throws {StoreError}. */
export class PendingJobs {
  readonly #backend: Backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Leaves one that is there already as it is. */
  async add(queue: string, id: string, job: PendingJob): Promise<void> {
    await wrapErrors('add a job', this.#backend.insert(namespaceOf(queue), toRow(id, job)))
  }

  set(queue: string, id: string, job: PendingJob): Promise<void> {
    return wrapErrors('keep a job', this.#backend.set(namespaceOf(queue), toRow(id, job)))
  }

  async get(queue: string, id: string): Promise<PendingJob | undefined> {
    const [row] = await wrapErrors('read a job', this.#backend.get(namespaceOf(queue), [id]))
    return row && parse(row.value)
  }

  async delete(queue: string, id: string): Promise<void> {
    await wrapErrors('delete a job', this.#backend.delete(namespaceOf(queue), [id]))
  }

  async all(queue: string): Promise<ReadonlyMap<string, PendingJob>> {
    const rows = scan(this.#backend, namespaceOf(queue))
    const jobs = await wrapErrors('list the jobs', Array.fromAsync(rows))
    return new Map(jobs.map(({ key, value }) => [key, parse(value)]))
  }

  /** Changes with what other processes add. */
  version(): number | undefined {
    return this.#backend.version()
  }
}
