import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Job, Jobs } from '../../src/jobs/jobs.ts'
import { createLog } from '../../src/log.ts'
import { createJobs } from '../../src/services.ts'
import { Store } from '../../src/store/store.ts'
import type { Workspace } from '../../src/store/tenant.ts'
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

const createQueue = (name: string) => ({ name, schema: z.record(z.string(), z.unknown()) })

/** Jobs with any data, by queue. */
const byName = (jobs: Jobs) => ({
  enqueue: (name: string, id: string, data: AnyJob['data'], at: Date) =>
    jobs.enqueue(createQueue(name), id, data, at),
  work: (name: string, handle: (job: AnyJob, ending: AbortSignal) => Promise<void>) =>
    jobs.work({ queue: createQueue(name), handle }),
  deleteTenantJobs: (tenant: Workspace) => jobs.deleteTenantJobs(tenant),
  isIdle: () => expect.poll(() => jobs.inFlight).toBe(0),
})

/** @param now fixed in tests of single moments */
export async function openEngine(url: string, now = Date.now) {
  const { log } = createLog('silent')
  const key = createSecretKey(randomBytes(32))
  const store = new Store({ url, encryptionKeys: [{ id: 'k', key }], log })
  const jobs = await createJobs(url, { store, log, now, pollEveryMs: 100, retryAfterMs: 200 })
  const close = async () => {
    await jobs.stop()
    await store.close()
  }
  return { jobs: byName(jobs), engine: jobs, close }
}

export const inMs = (ms: number) => new Date(Date.now() + ms)
export const until = (probe: () => unknown, timeout = 8000) =>
  expect.poll(probe, { timeout, interval: 50 }).toBeTruthy()
