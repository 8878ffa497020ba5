import { createHash, timingSafeEqual } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { HttpRoute } from '../http/http-server.ts'
import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'

const interactionBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
/** Up to 25 s while a person waits, and minutes for an export. */
const readingBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 300, 1800]
/** Accounts are polled about once a minute; after an outage, a call may be posted a day late. */
const alertBuckets = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]

/** Labels never hold a tenant, a person, a number or a secret. @see https://prometheus.io/docs/practices/naming */
const counters = {
  interactions_total: ['Commands, clicks, events and the like.', ['interaction', 'outcome']],
  service_requests_total: ['Requests to the phone service.', ['operation', 'outcome']],
  readings_total: ['Scans of all calls of a range.', ['outcome']],
  reading_records_total: ['Calls found by such scans.', []],
  cache_lookups_total: ['Cache lookups.', ['cache', 'result']],
  exports_total: ['Exports of calls.', ['outcome']],
  export_records_total: ['Calls read by exports.', []],
  billing_posts_total: ['Billing posts.', ['how', 'outcome']],
  report_posts_total: ['Call reports posted.', ['how', 'outcome']],
  alert_looks_total: ['Polls of watched accounts.', ['outcome']],
  alert_messages_total: ['Messages posted or updated by alerts.', ['outcome']],
  alert_calls_total: ['Missed calls shown by alerts.', []],
  malformed_rows_total: ['Malformed rows in the store.', ['kind']],
} as const

const histograms = {
  interaction_seconds: ['Duration of an interaction.', ['interaction'], interactionBuckets],
  acknowledgement_seconds: ['Time from a request of Slack to its acknowledgement.', [], interactionBuckets],
  service_request_seconds: ['Duration of a request to the phone service.', ['operation'], interactionBuckets],
  reading_seconds: ['Duration of a scan.', [], readingBuckets],
  alert_look_delay_seconds: ['Time from when a poll was due to the poll.', [], alertBuckets],
  alert_call_delay_seconds: ['Time from a missed call to its message.', [], alertBuckets],
} as const

const gauges = {
  service_queue_length: ['Requests that wait for a slot to the phone service.', []],
  service_resting: ['Accounts whose circuit breaker is open: the phone service failed for them.', []],
  jobs_under_way: ['Background jobs in progress.', []],
  undecryptable_records: ['Records that no key decrypts.', ['key']],
} as const

type Counters = typeof counters
type Histograms = typeof histograms
type Instrument = readonly [help: string, labelNames: readonly string[], ...unknown[]]
type Labels<Own extends Instrument> = Readonly<Record<Own[1][number], string>>

export interface Metrics {
  readonly routes: readonly HttpRoute[]
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]>, by?: number): void
  time<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]>, ms: Milliseconds): void
  /** @param read called for each scrape; returns a number, or one for each value of the label */
  gauge(name: keyof typeof gauges, read: () => number | ReadonlyMap<string, number>): void
}

const noMetrics: Metrics = { routes: [], count() {}, time() {}, gauge() {} }

/** Counts nothing without a token. */
export async function createMetrics(token: string | undefined, log: Pick<Log, 'error'>): Promise<Metrics> {
  if (token === undefined) return noMetrics
  // Most small installations have no metrics, and need no import.
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const describe = (name: string, [help, labelNames]: Instrument) => {
    return { name: `callboard_${name}`, help, labelNames, registers: [registry] }
  }
  const counterByName = new Map(
    Object.entries(counters).map(([name, own]) => [name, new Counter<string>(describe(name, own))]),
  )
  const histogramByName = new Map(
    Object.entries(histograms).map(([name, own]) => [
      name,
      new Histogram<string>({ ...describe(name, own), buckets: [...own[2]] }),
    ]),
  )
  return {
    routes: [{ path: '/metrics', handle: serveMetrics(registry, token, log) }],
    count: (name, labels, by) => counterByName.get(name)?.inc(labels, by),
    time: (name, labels, ms) => histogramByName.get(name)?.observe(labels, ms / 1000),
    gauge(name, read) {
      const [label = ''] = gauges[name][1]
      new Gauge<string>({
        ...describe(name, gauges[name]),
        collect() {
          const found = read()
          if (typeof found === 'number') return this.set(found)
          this.reset()
          for (const [key, count] of found) this.set({ [label]: key }, count)
        },
      })
    },
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function serveMetrics(registry: Registry, token: string, log: Pick<Log, 'error'>): HttpRoute['handle'] {
  const expected = digest(`Bearer ${token}`)
  return async (request, response) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    try {
      const body = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
      response.end(body)
    } catch (error) {
      log.error({ err: error }, 'metrics could not be collected')
      response.writeHead(500).end()
    }
  }
}
