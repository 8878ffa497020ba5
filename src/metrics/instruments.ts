import type { HttpRoute } from '../http/http-server.ts'
import type { Milliseconds } from '../util/units.ts'

const interactionBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
/** A reading takes up to 25 s where somebody waits for it, and minutes for an export. */
const readingBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 300, 1800]
/** An account is polled once a minute or so, and after a time down a call may be posted a day late. */
const alertBuckets = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]

/**
 * What is measured, under `callboard_` and these names: with no tenant, person, number or secret in any label. Outcomes have
 * the names that logs use.
 * @see https://prometheus.io/docs/practices/naming
 */
export const instruments = {
  counters: {
    interactions_total: ['What people and Slack asked for.', ['interaction', 'outcome']],
    service_requests_total: ['Requests to the phone service.', ['operation', 'outcome']],
    readings_total: ['Readings of all calls of a range.', ['outcome']],
    reading_records_total: ['Calls that such readings came to.', []],
    cache_lookups_total: ['Lookups in what is remembered.', ['cache', 'result']],
    exports_total: ['Exports of calls.', ['outcome']],
    export_records_total: ['Calls that exports have read.', []],
    billing_posts_total: ['Billing posts.', ['how', 'outcome']],
    report_posts_total: ['Call reports posted.', ['how', 'outcome']],
    alert_looks_total: ['Looks for missed calls.', ['outcome']],
    alert_messages_total: ['Messages of alerts.', ['outcome']],
    alert_calls_total: ['Missed calls that alerts have told.', []],
    alert_calls_dropped_total: ['Missed calls that could not be told for more than a day.', []],
    malformed_rows_total: ["Rows of the store that can't be read.", ['kind']],
  },
  histograms: {
    interaction_seconds: ['From its arrival to the end of its work.', ['interaction'], interactionBuckets],
    acknowledgement_seconds: ['From a request of Slack to its acknowledgement.', [], interactionBuckets],
    service_request_seconds: ['One request to the phone service.', ['operation'], interactionBuckets],
    reading_seconds: ['One such reading.', [], readingBuckets],
    alert_look_delay_seconds: ['From the turn of an account to its look.', [], alertBuckets],
    alert_call_delay_seconds: ['From a missed call to the message that tells it.', [], alertBuckets],
  },
  gauges: {
    service_queue_length: ['Requests to the service that wait for a slot.', []],
    service_resting: ['Whether the service is given a rest.', []],
    jobs_under_way: ['Background jobs that are being worked on.', []],
    undecryptable_records: ["Records that can't be decrypted.", ['key']],
  },
} as const

type Counters = typeof instruments.counters
type Histograms = typeof instruments.histograms
type Labels<Instrument extends readonly [string, readonly string[], ...unknown[]]> = Readonly<
  Record<Instrument[1][number], string>
>

export interface Metrics {
  readonly routes: readonly HttpRoute[]
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]>, by?: number): void
  time<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]>, ms: Milliseconds): void
  /** @param read called when somebody asks for the metrics; of a gauge with a label, one number for each of its values */
  gauge(name: keyof typeof instruments.gauges, read: () => number | ReadonlyMap<string, number>): void
}
