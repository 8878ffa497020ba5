import { z } from 'zod'
import { type Backend, type Row, scan } from './backend.ts'
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
const toRow = (id: string, job: PendingJob): Row => ({ key: id, value: JSON.stringify(job) })

/** Jobs that wait or run, for the engine that works in the process. Every method @throws {StoreError}. */
export class PendingJobs {
  readonly #backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Leaves one that is there already as it is. */
  async add(queue: string, id: string, job: PendingJob): Promise<void> {
    await this.#backend.insert(namespaceOf(queue), toRow(id, job))
  }

  set(queue: string, id: string, job: PendingJob): Promise<void> {
    return this.#backend.set(namespaceOf(queue), toRow(id, job))
  }

  async get(queue: string, id: string): Promise<PendingJob | undefined> {
    const [row] = await this.#backend.get(namespaceOf(queue), [id])
    return row && parse(row.value)
  }

  async delete(queue: string, id: string): Promise<void> {
    await this.#backend.delete(namespaceOf(queue), [id])
  }

  async all(queue: string): Promise<ReadonlyMap<string, PendingJob>> {
    const rows = await Array.fromAsync(scan(this.#backend, namespaceOf(queue)))
    return new Map(rows.map(({ key, value }) => [key, parse(value)]))
  }

  /** Changes with what other processes add. */
  version(): number | undefined {
    return this.#backend.version()
  }
}
