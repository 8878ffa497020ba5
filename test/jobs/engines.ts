import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Jobs } from '../../src/jobs/jobs.ts'
import { openJobs } from '../../src/jobs/open.ts'
import { createLog } from '../../src/log.ts'
import { Store } from '../../src/store/store.ts'
import { createDatabase } from '../support/shared/database.ts'

async function startSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-jobs-'))
  return {
    url: `sqlite:${join(folder, 'store.sqlite')}`,
    stop: async () => rmSync(folder, { recursive: true }),
  }
}

/** Both engines, each with a database of its own. */
export const engines = [
  ['in the process', startSqlite],
  ['pg-boss', async () => ({ url: await createDatabase(), stop: async () => {} })],
] as const

export async function openEngine(url: string): Promise<{ jobs: Jobs; close: () => Promise<void> }> {
  const { log } = createLog('silent')
  const key = createSecretKey(randomBytes(32))
  const store = new Store({ url, encryptionKeys: [{ id: 'k', key }], log })
  const jobs = await openJobs(url, { store, log, now: Date.now, times: { pollEveryMs: 100 } })
  const close = async () => {
    await jobs.stop()
    await store.close()
  }
  return { jobs, close }
}
