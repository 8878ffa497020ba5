import { randomUUID } from 'node:crypto'
import {
  type AnyMiddlewareArgs,
  App,
  type Receiver,
  type SlackViewMiddlewareArgs,
  type types,
  type ViewResponseAction,
  type ViewSubmitAction,
} from '@slack/bolt'
import { type Log, type RequestIds, slackLogger } from '../../log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Store } from '../../store/store.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Needs } from '../access/access-rules.ts'
import type { Guards } from '../access/guards.ts'
import type { Installation } from '../access/installations.ts'
import { SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import type { Option } from '../blocks/blocks.ts'
import { readOrigin } from '../blocks/view-metadata.ts'
import { ForgedValueError } from '../blocks/written-values.ts'
import { apology, describeFailure, type FailureKind } from '../deliver/failures.ts'
import { type Modals, type ModalTarget, noticeModal, waitingText } from '../deliver/modals.ts'
import type { Answer, MakeAnswer, OnProgress, Replies } from '../deliver/replies.ts'
import {
  clickPayloadSchema,
  commandPayloadSchema,
  eventPayloadSchema,
  findOrigin,
  type Origin,
  parsePayload,
  responseUrlSchema,
  shortcutPayloadSchema,
  submissionPayloadSchema,
  suggestionPayloadSchema,
} from '../inbound/payloads.ts'
import {
  type Handler,
  type Interaction,
  type MessageAnswer,
  type Routes,
  RouteTable,
  type SubmissionResult,
} from './routes.ts'

/** Slack waits 3 s for the acknowledgement of a submission. */
const SUBMISSION_TIMEOUT_MS: Milliseconds = 2000

interface RunServices {
  readonly store: Pick<Store, 'prefetch' | 'database'>
  readonly guards: Guards
  readonly modals: Modals
  readonly log: Log
  readonly requestIds: RequestIds
  readonly metrics: Metrics
  readonly supportUrl: string | undefined
}

export class InteractionRun {
  readonly reference = randomUUID().slice(0, 8)
  /** The route's name, for logs and metrics. */
  name: string
  /** `superseded`: a later click on the same message was answered instead. */
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
  catchErrors<Result>(work: () => Promise<Result>) {
    return async (onProgress: OnProgress): Promise<Result | Answer> => {
      this.#onProgress = onProgress
      try {
        return await work()
      } catch (error) {
        return this.apologize(error)
      }
    }
  }

  runRoute(route: Handler<readonly []>, origin: Origin): MakeAnswer {
    const { needs } = route
    if (route.handle) return this.catchErrors(async () => route.handle(await this.admit(origin, needs)))
    const work = this.catchErrors(async () => route.openModal(await this.admit(origin, needs)))
    return this.catchErrors(() => this.#services.modals.open(this.modalTarget(origin), work))
  }

  async installation(team: Tenant): Promise<Installation> {
    // This installation still updates the modal after the app was uninstalled.
    return this.#interaction?.actor.installation ?? this.#services.guards.installation(team)
  }

  moveToView(): void {
    if (this.#interaction) this.#interaction.isInView = true
  }

  modalTarget({ team, channel, triggerId = '', modalId }: Origin): ModalTarget {
    return { installation: () => this.installation(team), team, channel, triggerId, modalId }
  }

  apologize(error: unknown): Answer {
    const { supportUrl, log } = this.#services
    const { actor, fallback } = this.#interaction ?? {}
    const context = { isAdmin: actor?.person.isAdmin ?? false, reference: this.reference, supportUrl }
    const { kind, message } = apology(error, context, fallback)
    this.outcome = kind
    if (kind === 'error') log.error({ err: error }, 'unexpected')
    else log.info({ outcome: kind, cause: error instanceof Error ? error.message : 'unknown' }, 'refused')
    return { message }
  }
}

export class Interactions {
  readonly #services: RunServices
  readonly #log

  constructor(services: RunServices) {
    this.#services = services
    // Redaction takes half of a line's time, and these lines hold nothing secret.
    this.#log = services.log.child({}, { redact: [] })
  }

  /** Never rejects: errors are only logged, because an apology could not be delivered. */
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

interface RouterServices {
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
}

interface Received<Response = never> {
  readonly body: unknown
  ack(response?: Response): Promise<void>
}

/** Uses one middleware of Bolt, because each listener costs time on every request. */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  { log, ...services }: RouterServices & { readonly log: Log },
): void {
  const router = new Router(routes, services)
  const app = new App({
    receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // The guards look up the installation, because they can answer the person.
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    log.error({ err: error }, 'a listener failed')
  })
  app.use(async (payload) => {
    if ('command' in payload) return router.command(payload)
    if ('action' in payload && payload.body.type === 'block_actions') return router.action(payload)
    if ('shortcut' in payload && payload.body.type === 'message_action') return router.shortcut(payload)
    if ('event' in payload) return router.event(payload)
    if (isSubmission(payload)) return router.submission(payload)
    return payload.next()
  })
  app.options(/.*/, (payload) => router.options(payload))
}

const isSubmission = (args: AnyMiddlewareArgs): args is SlackViewMiddlewareArgs<ViewSubmitAction> =>
  'view' in args && args.body.type === 'view_submission'

const toUpdate = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

class Router {
  readonly #routes: RouteTable
  readonly #services: RouterServices

  constructor(routes: Routes, services: RouterServices) {
    this.#routes = new RouteTable(routes)
    this.#services = services
  }

  command({ body, ack }: Received<string>): Promise<void> {
    return this.#run('command', body, async (run) => {
      const payload = parsePayload(commandPayloadSchema, body, 'command')
      const { name, route } = this.#routes.command(payload)
      run.name = name
      const { channel_id: channel, channel_name: channelName, trigger_id: triggerId } = payload
      const team = { enterpriseId: payload.enterprise_id, teamId: payload.team_id }
      const origin = { team, userId: payload.user_id, channel, channelName, triggerId }
      const to = { team, responseUrl: payload.response_url, ack }
      await this.#services.replies.command(run.runRoute(route, origin), to)
    })
  }

  action({ body, ack }: Received): Promise<void> {
    return this.#run('click', body, async (run) => {
      await ack()
      const payload = parsePayload(clickPayloadSchema, body, 'click')
      const { view, container, response_url: responseUrl, actions } = payload
      const [{ action_ts: actionTs }] = actions
      const place = { responseUrl, message: container?.message_ts ?? '', actionTs, viewId: view?.id }
      const { name, route, replacesOriginal } = this.#routes.action(payload, place)
      run.name = name
      const origin = findOrigin(payload)
      const answer = run.runRoute(route, origin)
      if (view) {
        const willAnswer = route.handle !== undefined && view.type === 'home'
        return this.#services.modals.answer(run.modalTarget(origin), answer, willAnswer)
      }
      // The handler's answer would not be seen.
      if (route.handle && responseUrl === undefined)
        throw new ForgedValueError('a click without a response_url')
      await this.#answerClick(run, origin, { place, replacesOriginal, answer })
    })
  }

  /** Answers in a modal, because the message isn't ours. */
  shortcut({ body, ack }: Received): Promise<void> {
    return this.#run('shortcut', body, async (run) => {
      await ack()
      const payload = parsePayload(shortcutPayloadSchema, body, 'shortcut')
      const { name, route } = this.#routes.shortcut(payload)
      run.name = name
      const origin = findOrigin(payload)
      await this.#services.modals.answer(run.modalTarget(origin), run.runRoute(route, origin), false)
    })
  }

  submission({ body, ack }: Received<ViewResponseAction>): Promise<void> {
    const { modals, replies } = this.#services
    const work = async (run: InteractionRun) => {
      const { user, view } = parsePayload(submissionPayloadSchema, body, 'submission')
      const { name, route } = this.#routes.submission(view.callback_id)
      run.name = name
      const origin: Origin = { ...readOrigin(view), userId: user.id, modalId: view.id }
      const title = view.title?.text ?? 'Callboard'
      const waitingModal = noticeModal(route.waiting ?? waitingText, { title })
      const working = run
        .admit(origin, route.needs)
        .then((interaction) => route.handle(interaction, view))
        .catch((error): SubmissionResult => {
          return { view: noticeModal(run.apologize(error).message.text, { title }) }
        })
      const isLate = (await withTimeout(working, SUBMISSION_TIMEOUT_MS)) === timedOut
      if (isLate) await ack(toUpdate(waitingModal))
      const result = await working
      const onMessage = 'view' in result ? result.inMessage : 'place' in result ? result : undefined
      const answer = run.catchErrors(async () => onMessage?.answer())
      const isAnswerable = onMessage !== undefined && replies.clicks.isAnswerable(onMessage.place)
      if ('place' in result && !isAnswerable) {
        // The answer can't be shown on a message, so it replaces the form.
        run.moveToView()
        if (!isLate) await ack(toUpdate(waitingModal))
        return modals.answer(run.modalTarget(origin), answer, true)
      }
      if (isLate)
        await modals.tryUpdate(await run.installation(origin.team), view.id, toLateView(result, title))
      else await ack(toAcknowledgement(result))
      if (isAnswerable) await this.#answerClick(run, origin, { ...onMessage, answer })
    }
    return this.#run('submission', body, work, ({ message }) => ack(toUpdate(noticeModal(message.text))))
  }

  /** A menu can't show an error, so it stays empty. */
  options({ body, ack }: Received<{ readonly options: Option[] }>): Promise<void> {
    return this.#services.interactions.run('menu', async (run) => {
      let options: readonly Option[] = []
      try {
        const payload = parsePayload(suggestionPayloadSchema, body, 'menu')
        const { name, route } = this.#routes.options(payload.action_id)
        run.name = name
        options = await route.handle(await run.admit(findOrigin(payload), route.needs), payload.value)
      } catch (error) {
        run.apologize(error)
      }
      await ack({ options: [...options] })
    })
  }

  /** Every route receives the event, even if another one fails. */
  async event({ body }: Pick<Received, 'body'>): Promise<void> {
    const event = parsePayload(eventPayloadSchema, body, 'event')
    const routes = this.#routes.events(event.event.type)
    await Promise.all(
      routes.map((route) =>
        this.#services.interactions.run(`event ${route.event}`, () => route.handle(event)),
      ),
    )
  }

  /** Apologizes for errors before the delivery, by default below the message; later ones are only logged. */
  #run(
    type: string,
    body: unknown,
    work: (run: InteractionRun) => Promise<void>,
    refuse?: (apology: Answer) => Promise<void>,
  ): Promise<void> {
    return this.#services.interactions.run(type, async (run) => {
      try {
        await work(run)
      } catch (error) {
        if (error instanceof SlackUnavailableError || error instanceof TokenRefusedError) throw error
        const apology = run.apologize(error)
        if (refuse) return refuse(apology)
        const { data } = responseUrlSchema.safeParse(body)
        if (data) await this.#services.replies.refuse(apology, data.response_url)
      }
    })
  }

  async #answerClick(
    run: InteractionRun,
    { team, channel, userId: user }: Origin,
    { place, replacesOriginal, answer }: Omit<MessageAnswer, 'answer'> & { readonly answer: MakeAnswer },
  ): Promise<void> {
    const click = { ...place, team, tenant: tenantKey(team), channel, user }
    const isNewest = await this.#services.replies.click(click, answer, { replacesOriginal })
    if (!isNewest && run.outcome === 'ok') run.outcome = 'superseded'
  }
}

function toAcknowledgement(result: SubmissionResult): ViewResponseAction | undefined {
  if ('errors' in result) return { response_action: 'errors', errors: { ...result.errors } }
  return 'view' in result ? toUpdate(result.view) : undefined
}

/** The waiting modal has no inputs that errors could be shown below. */
function toLateView(result: SubmissionResult, title: string): types.ModalView {
  if ('view' in result) return result.view
  const text =
    'errors' in result
      ? Object.values(result.errors).join('\n')
      : 'Done. The answer is where you opened this.'
  return noticeModal(text, { title })
}
