import { createHash, timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GetHandler, HttpRoute } from '../http/http-server.ts'
import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'
import { instruments, type Metrics } from './metrics.ts'

const { counters, histograms, gauges } = instruments

const digest = (text: string) => createHash('sha256').update(text).digest()

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry()
  readonly #counters = new Map<string, Counter<string>>()
  readonly #histograms = new Map<string, Histogram<string>>()
  readonly #expected
  readonly #log

  constructor(token: string, log: Pick<Log, 'error'>) {
    this.#expected = digest(`Bearer ${token}`)
    this.#log = log
    collectDefaultMetrics({ register: this.#registry })
    const registers = [this.#registry]
    for (const [own, [help, labelNames]] of Object.entries(counters)) {
      const name = `callboard_${own}`
      this.#counters.set(own, new Counter<string>({ name, help, labelNames, registers }))
    }
    for (const [own, [help, labelNames, ownBuckets]] of Object.entries(histograms)) {
      const [name, buckets] = [`callboard_${own}`, [...ownBuckets]]
      this.#histograms.set(own, new Histogram<string>({ name, help, labelNames, buckets, registers }))
    }
  }

  count(name: keyof typeof counters, labels: Readonly<Record<string, string>>, by?: number): void {
    this.#counters.get(name)?.inc(labels, by)
  }

  time(name: keyof typeof histograms, labels: Readonly<Record<string, string>>, ms: Milliseconds): void {
    this.#histograms.get(name)?.observe(labels, ms / 1000)
  }

  gauge(name: keyof typeof gauges, read: () => number | ReadonlyMap<string, number>): void {
    const [help, labelNames] = gauges[name]
    const [label] = labelNames
    new Gauge<string>({
      name: `callboard_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        const found = read()
        if (typeof found === 'number') return this.set(found)
        this.reset()
        for (const [key, count] of found) this.set({ [label ?? '']: key }, count)
      },
    })
  }

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
        this.#log.error({ err: error }, 'metrics could not be collected')
        response.writeHead(500).end()
      },
    )
  }
}
