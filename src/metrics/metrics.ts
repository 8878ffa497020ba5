import { createRequire } from 'node:module'
import type { Log } from '../log.ts'
import type * as Prometheus from './prometheus-metrics.ts'

const load = createRequire(import.meta.url)

type Counted = Pick<Prometheus.PrometheusMetrics, keyof Prometheus.PrometheusMetrics>
export type Metrics = Omit<Counted, 'alerts'> & {
  readonly alerts: Pick<Counted['alerts'], keyof Counted['alerts']>
}

/** Where nobody reads them. */
class NoMetrics implements Metrics {
  readonly routes = []
  readonly alerts = { poll() {}, message() {}, calls() {} }
  interaction(): void {}
  acknowledged(): void {}
  request(): void {}
  reading(): void {}
  lookup(): void {}
  post(): void {}
  export(): void {}
  reportPost(): void {}
  watch(): void {}
  watchStore(): void {}
}

/** @param token whoever has it may read `/metrics`; without one nothing is counted */
export function createMetrics(token: string | undefined, log: Pick<Log, 'error'>): Metrics {
  if (token === undefined) return new NoMetrics()
  // Loaded where it is used: most small installations have no metrics.
  const { PrometheusMetrics }: typeof Prometheus = load('./prometheus-metrics.ts')
  return new PrometheusMetrics(token, log)
}
