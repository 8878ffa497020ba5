import { createHash, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as PromClient from 'prom-client'
import type { Log } from './log.ts'
import type { Route } from './slack/inbound/http-receiver.ts'
import type { RequestReport } from './telephony/request-runner.ts'

/** Counts and times, with no tenant, person, number or secret in any label. Outcomes have the names that logs use. */
export interface Metrics {
  interaction(name: string, outcome: string, ms: number): void
  acknowledged(ms: number): void
  request(report: RequestReport): void
  /** A lookup in what the process remembers. */
  lookup(cache: 'page' | 'agents', isHit: boolean): void
  post(how: 'by-hand' | 'scheduled', outcome: string): void
}

const noMetrics: Metrics = {
  interaction() {},
  acknowledged() {},
  request() {},
  lookup() {},
  post() {},
}

/** Read when somebody asks for the metrics. */
export interface Gauges {
  /** Requests to the service that wait for a slot. */
  readonly waiting: () => number
  /** Background jobs that are being worked on. */
  readonly jobs: () => number
  readonly isResting: () => boolean
}

interface Exporter {
  text(): Promise<string>
  readonly contentType: string
}

const load = createRequire(import.meta.url)
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]

/** @see https://prometheus.io/docs/practices/naming */
function createMetrics(gauges: Gauges): Metrics & Exporter {
  // Loaded where it is used: most small installations have no metrics.
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics }: typeof PromClient =
    load('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `callboard_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name: `callboard_${name}`, help, labelNames, buckets: seconds, registers })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `callboard_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  const interactions = counter('interactions_total', 'What people and Slack asked for.', [
    'interaction',
    'outcome',
  ])
  const times = histogram('interaction_seconds', 'From its arrival to the end of its work.', ['interaction'])
  const acknowledgements = histogram(
    'acknowledgement_seconds',
    'From a request of Slack to its acknowledgement.',
    [],
  )
  const requests = counter('service_requests_total', 'Requests to the telephony service.', [
    'operation',
    'outcome',
  ])
  const requestTimes = histogram('service_request_seconds', 'One request to the telephony service.', [
    'operation',
  ])
  const lookups = counter('cache_lookups_total', 'Lookups in what is remembered.', ['cache', 'result'])
  const posts = counter('billing_posts_total', 'Billing posts.', ['how', 'outcome'])
  gauge('service_queue_length', 'Requests to the service that wait for a slot.', gauges.waiting)
  gauge('jobs_under_way', 'Background jobs that are being worked on.', gauges.jobs)
  gauge('service_resting', 'Whether the service is given a rest.', () => Number(gauges.isResting()))

  return {
    interaction(interaction, outcome, ms) {
      interactions.inc({ interaction, outcome })
      times.observe({ interaction }, ms / 1000)
    },
    acknowledged: (ms) => acknowledgements.observe(ms / 1000),
    request({ operation, outcome, ms }) {
      requests.inc({ operation, outcome })
      requestTimes.observe({ operation }, ms / 1000)
    },
    lookup: (cache, isHit) => lookups.inc({ cache, result: isHit ? 'hit' : 'miss' }),
    post: (how, outcome) => posts.inc({ how, outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function metricsRoute({ text, contentType }: Exporter, token: string, log: Pick<Log, 'error'>): Route {
  const expected = digest(`Bearer ${token}`)
  return (request, response) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    text().then(
      (body) => {
        response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' })
        response.end(body)
      },
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  }
}

/** `/metrics` for whoever has the token; without one nothing is counted. */
export function openMetrics(
  token: string | undefined,
  log: Pick<Log, 'error'>,
  gauges: Gauges,
): { readonly metrics: Metrics; readonly routes: Readonly<Record<string, Route>> } {
  if (token === undefined) return { metrics: noMetrics, routes: {} }
  const metrics = createMetrics(gauges)
  return { metrics, routes: { '/metrics': metricsRoute(metrics, token, log) } }
}
