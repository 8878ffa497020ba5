import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Log, RequestIds } from '../../log.ts'
import type { Metrics } from '../../metrics/instruments.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import type { Installation } from '../api/installations.ts'
import { ForgedValueError } from '../blocks/values.ts'
import { type Answer, apology, type MakeAnswer, type OnProgress } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import { describeFailure, type FailureKind } from '../deliver/failures.ts'
import { answerModal, type Modals, type ModalTarget } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { parsePayload } from '../inbound/payloads.ts'
import type { Guarded, Interaction } from './routes.ts'

interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
  /** As the payload has it: `directmessage`, `privategroup`, or its own; empty in a view. */
  readonly channelName?: string
  /** Of a command, a click or a shortcut: it may open a modal. */
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** Clicked in a modal or on the home tab. */
  readonly isInView?: boolean
}

interface RunServices {
  readonly guards: Guards
  readonly modals: Modals
  readonly replies: Replies
  readonly log: Log
  readonly supportUrl: string | undefined
}

/** One interaction under way, from its arrival to its line in the log. */
export class InteractionRun {
  readonly reference = randomUUID().slice(0, 8)
  /** For logs and metrics. */
  name: string
  /** `superseded`: a later click on the same message was answered in its place. */
  outcome: FailureKind | 'ok' | 'superseded' = 'ok'
  readonly #guards: Guards
  readonly #modals: Modals
  readonly #replies: Replies
  readonly #log: Log
  readonly #supportUrl: string | undefined
  #onProgress: OnProgress = () => {}
  #interaction: Interaction | undefined

  constructor({ guards, modals, replies, log, supportUrl }: RunServices, name: string) {
    this.name = name
    this.#guards = guards
    this.#modals = modals
    this.#replies = replies
    this.#log = log
    this.#supportUrl = supportUrl
  }

  async admit(origin: Origin, needs: Needs): Promise<Interaction> {
    const { team, userId, channel, channelName = '', isInView = false } = origin
    const actor = await this.#guards.admit(team, userId, needs)
    const onProgress: OnProgress = (mrkdwn) => this.#onProgress(mrkdwn)
    const where = { channel, channelName, isInView }
    this.#interaction = { actor, tenant: actor.tenant, ...where, fallback: {}, onProgress }
    return this.#interaction
  }

  /** What the work answers; what goes wrong becomes an apology. Rejects never. */
  answerOf(work: () => Promise<Answer | undefined>): MakeAnswer {
    return async (onProgress) => {
      this.#onProgress = onProgress
      try {
        return await work()
      } catch (error) {
        return this.apologize(error)
      }
    }
  }

  /** Lets the person in and runs the route's handler; what goes wrong becomes an apology. Rejects never. */
  attemptOf(route: Guarded<readonly []>, origin: Origin): MakeAnswer {
    return this.answerOf(async () => {
      const { needs } = route
      if (route.handle) return route.handle(await this.admit(origin, needs))
      const work = async (onProgress: OnProgress) => {
        this.#onProgress = onProgress
        return route.openModal(await this.admit(origin, needs))
      }
      const viewFor = (error: unknown) => answerModal(this.apologize(error), origin)
      return this.#modals.open(this.modalTarget(origin), work, viewFor)
    })
  }

  /** Answers a click on a message. @throws {SlackUnavailableError} */
  async answerClick(
    { team, channel, userId: user }: Origin,
    place: ClickPlace,
    make: MakeAnswer,
    replacesOriginal: boolean,
  ): Promise<void> {
    const click = { ...place, team, tenant: tenantKey(team), channel, user }
    const isNewest = await this.#replies.click(click, make, { replacesOriginal })
    if (!isNewest && this.outcome === 'ok') this.outcome = 'superseded'
  }

  async installation(team: Tenant): Promise<Installation> {
    // What stands in a modal is to be ended although the app was uninstalled since the person was let in.
    return this.#interaction?.actor.installation ?? this.#guards.installation(team)
  }

  modalTarget({ team, channel, triggerId = '', modalId }: Origin): ModalTarget {
    return { installation: () => this.installation(team), team, channel, triggerId, modalId }
  }

  /** Turns what went wrong into words for the person, and notes it. */
  apologize(error: unknown): Answer {
    const { actor, fallback } = this.#interaction ?? {}
    const isAdmin = actor?.person.isAdmin ?? false
    const supportUrl = this.#supportUrl
    const context = { isAdmin, reference: this.reference, request: fallback?.request, supportUrl }
    const failure = describeFailure(error, context)
    this.outcome = failure.kind
    if (failure.kind === 'error') this.#log.error({ err: error }, 'unexpected')
    else {
      const cause = error instanceof Error ? error.message : 'unknown'
      this.#log.info({ outcome: failure.kind, cause }, 'refused')
    }
    return apology(failure, context, fallback)
  }
}

type Ack<Response> = (response?: Response) => Promise<void>

interface Arrived<Payload, Route, Response> extends Pick<RunServices, 'replies' | 'modals'> {
  readonly payload: Payload
  readonly route: Route
  readonly origin: Origin
  readonly run: InteractionRun
  readonly ack: Ack<Response>
}

/** What people send of one kind: what it has of its own in the way that all of them take. */
export interface Kind<Payload, Route, Response = never> {
  readonly what: string
  readonly schema: z.ZodType<Payload>
  /** At once, or with the answer; `nothing` is acknowledged where no route leads anywhere. */
  readonly acknowledged: 'at once' | { readonly nothing?: Response }
  /** The route, with its name for logs and metrics; without a route, the id that leads nowhere. */
  find(payload: Payload): { readonly name: string; readonly route: Route | undefined }
  /** @throws {ForgedValueError} for a view that this app did not make, or where no workspace is named */
  origin(payload: Payload): Origin
  answer(arrived: Arrived<Payload, Route, Response>): Promise<void>
  /** Delivers an apology to whoever comes from nowhere or goes there; without it, where the payload has a `response_url`. */
  refuse?(apology: Answer, ack: Ack<Response>): Promise<void>
}

const answerable = z.object({ response_url: z.string() })

export class Interactions {
  readonly #services: RunServices
  readonly #log: Log
  readonly #requestIds: RequestIds
  readonly #metrics: Metrics

  constructor(
    services: RunServices & {
      readonly requestIds: RequestIds
      readonly metrics: Metrics
    },
  ) {
    this.#services = services
    this.#log = services.log
    this.#requestIds = services.requestIds
    this.#metrics = services.metrics
  }

  /** The way of everything that people send: acknowledge, find its route, let them in, run it, deliver or apologise. */
  handler<Payload extends object, Route, Response>(kind: Kind<Payload, Route, Response>) {
    const { what, acknowledged } = kind
    const { replies, modals } = this.#services
    return ({ body, ack }: { readonly body: unknown; readonly ack: Ack<Response> }): Promise<void> =>
      this.run(what, async (run) => {
        if (acknowledged === 'at once') await ack()
        let arrived: { readonly payload: Payload; readonly route: Route; readonly origin: Origin }
        try {
          const payload = parsePayload(kind.schema, body, what)
          arrived = { payload, route: this.#routeOf(kind, payload, run), origin: kind.origin(payload) }
        } catch (error) {
          const apology = run.apologize(error)
          if (kind.refuse) return kind.refuse(apology, ack)
          if (acknowledged !== 'at once') await ack(acknowledged.nothing)
          const responseUrl = answerable.safeParse(body).data?.response_url
          if (responseUrl !== undefined) await replies.refuse(apology, responseUrl)
          return
        }
        await kind.answer({ ...arrived, run, replies, modals, ack })
      })
  }

  /** @throws {ForgedValueError} where no route leads anywhere, as from a message of an older version */
  #routeOf<Payload, Route, Response>(
    { what, find }: Kind<Payload, Route, Response>,
    payload: Payload,
    run: InteractionRun,
  ): Route {
    const { name, route } = find(payload)
    if (!route) {
      this.#log.warn({ id: name.slice(0, 100) }, `a ${what} has no route`)
      throw new ForgedValueError(`a ${what} without a route`)
    }
    run.name = name
    return route
  }

  /**
   * Rejects never: an answer that could not be given is in the log.
   * @param name for logs and metrics, as long as no route has one of its own
   */
  run(name: string, work: (interaction: InteractionRun) => Promise<void>): Promise<void> {
    const run = new InteractionRun(this.#services, name)
    const start = performance.now()
    return this.#requestIds.run(run.reference, async () => {
      try {
        await work(run)
      } catch (error) {
        // Nobody is left to apologise to but the log.
        run.outcome = describeFailure(error).kind
        const level = run.outcome === 'error' ? 'error' : 'warn'
        this.#log[level]({ err: error, interaction: run.name }, 'an interaction failed')
      }
      const { name: interaction, outcome } = run
      const ms = performance.now() - start
      this.#metrics.count('interactions_total', { interaction, outcome })
      this.#metrics.time('interaction_seconds', { interaction }, ms)
      this.#log.info({ interaction, outcome, ms: Math.round(ms) }, 'interaction')
    })
  }
}
