import { createRequire } from 'node:module'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createInProcessJobs } from './in-process.ts'
import type { Jobs } from './jobs.ts'
import type * as PgBossJobs from './pg-boss.ts'

const load = createRequire(import.meta.url)

/** The engine that fits the store. */
export function openJobs(options: {
  storeUrl: string
  store: Pick<Store, 'pendingJobs' | 'claims'>
  log: Log
  now: () => number
  lookEveryMs?: number | undefined
}): Jobs {
  const { storeUrl, store, log, now, lookEveryMs } = options
  if (storeUrl.startsWith('sqlite:')) {
    return createInProcessJobs({ pending: store.pendingJobs, claims: store.claims, log, now, lookEveryMs })
  }
  // Loaded where it is used: a start over SQLite is sooner without it.
  const { createPgBossJobs }: typeof PgBossJobs = load('./pg-boss.ts')
  return createPgBossJobs({ url: storeUrl, log })
}
