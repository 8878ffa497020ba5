import type * as prom from 'prom-client'
import { type HttpRoute, refusalReasons } from '../http/http-server.ts'
import { requestOutcomes } from '../telephony/types.ts'
import { isSameSecret } from '../util/secrets.ts'
import type { Milliseconds } from '../util/units.ts'

const interactionBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
/** Up to 25 s while a person waits, and minutes for an export. */
const readingBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 300, 1800]
/** Accounts are polled about once a minute; after an outage, a call may be posted a day late. */
const alertBuckets = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]
const postOutcomes = ['sent', 'refused', 'not-now', 'unknown']

/**
 * Help texts, and labels with their values, `[]` if they aren't listed. If all are, the counter starts at 0, because `rate()` sees
 * no increase in a series that begins with 1. No label holds a tenant, a person, a number or a secret. @see https://prometheus.io/docs/practices/naming
 */
const counters = {
  interactions_total: ['Commands, clicks, events and the like.', { interaction: [], outcome: [] }],
  requests_refused_total: ["Requests to Slack's routes that were refused.", { reason: refusalReasons }],
  service_requests_total: ['Requests to the phone service.', { operation: [], outcome: [] }],
  readings_total: ['Readings of all calls of a range.', { outcome: [...requestOutcomes, 'cancelled'] }],
  reading_records_total: ['Calls read by readings of a range.', {}],
  cache_lookups_total: ['Cache lookups.', { cache: ['agents', 'page'], result: ['hit', 'miss'] }],
  exports_total: ['Exports of calls.', { outcome: ['sent', 'unavailable', 'slack-unavailable', 'error'] }],
  export_records_total: ['Calls read by exports.', {}],
  billing_posts_total: ['Billing posts.', { how: ['by-hand', 'scheduled'], outcome: postOutcomes }],
  report_posts_total: ['Call reports posted.', { how: ['scheduled'], outcome: postOutcomes }],
  alert_looks_total: ['Polls of accounts with alerts.', { outcome: [...requestOutcomes, 'failed'] }],
  alert_messages_total: ['Messages posted or updated by alerts.', { outcome: postOutcomes }],
  alert_calls_total: ['Missed calls shown by alerts.', {}],
  malformed_rows_total: ['Malformed rows in the store.', { kind: [] }],
} as const

/** Help texts, names of labels, and upper bounds of buckets in seconds. */
const histograms = {
  interaction_seconds: ['Duration of an interaction.', ['interaction'], interactionBuckets],
  acknowledgement_seconds: ['Time from a request of Slack to its acknowledgement.', [], interactionBuckets],
  service_request_seconds: ['Duration of a request to the phone service.', ['operation'], interactionBuckets],
  reading_seconds: ['Duration of a reading.', [], readingBuckets],
  alert_look_delay_seconds: ['Time from when a poll was due to the poll.', [], alertBuckets],
  alert_call_delay_seconds: ['Time from a missed call to its message.', [], alertBuckets],
} as const

/** Help texts, and the name of the only label, if any. */
const gauges = {
  service_queue_length: ['Requests that wait for a slot to the phone service.', []],
  service_resting: ['Accounts whose circuit breaker is open: the phone service failed for them.', []],
  jobs_under_way: ['Background jobs in progress.', []],
  undecryptable_records: ['Records that no key decrypts.', ['key']],
} as const

type Counters = typeof counters
type Histograms = typeof histograms
type Labels<Name extends string> = Readonly<Record<Name, string>>
type CounterLabels<Name extends keyof Counters> = Labels<keyof Counters[Name][1] & string>
type HistogramLabels<Name extends keyof Histograms> = Labels<Histograms[Name][1][number]>

export interface Metrics {
  readonly routes: readonly HttpRoute[]
  count<Name extends keyof Counters>(name: Name, labels: CounterLabels<Name>, increment?: number): void
  time<Name extends keyof Histograms>(name: Name, labels: HistogramLabels<Name>, ms: Milliseconds): void
  /** @param read called for each scrape; returns a number, or one for each value of the label */
  gauge(name: keyof typeof gauges, read: () => number | ReadonlyMap<string, number>): void
}

/** Returns every combination of the labels' values; none if those of a label aren't listed. */
function combineLabels(labels: Readonly<Record<string, readonly string[]>>): readonly Labels<string>[] {
  let combinations: Labels<string>[] = [{}]
  for (const [name, values] of Object.entries(labels))
    combinations = combinations.flatMap((combined) => values.map((value) => ({ ...combined, [name]: value })))
  return combinations
}

const noMetrics: Metrics = { routes: [], count() {}, time() {}, gauge() {} }

function createScrapeHandler(registry: prom.Registry, token: string): HttpRoute['handle'] {
  return async (request, response) => {
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    const body = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
    response.end(body)
  }
}

/** Counts nothing without a token. */
export async function createMetrics(token: string | undefined): Promise<Metrics> {
  if (token === undefined) return noMetrics
  // Most small installations have no metrics, and need no import.
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const describe = (name: string, help: string, labelNames: readonly string[]) => {
    return { name: `callboard_${name}`, help, labelNames, registers: [registry] }
  }
  const counterByName = new Map<string, prom.Counter>()
  for (const [name, [help, labels]] of Object.entries(counters)) {
    const counter = new Counter<string>(describe(name, help, Object.keys(labels)))
    for (const combination of combineLabels(labels)) counter.inc(combination, 0)
    counterByName.set(name, counter)
  }
  const histogramByName = new Map<string, prom.Histogram>()
  for (const [name, [help, labelNames, buckets]] of Object.entries(histograms)) {
    const options = { ...describe(name, help, labelNames), buckets: [...buckets] }
    histogramByName.set(name, new Histogram<string>(options))
  }
  return {
    routes: [{ path: '/metrics', handle: createScrapeHandler(registry, token) }],
    count: (name, labels, increment) => counterByName.get(name)?.inc(labels, increment),
    time: (name, labels, ms) => histogramByName.get(name)?.observe(labels, ms / 1000),
    gauge(name, read) {
      const [help, labelNames] = gauges[name]
      const [onlyLabel = ''] = labelNames
      new Gauge<string>({
        ...describe(name, help, labelNames),
        collect() {
          const reading = read()
          if (typeof reading === 'number') return this.set(reading)
          this.reset()
          for (const [labelValue, count] of reading) this.set({ [onlyLabel]: labelValue }, count)
        },
      })
    },
  }
}
