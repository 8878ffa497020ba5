import { App, type Receiver, type types, type ViewResponseAction, type ViewSubmitAction } from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import type { Option } from '../blocks/blocks.ts'
import { ForgedValueError } from '../blocks/written-values.ts'
import { type Answer, isModal, type Reply, textAnswer } from '../deliver/answers.ts'
import type { Clicks } from '../deliver/clicks.ts'
import type { Exchange } from '../deliver/exchange.ts'
import { type Modals, messageModal, waitingText } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { parseEvent } from '../inbound/events.ts'
import {
  findOrigin,
  findResponseUrl,
  type Origin,
  parseClick,
  parseCommand,
  parseOptions,
  parseShortcut,
  parseSubmission,
  type ViewPayload,
} from '../inbound/payloads.ts'
import type { Interactions } from './interactions.ts'
import { RouteTable } from './route-table.ts'
import type { Handler, Routes, SubmissionResult, SubmissionRoute } from './routes.ts'

/** Slack waits 3 s for the acknowledgement of a submission. */
const SUBMISSION_TIMEOUT_MS: Milliseconds = 2000

interface RouterServices {
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
  readonly clicks: Clicks
}

interface Received<Response = never> {
  readonly body: unknown
  ack(response?: Response): Promise<void>
}

/** Registers one listener of Bolt for each kind of request; the routes are found by the router. */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  { log, ...services }: RouterServices & { readonly log: Log },
): void {
  const { interactions } = services
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
  // Slack nests `team_access_revoked` once more, so `app.event` would not recognize it.
  app.use(async ({ body, next }) => {
    if (body.type === 'event_callback') return router.onEvent(body)
    return next()
  })
  app.command(/./, (request) =>
    interactions.run('command', (exchange) => router.onCommand(exchange, request)),
  )
  app.action({ type: 'block_actions' }, (request) =>
    interactions.run('click', (exchange) => router.onClick(exchange, request)),
  )
  app.shortcut({ type: 'message_action' }, (request) =>
    interactions.run('shortcut', (exchange) => router.onShortcut(exchange, request)),
  )
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (request) =>
    interactions.run('submission', (exchange) => router.onSubmission(exchange, request)),
  )
  app.options(/.*/, (request) => interactions.run('menu', (exchange) => router.onOptions(exchange, request)))
}

/** Each request goes one way: parse it, find its route, admit the person, run the handler, reply. */
class Router {
  readonly #routes: RouteTable
  readonly #services: RouterServices

  constructor(routes: Routes, services: RouterServices) {
    this.#routes = new RouteTable(routes)
    this.#services = services
  }

  /** The acknowledgement carries the answer if it is ready in time. */
  async onCommand(exchange: Exchange, { body, ack }: Received<string>): Promise<void> {
    try {
      const command = parseCommand(body)
      const { name, route, words } = this.#routes.forCommand(command)
      exchange.name = name
      const answering = this.#answer(exchange, command.origin, route, { words })
      await this.#services.replies.replyToCommand(exchange, command, ack, answering)
    } catch (error) {
      await this.#apologizeInChannel(exchange, error, body)
    }
  }

  /** The answer replaces the message that was clicked, or the modal. Of several clicks on a message, the latest wins. */
  async onClick(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    try {
      const click = parseClick(body)
      const { name, route, replacesOriginal } = this.#routes.forClick(click)
      exchange.name = name
      const origin = findOrigin(click.sender)
      if (click.view) {
        const answering = this.#answer(exchange, origin, route, { click })
        // From the home tab, an answer is certain: a waiting modal announces it.
        const opensModal = click.view.type === 'home' && !route.opensModal
        return await this.#replyInView(exchange, origin, answering, opensModal)
      }
      const { replyTo } = click
      // The answer would not be seen.
      if (!route.opensModal && replyTo.responseUrl === undefined)
        throw new ForgedValueError('a click without a response_url')
      // Marked before the handler runs, so that a superseded click asks the phone service nothing.
      if (!this.#services.clicks.markNewest({ ...origin, ...replyTo })) {
        exchange.outcome = 'superseded'
        return
      }
      const answering = this.#answer(exchange, origin, route, { click })
      await this.#services.replies.replyToClick(exchange, { origin, replyTo, replacesOriginal }, answering)
    } catch (error) {
      await this.#apologizeInChannel(exchange, error, body)
    }
  }

  /** Answers in a modal, because the message isn't ours. */
  async onShortcut(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    try {
      const { callbackId, sender, message } = parseShortcut(body)
      const { name, route } = this.#routes.forShortcut(callbackId)
      exchange.name = name
      const origin = findOrigin(sender)
      const answering = this.#answer(exchange, origin, route, { message })
      await this.#replyInView(exchange, origin, answering, false)
    } catch (error) {
      await this.#apologizeInChannel(exchange, error, body)
    }
  }

  /** Acknowledges with errors or the next view, and shows the answer on the message whose button opened the modal. */
  async onSubmission(exchange: Exchange, { body, ack }: Received<ViewResponseAction>): Promise<void> {
    try {
      const { sender, view } = parseSubmission(body)
      const { name, route } = this.#routes.forSubmission(view.callback_id)
      exchange.name = name
      const { openedBy, ...origin } = findOrigin(sender)
      const replyTo = openedBy && this.#services.clicks.isAnswerable(openedBy) ? openedBy : undefined
      const title = view.title?.text ?? 'Callboard'
      const waiting = toUpdate(messageModal(route.waiting ?? waitingText, { title }))
      const submitting = this.#submit(exchange, { ...origin, isInView: !replyTo }, route, view, title)
      const isLate = (await withTimeout(submitting, SUBMISSION_TIMEOUT_MS)) === timedOut
      if (isLate) await ack(waiting)
      const result = await submitting
      const answering = result.answer && this.#orApologize(exchange, result.answer)
      if (answering && !replyTo && !result.view) {
        if (!isLate) await ack(waiting)
        return await this.#replyInView(exchange, origin, answering, true)
      }
      if (isLate) await this.#services.modals.updateLate(exchange, origin, toLateView(result, title))
      else await ack(toAcknowledgement(result))
      if (!answering || !replyTo) return
      const { replacesOriginal = true } = result
      await this.#services.replies.replyToClick(exchange, { origin, replyTo, replacesOriginal }, answering)
    } catch (error) {
      if (isSlackFailure(error)) throw error
      const { message } = this.#services.interactions.apologize(exchange, error)
      await ack(toUpdate(messageModal(message.text)))
    }
  }

  /** A menu can't show an error, so it stays empty. */
  async onOptions(
    exchange: Exchange,
    { body, ack }: Received<{ readonly options: Option[] }>,
  ): Promise<void> {
    let options: readonly Option[] = []
    try {
      const { actionId, typed, sender } = parseOptions(body)
      const { name, route } = this.#routes.forOptions(actionId)
      exchange.name = name
      const interaction = await this.#services.interactions.admit(exchange, findOrigin(sender), route.needs)
      options = await route.handle({ interaction, typed })
    } catch (error) {
      this.#services.interactions.apologize(exchange, error)
    }
    await ack({ options: [...options] })
  }

  /** Every route receives the event, even if another one fails. */
  async onEvent(body: unknown): Promise<void> {
    const event = parseEvent(body)
    const { interactions } = this.#services
    const handling: Promise<void>[] = []
    for (const route of this.#routes.forEvent(event.event.type))
      handling.push(interactions.run(`event ${route.event}`, () => route.handle(event)))
    await Promise.all(handling)
  }

  /** Admits the person and runs the handler. Opens its modal, or returns its answer. Never rejects. */
  async #answer<Details>(
    exchange: Exchange,
    origin: Origin,
    route: Handler<Details>,
    details: Details,
  ): Promise<Answer | undefined> {
    const replying = this.#orApologize(exchange, this.#handle(exchange, origin, route, details))
    try {
      if (route.opensModal) return await this.#services.modals.open(exchange, origin, replying)
      const reply = await replying
      if (!isModal(reply)) return reply
      await this.#services.modals.show(exchange, origin, reply)
      return undefined
    } catch (error) {
      return this.#services.interactions.apologize(exchange, error)
    }
  }

  async #handle<Details>(
    exchange: Exchange,
    origin: Origin,
    route: Handler<Details>,
    details: Details,
  ): Promise<Reply | undefined> {
    const interaction = await this.#services.interactions.admit(exchange, origin, route.needs)
    return route.handle({ interaction, ...details })
  }

  /** Never rejects: an apology replaces the modal. */
  async #submit(
    exchange: Exchange,
    origin: Origin,
    route: Omit<SubmissionRoute, 'view'>,
    view: ViewPayload,
    title: string,
  ): Promise<SubmissionResult> {
    const { interactions } = this.#services
    try {
      const interaction = await interactions.admit(exchange, origin, route.needs)
      return await route.handle({ interaction, view })
    } catch (error) {
      return { view: messageModal(interactions.apologize(exchange, error).message.text, { title }) }
    }
  }

  async #orApologize<Result>(exchange: Exchange, work: Promise<Result>): Promise<Result | Answer> {
    try {
      return await work
    } catch (error) {
      return this.#services.interactions.apologize(exchange, error)
    }
  }

  /** @param opensWaiting whether an answer will follow: only then a waiting modal opens */
  async #replyInView(
    exchange: Exchange,
    origin: Origin,
    answering: Promise<Answer | undefined>,
    opensWaiting: boolean,
  ): Promise<void> {
    const { modals } = this.#services
    const showing = opensWaiting ? modals.open(exchange, origin, orDone(answering)) : answering
    const answer = await showing
    if (answer) await modals.showAnswer(exchange, origin, answer)
  }

  /** Below the message, where there is one. What Slack itself refused is only logged. */
  async #apologizeInChannel(exchange: Exchange, error: unknown, body: unknown): Promise<void> {
    if (isSlackFailure(error)) throw error
    const answer = this.#services.interactions.apologize(exchange, error)
    const responseUrl = findResponseUrl(body)
    if (responseUrl !== undefined) await this.#services.replies.apologize(answer, responseUrl)
  }
}

const isSlackFailure = (error: unknown): boolean =>
  error instanceof SlackUnavailableError || error instanceof TokenRefusedError

async function orDone(answering: Promise<Answer | undefined>): Promise<Answer> {
  return (await answering) ?? textAnswer('Done.')
}

const toUpdate = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

function toAcknowledgement({ errors, view }: SubmissionResult): ViewResponseAction | undefined {
  if (errors) return { response_action: 'errors', errors: { ...errors } }
  return view && toUpdate(view)
}

/** The waiting modal has no inputs that errors could be shown below. */
function toLateView({ errors, view }: SubmissionResult, title: string): types.ModalView {
  if (view) return view
  const text = errors ? Object.values(errors).join('\n') : 'Done. The answer is where you opened this.'
  return messageModal(text, { title })
}
