import { z } from 'zod'
import type { Backend } from './backend.ts'
import { orStoreError } from './errors.ts'
import { rowsUnder } from './rows.ts'

const pendingJob = z.object({
  data: z.unknown(),
  /** Epoch ms. */
  at: z.number(),
  /** How often it has failed. */
  failed: z.number(),
})
export type PendingJob = z.infer<typeof pendingJob>

/** Jobs that wait or run, for the engine that works in the process. Every method @throws {StoreError}. */
export interface PendingJobs {
  /** Leaves one that is there already as it is. */
  add(queue: string, id: string, job: PendingJob): Promise<void>
  set(queue: string, id: string, job: PendingJob): Promise<void>
  get(queue: string, id: string): Promise<PendingJob | undefined>
  delete(queue: string, id: string): Promise<void>
  all(queue: string): Promise<ReadonlyMap<string, PendingJob>>
  /** Changes with what other processes add. */
  version(): number | undefined
}

const parse = (value: string) => pendingJob.parse(JSON.parse(value))

export function createPendingJobs(backend: Backend, now: () => number): PendingJobs {
  const rowOf = (id: string, job: PendingJob) => ({ key: id, value: JSON.stringify(job), expires: undefined })
  const spaceOf = (queue: string) => `job:${queue}`
  return {
    async add(queue, id, job) {
      await orStoreError('add a job', backend.insert(spaceOf(queue), rowOf(id, job), now()))
    },
    set: (queue, id, job) => orStoreError('keep a job', backend.set(spaceOf(queue), rowOf(id, job))),
    async get(queue, id) {
      const [row] = await orStoreError('read a job', backend.get(spaceOf(queue), [id], now()))
      return row && parse(row.value)
    },
    async delete(queue, id) {
      await orStoreError('delete a job', backend.delete(spaceOf(queue), [id]))
    },
    async all(queue) {
      const rows = await orStoreError(
        'list the jobs',
        Array.fromAsync(rowsUnder(backend, spaceOf(queue), '', now())),
      )
      return new Map(rows.map(({ key, value }) => [key, parse(value)]))
    },
    version: () => backend.version(),
  }
}
