import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import { type Answer, apology, type Fallback } from '../answers/answer.ts'
import { describeFailure, type FailureKind } from '../answers/error-texts.ts'
import type { Modals, ModalTarget } from '../answers/modals.ts'
import type { Interaction } from './routes.ts'

/** Who asks, and where. */
export interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
}

/** What a command or a click asks for: a handler that answers, or one that opens a modal. */
export interface InteractionRequest {
  readonly origin: Origin
  readonly triggerId: string
  readonly needs: Needs
  readonly handle: ((interaction: Interaction) => Promise<Answer | undefined>) | undefined
  readonly openModal: ((interaction: Interaction) => Promise<types.ModalView>) | undefined
}

/** One interaction under way, from its arrival to its line in the log. */
export class InteractionRun {
  readonly reference = randomUUID().slice(0, 8)
  readonly #services
  #outcome: FailureKind | 'ok' = 'ok'
  #isAdmin = false
  #fallback: Fallback = {}

  constructor(services: { guards: Guards; modals: Modals; log: Log; supportUrl: string | undefined }) {
    this.#services = services
  }

  get outcome(): FailureKind | 'ok' {
    return this.#outcome
  }

  /** Lets the person in. @throws whatever `Guards.admit` throws */
  async admit({ team, userId, channel }: Origin, needs: Needs): Promise<Interaction> {
    const actor = await this.#services.guards.admit(team, userId, needs)
    this.#isAdmin = actor.person.isAdmin
    const setFallback = (fallback: Fallback) => {
      this.#fallback = fallback
    }
    return { actor, tenant: actor.tenant, channel, setFallback }
  }

  /** Lets the person in and runs the handler; what goes wrong becomes an apology. Rejects never. */
  async attempt({ handle, openModal, ...request }: InteractionRequest): Promise<Answer | undefined> {
    try {
      if (handle) return await handle(await this.admit(request.origin, request.needs))
      if (openModal) await this.#open(request, this.admit(request.origin, request.needs).then(openModal))
      return undefined
    } catch (error) {
      return this.apologize(error)
    }
  }

  /** Where a modal of the asked person opens. */
  modalTarget({ origin, triggerId }: Pick<InteractionRequest, 'origin' | 'triggerId'>): ModalTarget {
    return { installation: () => this.#services.guards.installation(origin.team), triggerId }
  }

  /** Turns what went wrong into words for the person, and notes it. */
  apologize(error: unknown): Answer {
    const { supportUrl } = this.#services
    const { request } = this.#fallback
    const context = { isAdmin: this.#isAdmin, reference: this.reference, request, supportUrl }
    const failure = describeFailure(error, context)
    this.#outcome = failure.kind
    if (failure.kind === 'error') this.#services.log.error({ err: error }, 'unexpected')
    else {
      const cause = error instanceof Error ? error.message : 'unknown'
      this.#services.log.info({ outcome: failure.kind, cause }, 'refused')
    }
    return apology(failure, context, this.#fallback)
  }

  /** The answer itself could not be given: nobody is left to tell but the log. */
  failed(error: unknown, name: string): void {
    this.#outcome = 'error'
    this.#services.log.error({ err: error, interaction: name }, 'an interaction failed')
  }

  #open(
    request: Pick<InteractionRequest, 'origin' | 'triggerId'>,
    view: Promise<types.ModalView>,
  ): Promise<void> {
    return this.#services.modals.open(
      this.modalTarget(request),
      view,
      (error) => this.apologize(error).message.text,
    )
  }
}

export class Interactions {
  readonly #services

  constructor(services: {
    guards: Guards
    modals: Modals
    log: Log
    requestIds: RequestIds
    metrics: Pick<Metrics, 'interaction'>
    /** Whom apologies send people to. */
    supportUrl: string | undefined
  }) {
    this.#services = services
  }

  /** Rejects never: what `work` could not even apologize for is in the log. @param name for logs and metrics */
  run(name: string, work: (interaction: InteractionRun) => Promise<void>): Promise<void> {
    const interaction = new InteractionRun(this.#services)
    const start = performance.now()
    return this.#services.requestIds.run(interaction.reference, async () => {
      try {
        await work(interaction)
      } catch (error) {
        interaction.failed(error, name)
      }
      const { outcome } = interaction
      const ms = performance.now() - start
      this.#services.metrics.interaction(name, outcome, ms)
      this.#services.log.info({ interaction: name, outcome, ms: Math.round(ms) }, 'interaction')
    })
  }
}
