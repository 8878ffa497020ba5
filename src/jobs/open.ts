import { createRequire } from 'node:module'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { InProcessJobs } from './in-process.ts'
import type { Jobs } from './jobs.ts'
import type * as PgBossModule from './pg-boss.ts'

const load = createRequire(import.meta.url)

/** The engine that fits the store. */
export function openJobs(options: {
  storeUrl: string
  store: Pick<Store, 'pendingJobs' | 'claims'>
  log: Log
  now: () => EpochMs
  pollEveryMs?: Milliseconds | undefined
}): Jobs {
  const { storeUrl, store, log, now, pollEveryMs } = options
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs({ store, log, now, pollEveryMs })
  // Loaded where it is used: a start over SQLite is sooner without it.
  const { PgBossJobs }: typeof PgBossModule = load('./pg-boss.ts')
  return new PgBossJobs({ url: storeUrl, log })
}
