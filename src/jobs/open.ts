import { createRequire } from 'node:module'
import { InProcessJobs } from './in-process.ts'
import type { JobServices, Jobs } from './jobs.ts'
import type * as PgBossModule from './pg-boss.ts'

const load = createRequire(import.meta.url)

/** The engine that fits the store. */
export function openJobs(storeUrl: string, services: JobServices): Jobs {
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs(services)
  // Loaded where it is used: a start over SQLite is sooner without it.
  const { PgBossJobs }: typeof PgBossModule = load('./pg-boss.ts')
  return new PgBossJobs(storeUrl, services)
}
