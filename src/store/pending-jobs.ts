import { z } from 'zod'
import type { Database, Row } from './database.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { epochMs, parseRow } from './schema.ts'
import type { Tenant } from './tenant.ts'

const pendingJob = z.object({
  data: z.unknown(),
  at: epochMs,
  /** How often it has failed. */
  failed: z.number(),
})
export type PendingJob = z.infer<typeof pendingJob>

const ofTenant = z.object({ tenant: z.object({ enterpriseId: z.string().optional(), teamId: z.string() }) })

const parse = (value: string): PendingJob => parseRow(pendingJob, value, 'a job')
const namespaceOf = (queue: string) => `job:${queue}`
const toRow = (id: string, job: PendingJob): Row => ({ key: id, value: JSON.stringify(job) })

/** Jobs that wait or run, for the engine that works in the process. Every method @throws {StoreError}. */
export class PendingJobs {
  readonly #database
  readonly #malformed

  constructor(database: Database, malformed: MalformedRows) {
    this.#database = database
    this.#malformed = malformed
  }

  /** Leaves one that is there already as it is. */
  async add(queue: string, id: string, job: PendingJob): Promise<void> {
    await this.#database.insert(namespaceOf(queue), toRow(id, job))
  }

  /** @returns whether it was still there: not where it was deleted with its tenant */
  set(queue: string, id: string, job: PendingJob): Promise<boolean> {
    return this.#database.update(namespaceOf(queue), toRow(id, job))
  }

  async get(queue: string, id: string): Promise<PendingJob | undefined> {
    const [row] = await this.#database.get(namespaceOf(queue), [id])
    return row && this.#read(queue, row)[0]
  }

  async delete(queue: string, id: string): Promise<void> {
    await this.#database.delete(namespaceOf(queue), [id])
  }

  async all(queue: string): Promise<ReadonlyMap<string, PendingJob>> {
    const rows = await Array.fromAsync(this.#database.scan(namespaceOf(queue)))
    return new Map(rows.flatMap((row) => this.#read(queue, row).map((job) => [row.key, job] as const)))
  }

  /** Those whose data carry this tenant. */
  async deleteOf(queue: string, { enterpriseId, teamId }: Tenant): Promise<readonly string[]> {
    const isOf = (data: unknown) => {
      const { tenant } = ofTenant.safeParse(data).data ?? {}
      return tenant?.teamId === teamId && (teamId !== '' || tenant.enterpriseId === enterpriseId)
    }
    const ids = [...(await this.all(queue))].filter(([, { data }]) => isOf(data)).map(([id]) => id)
    return this.#database.delete(namespaceOf(queue), ids)
  }

  #read(queue: string, { key, value }: Row): readonly PendingJob[] {
    return this.#malformed.read(namespaceOf(queue), key, () => parse(value))
  }

  /** Another process can't add any over SQLite: whoever has read them once knows of all. */
  version(): number {
    return 0
  }
}
