import { InProcessJobs } from './in-process.ts'
import type { JobServices, Jobs } from './jobs.ts'

/** The engine that fits the store. */
export async function openJobs(storeUrl: string, services: JobServices): Promise<Jobs> {
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs(services)
  // Loaded where it is used: a start over SQLite is sooner without it.
  const { PgBossJobs } = await import('./pg-boss.ts')
  return new PgBossJobs(storeUrl, services)
}
