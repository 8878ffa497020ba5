import { createHash, timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Gauge } from 'prom-client'
import type { GetHandler, HttpRoute } from '../http/http-server.ts'
import type { Log } from '../log.ts'
import type { ScanReport } from '../telephony/client.ts'
import type { RequestReport } from '../telephony/requests.ts'
import type { Milliseconds } from '../util/units.ts'
import { AlertMetrics } from './alert-metrics.ts'
import { Instruments } from './instruments.ts'

/** A reading takes up to 25 s where somebody waits for it, and minutes for an export. */
const readingBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 300, 1800]

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Counts and times, with no tenant, person, number or secret in any label. Outcomes have the names that logs use.
 * @see https://prometheus.io/docs/practices/naming
 */
export class PrometheusMetrics {
  readonly #instruments = new Instruments()
  readonly #registry = this.#instruments.registry
  readonly #expected
  readonly #log
  readonly #interactions = this.#instruments.counter(
    'interactions_total',
    'What people and Slack asked for.',
    ['interaction', 'outcome'],
  )
  readonly #interactionTimes = this.#instruments.histogram(
    'interaction_seconds',
    'From its arrival to the end of its work.',
    ['interaction'],
  )
  readonly #acknowledgementTimes = this.#instruments.histogram(
    'acknowledgement_seconds',
    'From a request of Slack to its acknowledgement.',
    [],
  )
  readonly #requests = this.#instruments.counter('service_requests_total', 'Requests to the phone service.', [
    'operation',
    'outcome',
  ])
  readonly #requestTimes = this.#instruments.histogram(
    'service_request_seconds',
    'One request to the phone service.',
    ['operation'],
  )
  readonly #readings = this.#instruments.counter('readings_total', 'Readings of all calls of a range.', [
    'outcome',
  ])
  readonly #readingRecords = this.#instruments.counter(
    'reading_records_total',
    'Calls that such readings came to.',
    [],
  )
  readonly #readingTimes = this.#instruments.histogram(
    'reading_seconds',
    'One such reading.',
    [],
    readingBuckets,
  )
  readonly #lookups = this.#instruments.counter('cache_lookups_total', 'Lookups in what is remembered.', [
    'cache',
    'result',
  ])
  readonly #exports = this.#instruments.counter('exports_total', 'Exports of calls.', ['outcome'])
  readonly #exportRecords = this.#instruments.counter(
    'export_records_total',
    'Calls that exports have read.',
    [],
  )
  readonly #posts = this.#instruments.counter('billing_posts_total', 'Billing posts.', ['how', 'outcome'])
  readonly #reportPosts = this.#instruments.counter('report_posts_total', 'Call reports posted.', [
    'how',
    'outcome',
  ])
  readonly alerts = new AlertMetrics(this.#instruments)

  /** @param token what whoever reads them has to show */
  constructor(token: string, log: Pick<Log, 'error'>) {
    this.#expected = digest(`Bearer ${token}`)
    this.#log = log
    collectDefaultMetrics({ register: this.#registry })
  }

  interaction(interaction: string, outcome: string, ms: Milliseconds): void {
    this.#interactions.inc({ interaction, outcome })
    this.#interactionTimes.observe({ interaction }, ms / 1000)
  }

  acknowledged(ms: Milliseconds): void {
    this.#acknowledgementTimes.observe(ms / 1000)
  }

  request({ operation, outcome, ms }: RequestReport): void {
    this.#requests.inc({ operation, outcome })
    this.#requestTimes.observe({ operation }, ms / 1000)
  }

  /** A whole range, for a report, a search, an export or names of lines. */
  reading({ outcome, records, ms }: ScanReport): void {
    this.#readings.inc({ outcome })
    this.#readingRecords.inc(records)
    this.#readingTimes.observe(ms / 1000)
  }

  /** A lookup in what the process remembers. */
  lookup(cache: 'page' | 'agents', isHit: boolean): void {
    this.#lookups.inc({ cache, result: isHit ? 'hit' : 'miss' })
  }

  post(how: 'by-hand' | 'scheduled', outcome: string): void {
    this.#posts.inc({ how, outcome })
  }

  /** @param records how many calls it has read */
  export(outcome: string, records: number): void {
    this.#exports.inc({ outcome })
    this.#exportRecords.inc(records)
  }

  reportPost(how: 'by-hand' | 'scheduled', outcome: string): void {
    this.#reportPosts.inc({ how, outcome })
  }

  /**
   * Read when somebody asks for the metrics: the requests to the service that wait for a slot, the background jobs that are
   * being worked on, and whether the service is left alone for a while.
   */
  watch(gauges: { waiting: () => number; jobs: () => number; isResting: () => boolean }): void {
    const { waiting, jobs, isResting } = gauges
    this.#instruments.gauge('service_queue_length', 'Requests to the service that wait for a slot.', waiting)
    this.#instruments.gauge('jobs_under_way', 'Background jobs that are being worked on.', jobs)
    this.#instruments.gauge('service_resting', 'Whether the service is given a rest.', () =>
      Number(isResting()),
    )
  }

  /** Records that can't be decrypted, by the id of the encryption key that they are under. */
  watchStore(store: { readonly undecryptable: ReadonlyMap<string, number> }): void {
    new Gauge({
      name: 'callboard_undecryptable_records',
      help: "Records that can't be decrypted.",
      labelNames: ['key'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const [key, count] of store.undecryptable) this.set({ key }, count)
      },
    })
  }

  /** `/metrics`, for whoever has the token. */
  get routes(): readonly HttpRoute[] {
    return [{ path: '/metrics', handle: (...exchange) => this.#answer(...exchange) }]
  }

  #answer(...[request, response]: Parameters<GetHandler>): void {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), this.#expected)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    this.#registry.metrics().then(
      (body) => {
        response.writeHead(200, { 'content-type': this.#registry.contentType, 'cache-control': 'no-store' })
        response.end(body)
      },
      (error: unknown) => {
        this.#log.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  }
}
