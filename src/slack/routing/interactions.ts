import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics/instruments.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import type { Installation } from '../api/installations.ts'
import { ForgedValueError } from '../blocks/values.ts'
import { type Answer, apology, type MakeAnswer, type OnProgress } from '../deliver/answer.ts'
import { describeFailure, type FailureKind } from '../deliver/failures.ts'
import {
  answerModal,
  inMessagesModal,
  type Modals,
  type ModalTarget,
  noticeModal,
} from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import type { Guarded, Interaction } from './routes.ts'

/** Who asks, and where. */
export interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
  /** As the payload has it: `directmessage`, `privategroup`, or its own; empty in a view. */
  readonly channelName?: string
}

/** A command, a click or a shortcut: it may open a modal. */
export interface Trigger extends Origin {
  readonly triggerId: string
  /** The modal that was clicked in, whose place another one takes. */
  readonly modalId?: string | undefined
}

/** One interaction under way, from its arrival to its line in the log. */
export class InteractionRun {
  readonly reference = randomUUID().slice(0, 8)
  readonly #services
  /** For its line in the log. */
  outcome: FailureKind | 'ok' = 'ok'
  /** For whoever delivers the answer to set. */
  onProgress: OnProgress = () => {}
  /** Once the person was let in. */
  #interaction: Interaction | undefined

  constructor(services: { guards: Guards; modals: Modals; log: Log; supportUrl: string | undefined }) {
    this.#services = services
  }

  /** Lets the person in. @throws whatever `Guards.admit` throws */
  async admit({ team, userId, channel, channelName = '' }: Origin, needs: Needs): Promise<Interaction> {
    const actor = await this.#services.guards.admit(team, userId, needs)
    const { tenant } = actor
    const onProgress: OnProgress = (mrkdwn) => this.onProgress(mrkdwn)
    this.#interaction = { actor, tenant, channel, channelName, fallback: {}, onProgress }
    return this.#interaction
  }

  /** Lets the person in and runs the route's handler; what goes wrong becomes an apology. Rejects never. */
  async attempt<Details extends readonly unknown[]>(
    route: Guarded<Details>,
    trigger: Trigger,
    ...details: Details
  ): Promise<Answer | undefined> {
    try {
      if (route.handle) return await route.handle(await this.admit(trigger, route.needs), ...details)
      const work = async (onProgress: OnProgress) => {
        this.onProgress = onProgress
        return route.openModal(await this.admit(trigger, route.needs), ...details)
      }
      const viewFor = (error: unknown) => answerModal(this.apologize(error), trigger)
      await this.#services.modals.open(this.modalTarget(trigger), work, viewFor)
      return undefined
    } catch (error) {
      return this.apologize(error)
    }
  }

  /** Answers in the direct message with the app. Rejects never. @returns what a modal says of it */
  answerDirectly(replies: Replies, { team, userId }: Origin, make: MakeAnswer): Promise<types.ModalView> {
    const token = async () => (await this.installation(team)).botToken
    return replies.direct(make, { team, userId, token }).then(
      () => inMessagesModal,
      (error: unknown) => noticeModal(this.apologize(error).message.text),
    )
  }

  /** @throws {NotInstalledError | SlackUnavailableError | TokenRefusedError | StoreError} */
  installation(team: Tenant): Promise<Installation> {
    return this.#services.guards.installation(team)
  }

  /** Where a modal for the person opens. */
  modalTarget({ team, channel, triggerId, modalId }: Trigger): ModalTarget {
    return { installation: () => this.installation(team), team, channel, triggerId, modalId }
  }

  /** Turns what went wrong into words for the person, and notes it. */
  apologize(error: unknown): Answer {
    const { actor, fallback } = this.#interaction ?? {}
    const isAdmin = actor?.person.isAdmin ?? false
    const { supportUrl } = this.#services
    const context = { isAdmin, reference: this.reference, request: fallback?.request, supportUrl }
    const failure = describeFailure(error, context)
    this.outcome = failure.kind
    if (failure.kind === 'error') this.#services.log.error({ err: error }, 'unexpected')
    else {
      const cause = error instanceof Error ? error.message : 'unknown'
      this.#services.log.info({ outcome: failure.kind, cause }, 'refused')
    }
    return apology(failure, context, fallback)
  }
}

export class Interactions {
  readonly #services

  constructor(services: {
    guards: Guards
    modals: Modals
    log: Log
    requestIds: RequestIds
    metrics: Metrics
    /** Whom apologies send people to. */
    supportUrl: string | undefined
  }) {
    this.#services = services
  }

  /** Rejects never: what `work` could not even apologize for is in the log. @param name for logs and metrics */
  run(name: string, work: (interaction: InteractionRun) => Promise<void>): Promise<void> {
    const { requestIds, metrics, log } = this.#services
    const interaction = new InteractionRun(this.#services)
    const start = performance.now()
    return requestIds.run(interaction.reference, async () => {
      try {
        await work(interaction)
      } catch (error) {
        // The answer itself could not be given: nobody is left to tell but the log.
        if (error instanceof ForgedValueError) interaction.apologize(error)
        else {
          interaction.outcome = 'error'
          log.error({ err: error, interaction: name }, 'an interaction failed')
        }
      }
      const { outcome } = interaction
      const ms = performance.now() - start
      metrics.count('interactions_total', { interaction: name, outcome })
      metrics.time('interaction_seconds', { interaction: name }, ms)
      log.info({ interaction: name, outcome, ms: Math.round(ms) }, 'interaction')
    })
  }
}
