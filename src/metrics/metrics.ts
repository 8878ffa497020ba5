import { createRequire } from 'node:module'
import type { Log } from '../log.ts'
import type { Metrics } from './instruments.ts'
import type * as Prometheus from './prometheus-metrics.ts'

const load = createRequire(import.meta.url)

/** Where nobody reads them. */
const noMetrics: Metrics = { routes: [], count() {}, time() {}, gauge() {} }

/** @param token whoever has it may read `/metrics`; without one nothing is counted */
export function createMetrics(token: string | undefined, log: Pick<Log, 'error'>): Metrics {
  if (token === undefined) return noMetrics
  // Loaded where it is used: most small installations have no metrics.
  const { PrometheusMetrics }: typeof Prometheus = load('./prometheus-metrics.ts')
  return new PrometheusMetrics(token, log)
}
