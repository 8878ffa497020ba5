import { InProcessJobs } from './in-process.ts'
import type { JobServices, Jobs } from './jobs.ts'

/** Opens the engine that fits the store. */
export async function openJobs(storeUrl: string, services: JobServices): Promise<Jobs> {
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs(services)
  // Loaded here, because SQLite does not need it.
  const { PgBossJobs } = await import('./pg-boss.ts')
  return new PgBossJobs(storeUrl, services)
}
