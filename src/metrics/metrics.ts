import type { Log } from '../log.ts'
import type { Metrics } from './instruments.ts'

const noMetrics: Metrics = { routes: [], count() {}, time() {}, gauge() {} }

/** @param token grants access to `/metrics`; without it, nothing is counted */
export async function createMetrics(token: string | undefined, log: Pick<Log, 'error'>): Promise<Metrics> {
  if (token === undefined) return noMetrics
  // Loaded only if used: most small installations have no metrics.
  const { PrometheusMetrics } = await import('./prometheus-metrics.ts')
  return new PrometheusMetrics(token, log)
}
