import type { HttpRoute } from '../http/http-server.ts'
import type { RequestReport } from '../telephony/request-runner.ts'
import type { Milliseconds } from '../util/units.ts'

/** Read when somebody asks for the metrics. */
export interface Gauges {
  /** Requests to the service that wait for a slot. */
  readonly waiting: () => number
  /** Background jobs that are being worked on. */
  readonly jobs: () => number
  /** Whether the service is left alone for a while. */
  readonly isResting: () => boolean
}

/** Counts and times, with no tenant, person, number or secret in any label. Outcomes have the names that logs use. */
export interface Metrics {
  interaction(name: string, outcome: string, ms: Milliseconds): void
  acknowledged(ms: Milliseconds): void
  request(report: RequestReport): void
  /** A lookup in what the process remembers. */
  lookup(cache: 'page' | 'agents', isHit: boolean): void
  post(how: 'by-hand' | 'scheduled', outcome: string): void
  watch(gauges: Gauges): void
  readonly routes: readonly HttpRoute[]
}

/** Where nobody reads them. */
export class NoMetrics implements Metrics {
  readonly routes = []
  interaction(): void {}
  acknowledged(): void {}
  request(): void {}
  lookup(): void {}
  post(): void {}
  watch(): void {}
}
