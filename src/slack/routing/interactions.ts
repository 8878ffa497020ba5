import { randomUUID } from 'node:crypto'
import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Store } from '../../store/store.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import type { Installation } from '../access/workspaces.ts'
import { apology, describeFailure, type FailureKind } from '../deliver/failures.ts'
import { answerModal, type Modals, type ModalTarget } from '../deliver/modals.ts'
import type { Answer, MakeAnswer, OnProgress } from '../deliver/replies.ts'
import type { Origin } from '../inbound/payloads.ts'
import type { Handler, Interaction } from './routes.ts'

interface RunServices {
  readonly store: Pick<Store, 'prefetch' | 'database'>
  readonly guards: Guards
  readonly modals: Modals
  readonly log: Log
  readonly requestIds: RequestIds
  readonly metrics: Metrics
  readonly supportUrl: string | undefined
}

/** One interaction in progress, from its arrival to its line in the log. */
export class InteractionRun {
  readonly reference = randomUUID().slice(0, 8)
  /** The route's name, for logs and metrics. */
  name: string
  /** `superseded`: a later click on the same message was answered in its place. */
  outcome: FailureKind | 'ok' | 'superseded' = 'ok'
  readonly #services: RunServices
  #onProgress: OnProgress = () => {}
  #interaction: Interaction | undefined

  constructor(services: RunServices, name: string) {
    this.#services = services
    this.name = name
  }

  /** @throws {NotAllowedError} and what reading the installation, the person or the access rules throws */
  async admit(origin: Origin, needs: Needs): Promise<Interaction> {
    const { team, userId, channel, channelName = '', isInView = false } = origin
    const { store, guards } = this.#services
    store.prefetch(team, channel)
    const actor = await guards.admit(team, userId, needs)
    const onProgress: OnProgress = (mrkdwn) => this.#onProgress(mrkdwn)
    const where = { channel, channelName, isInView }
    this.#interaction = { actor, tenant: actor.tenant, ...where, fallback: {}, onProgress }
    return this.#interaction
  }

  /** Turns errors into apologies: the result never rejects. */
  catchErrors(work: () => Promise<Answer | undefined>): MakeAnswer {
    return async (onProgress) => {
      this.#onProgress = onProgress
      try {
        return await work()
      } catch (error) {
        return this.apologize(error)
      }
    }
  }

  /** Authorizes the person and runs the route's handler. The result never rejects. */
  runRoute(route: Handler<readonly []>, origin: Origin): MakeAnswer {
    return this.catchErrors(async () => {
      const { needs } = route
      if (route.handle) return route.handle(await this.admit(origin, needs))
      const work = async (onProgress: OnProgress) => {
        this.#onProgress = onProgress
        return route.openModal(await this.admit(origin, needs))
      }
      const viewFor = (error: unknown) => answerModal(this.apologize(error), origin)
      return this.#services.modals.open(this.modalTarget(origin), work, viewFor)
    })
  }

  async installation(team: Tenant): Promise<Installation> {
    // The admitted person's one still updates the modal if the app was uninstalled in the meantime.
    return this.#interaction?.actor.installation ?? this.#services.guards.installation(team)
  }

  modalTarget({ team, channel, triggerId = '', modalId }: Origin): ModalTarget {
    return { installation: () => this.installation(team), team, channel, triggerId, modalId }
  }

  /** Describes the error for the person, and logs it. */
  apologize(error: unknown): Answer {
    const { supportUrl, log } = this.#services
    const { actor, fallback } = this.#interaction ?? {}
    const isAdmin = actor?.person.isAdmin ?? false
    const context = { isAdmin, reference: this.reference, request: fallback?.request, supportUrl }
    const failure = describeFailure(error, context)
    this.outcome = failure.kind
    if (failure.kind === 'error') log.error({ err: error }, 'unexpected')
    else {
      const cause = error instanceof Error ? error.message : 'unknown'
      log.info({ outcome: failure.kind, cause }, 'refused')
    }
    return apology(failure, context, fallback)
  }
}

/** Runs interactions under references of their own, and logs and counts their outcomes. */
export class Interactions {
  readonly #services: RunServices
  readonly #log

  constructor(services: RunServices) {
    this.#services = services
    // A line per interaction holds nothing secret, and redaction takes half of its time.
    this.#log = services.log.child({}, { redact: [] })
  }

  /**
   * Never rejects: errors are only logged, because an apology could not be delivered.
   * @param name for logs and metrics, until the work sets the route's name
   */
  run(name: string, work: (run: InteractionRun) => Promise<void>): Promise<void> {
    const { store, requestIds, metrics, log } = this.#services
    const run = new InteractionRun(this.#services, name)
    const start = performance.now()
    return requestIds.run(run.reference, async () => {
      try {
        await store.database.shareReads(() => work(run))
      } catch (error) {
        run.outcome = describeFailure(error).kind
        const level = run.outcome === 'error' ? 'error' : 'warn'
        log[level]({ err: error, interaction: run.name }, 'an interaction failed')
      }
      const { name: interaction, outcome } = run
      const ms = performance.now() - start
      metrics.count('interactions_total', { interaction, outcome })
      metrics.time('interaction_seconds', { interaction }, ms)
      this.#log.info({ interaction, outcome, ms: Math.round(ms) }, 'interaction')
    })
  }
}
