import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Store } from '../../store/store.ts'
import type { Needs } from '../access/access-rules.ts'
import type { Guards } from '../access/guards.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import type { Answer } from '../deliver/answers.ts'
import { createApology } from '../deliver/apologies.ts'
import { Exchange } from '../deliver/exchange.ts'
import { belowOriginal } from '../deliver/replies.ts'
import { findResponseUrl, type Origin } from '../inbound/payloads.ts'
import type { Interaction } from './routes.ts'

/** Does what every request needs: its log line and metrics, the check of the person, and the apology. */
export class Interactions {
  readonly #services
  readonly #log

  constructor(services: {
    readonly store: Pick<Store, 'prefetch' | 'database'>
    readonly guards: Guards
    readonly log: Log
    readonly requestIds: RequestIds
    readonly metrics: Metrics
    readonly responseUrls: ResponseUrls
    readonly supportUrl: string | undefined
  }) {
    this.#services = services
    // Redaction takes half of a line's time, and these lines hold nothing secret.
    this.#log = services.log.child({}, { redact: [] })
  }

  /** Never rejects: what `work` throws is logged, and the apology is posted if the payload has a `response_url`. */
  run(name: string, work: (exchange: Exchange) => Promise<void>, payload?: unknown): Promise<void> {
    const { store, requestIds, metrics, responseUrls } = this.#services
    const exchange = new Exchange(name)
    const start = performance.now()
    return requestIds.run(exchange.reference, async () => {
      try {
        await store.database.shareReads(() => work(exchange))
      } catch (error) {
        const { message } = this.toApology(exchange, error)
        const responseUrl = findResponseUrl(payload)
        // Below the message: only a route says whether an answer may replace it, and it may not be found yet.
        const json = JSON.stringify({ ...belowOriginal, ...message })
        if (responseUrl !== undefined) await responseUrls.post(responseUrl, json)
      }
      for (const lateWork of exchange.lateWork) await lateWork()
      // The work may have named the exchange after its route.
      const { name: interaction, outcome } = exchange
      const ms = performance.now() - start
      metrics.count('interactions_total', { interaction, outcome })
      metrics.time('interaction_seconds', { interaction }, ms)
      this.#log.info({ interaction, outcome, ms: Math.round(ms) }, 'interaction')
    })
  }

  /** @throws {NotAllowedError} and what reading the installation, the person or the access rules throws */
  async admit(exchange: Exchange, origin: Origin, needs: Needs): Promise<Interaction> {
    const { workspace, userId, channel, channelName = '', isInView = false } = origin
    const { store, guards } = this.#services
    store.prefetch(workspace, channel)
    const actor = await guards.admit(workspace, userId, needs)
    exchange.actor = actor
    const { announce, lateWork } = exchange
    const afterwards: Interaction['afterwards'] = (work) => lateWork.push(work)
    return { actor, tenant: actor.tenant, channel, channelName, isInView, announce, afterwards }
  }

  /** Logs the error, sets the outcome of the exchange, and returns what the person can do next. */
  toApology(exchange: Exchange, error: unknown): Answer {
    const { supportUrl, log } = this.#services
    const { kind, message, cause } = createApology(error, exchange, supportUrl)
    exchange.outcome = kind
    const reason = cause instanceof Error ? cause.message : 'unknown'
    if (kind === 'error') log.error({ err: cause, interaction: exchange.name }, 'unexpected')
    else log.info({ outcome: kind, cause: reason }, 'refused')
    return { message }
  }
}
