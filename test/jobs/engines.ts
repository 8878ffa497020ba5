import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Job, Jobs, QueueWork } from '../../src/jobs/jobs.ts'
import { createLog } from '../../src/log.ts'
import { openJobs } from '../../src/services.ts'
import { Store } from '../../src/store/store.ts'
import type { Tenant } from '../../src/store/tenant.ts'
import { createDatabase } from '../support/shared/database.ts'

async function startSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-jobs-'))
  return {
    url: `sqlite:${join(folder, 'store.sqlite')}`,
    stop: async () => rmSync(folder, { recursive: true }),
  }
}

/** Both engines, each with an empty database. */
export const engines = [
  ['in the process', startSqlite],
  ['pg-boss', async () => ({ url: await createDatabase(), stop: async () => {} })],
] as const

export type AnyJob = Job<Record<string, unknown>>
type Work = Omit<QueueWork<AnyJob['data']>, 'queue' | 'handle'>

/** Jobs with any data, by queue. */
export class NamedQueues {
  readonly #jobs

  constructor(jobs: Jobs) {
    this.#jobs = jobs
  }

  get inFlight(): number {
    return this.#jobs.inFlight
  }

  enqueue(name: string, id: string, data: Record<string, unknown>, at: Date): Promise<void> {
    return this.#jobs.enqueue(createQueue(name), id, data, at)
  }

  work(name: string, handle: (job: AnyJob, ending: AbortSignal) => Promise<void>, more: Work = {}): void {
    this.#jobs.work({ queue: createQueue(name), handle, ...more })
  }

  deleteTenantJobs(tenant: Tenant): Promise<void> {
    return this.#jobs.deleteTenantJobs(tenant)
  }
}

const createQueue = (name: string) => ({ name, schema: z.record(z.string(), z.unknown()) })

export async function openEngine(url: string) {
  const { log } = createLog('silent')
  const key = createSecretKey(randomBytes(32))
  const store = new Store({ url, encryptionKeys: [{ id: 'k', key }], log })
  const jobs = await openJobs(url, { store, log, now: Date.now, pollEveryMs: 100 })
  const close = async () => {
    await jobs.stop()
    await store.close()
  }
  return { jobs: new NamedQueues(jobs), engine: jobs, close }
}
