import { App, type Receiver, type types, type ViewResponseAction, type ViewSubmitAction } from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { ForgedValueError } from '../blocks/actions.ts'
import { escapeText, type Option } from '../blocks/blocks.ts'
import { type Answer, doneAnswer, type Reply } from '../deliver/answers.ts'
import { offerAgain } from '../deliver/apologies.ts'
import { type Clicks, toMessageClick, toModalClick } from '../deliver/clicks.ts'
import type { Exchange } from '../deliver/exchange.ts'
import { answerModal, type Modals, type ModalTarget, messageModal, waitingText } from '../deliver/modals.ts'
import { ACKNOWLEDGE_WITHIN_MS, type Replies } from '../deliver/replies.ts'
import * as payloads from '../inbound/payloads.ts'
import type { Interactions } from './interactions.ts'
import { type FoundClick, RouteTable } from './route-table.ts'
import type { EventRoute, Handler, Routes, SubmissionResult, SubmissionRoute } from './routes.ts'

interface RouterServices {
  readonly log: Log
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
  readonly clicks: Clicks
}

interface Received<Response = never> {
  readonly body: unknown
  ack(response?: Response): Promise<void>
}

/**
 * Each request goes one way: parse it, find its route, admit the person, run the handler, reply.
 *
 * |            | acknowledged               | if the handler is slow            | if the reply can't be delivered    |
 * | ---------- | -------------------------- | --------------------------------- | ---------------------------------- |
 * | command    | within 2 s, with an answer | its announcement, then the answer | is logged                          |
 * | message    | at once                    | its announcement, then the answer | is logged                          |
 * | modal      | at once                    | nothing                           | is logged; the modal stays         |
 * | Home tab   | at once                    | a waiting modal after 0.7 s       | is logged                          |
 * | shortcut   | at once                    | a waiting modal after 0.7 s       | an apology below the message      |
 * | submission | within 2 s                 | a waiting modal after 2 s         | is logged                          |
 * | options    | with the options           | nothing: Slack gives up after 3 s | is logged                          |
 * | event      | at once, or once handled   | nothing                           |                                    |
 *
 * A handler with `opensModal` shows a waiting modal after 0.7 s, for every kind of request. `Interactions` logs what an
 * `on…` method throws, and apologizes. The receiver acknowledges after 2.9 s what the router didn't.
 */
class Router {
  readonly #routes: RouteTable
  readonly #services: RouterServices

  constructor(routes: Routes, services: RouterServices) {
    this.#routes = new RouteTable(routes)
    this.#services = services
  }

  async onCommand(exchange: Exchange, { body, ack }: Received<unknown>): Promise<void> {
    const command = payloads.parseCommand(body)
    const { name, route, words } = this.#routes.forCommand(command)
    exchange.name = name
    const answering = this.#answer(exchange, command.origin, route, { words })
    await this.#services.replies.replyToCommand(exchange, command, ack, answering)
  }

  async onClick(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    const click = payloads.parseClick(body)
    const found = this.#routes.forClick(click.action)
    exchange.name = found.name
    // Slack may deliver a click twice.
    if (!this.#services.clicks.markDelivered(toMessageClick(click.origin, click.replyTo))) {
      exchange.outcome = 'superseded'
      return
    }
    // A modal that can't open is offered again; other handlers say themselves what they offer.
    if (found.route.opensModal) exchange.retry = offerAgain(click.action)
    if (click.view) await this.#onViewClick(exchange, click, found)
    else await this.#onMessageClick(exchange, click, found)
  }

  /**
   * Replaces the message with the answer, or posts the answer below it. A route with a modal never replaces it: if the modal
   * can't open, the apology is posted below. If a person clicks several times, the answer to the latest click stays.
   */
  async #onMessageClick(exchange: Exchange, click: payloads.Click, found: FoundClick): Promise<void> {
    const { route } = found
    const { origin, replyTo } = click
    // An answer needs it; a modal opens with the `trigger_id`.
    if (!route.opensModal && replyTo.responseUrl === undefined)
      throw new ForgedValueError('a click without a response_url')
    const replacesOriginal = found.replacesOriginal && !route.opensModal
    // Marked before the handler runs, so that a superseded click asks the phone service nothing.
    if (replacesOriginal && !this.#services.clicks.markIfNewest(toMessageClick(origin, replyTo))) {
      exchange.outcome = 'superseded'
      return
    }
    const answering = this.#answer(exchange, origin, route, { click })
    await this.#services.replies.replyToClick(exchange, { origin, replyTo, replacesOriginal }, answering)
  }

  /** The reply replaces the modal, or opens one from the Home tab. */
  async #onViewClick(exchange: Exchange, click: payloads.Click, { route }: FoundClick): Promise<void> {
    if (click.view?.type === 'home') {
      await this.#replyInModal(exchange, click.origin, { ...route, opensModal: true }, { click })
      return
    }
    const modalClick = toModalClick(click)
    // The handler runs in any case; only the answer to the latest click is shown.
    this.#services.clicks.markIfNewest(modalClick)
    await this.#replyInModal(exchange, { ...click.origin, click: modalClick }, route, { click })
  }

  /** Answers in a modal, because the message isn't ours. */
  async onShortcut(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    const { callbackId, origin, message } = payloads.parseShortcut(body)
    const { name, route } = this.#routes.forShortcut(callbackId)
    exchange.name = name
    await this.#replyInModal(exchange, origin, route, { message })
  }

  /** Errors stay in the form, and a view replaces it. An answer is shown on the message whose button opened the form. */
  async onSubmission(exchange: Exchange, { body, ack }: Received<ViewResponseAction>): Promise<void> {
    const { interactions, clicks, replies } = this.#services
    let submission: payloads.Submission
    try {
      submission = payloads.parseSubmission(body)
    } catch (error) {
      const { message } = interactions.toApology(exchange, error)
      await ack(toUpdate(messageModal(message.text)))
      return
    }
    const { view } = submission
    const { openedBy, ...origin } = submission.origin
    const { name, route } = this.#routes.forSubmission(view.callback_id)
    exchange.name = name
    // Undefined if no message opened the form, or if that is too old: then the modal shows the answer, without sharing.
    const replyTo = openedBy && clicks.renew(origin, openedBy)
    const submitting = this.#submit(exchange, { ...origin, isInView: !replyTo }, route, view)
    try {
      await this.#acknowledgeSubmission(exchange, origin, ack, submitting)
    } finally {
      // The message shows its answer even if the waiting modal can't be replaced.
      const { answer } = await submitting
      if (answer && replyTo)
        await replies.replyToClick(exchange, { origin, replyTo, replacesOriginal: true }, answer)
    }
  }

  /** Acknowledges with the result, or with a waiting modal, which the result then replaces. */
  async #acknowledgeSubmission(
    exchange: Exchange,
    target: ModalTarget,
    ack: Received<ViewResponseAction>['ack'],
    submitting: Promise<SubmissionResult>,
  ): Promise<void> {
    const result = await withTimeout(submitting, ACKNOWLEDGE_WITHIN_MS)
    if (result !== timedOut) return ack(toAcknowledgement(result))
    await ack(toUpdate(messageModal(waitingText)))
    await this.#services.modals.replaceWaiting(exchange, target, toLateView(submitting))
  }

  /** A menu can't show an error, so it stays empty. */
  async onOptions(exchange: Exchange, { body, ack }: Received<{ options: Option[] }>): Promise<void> {
    const { interactions } = this.#services
    let options: readonly Option[] = []
    try {
      const { actionId, typed, origin } = payloads.parseOptions(body)
      const { name, route } = this.#routes.forOptions(actionId)
      exchange.name = name
      const interaction = await interactions.admit(exchange, origin, route.needs)
      options = await route.handle({ interaction, typed })
    } catch (error) {
      interactions.toApology(exchange, error)
    }
    await ack({ options: [...options] })
  }

  /** Every route receives the event, even if another one fails. @throws if one fails that must succeed */
  async onEvent(body: unknown): Promise<void> {
    const event = payloads.parseEvent(body)
    const routes = this.#routes.forEvent(event.event.type)
    const handledRoutes = new Set<EventRoute>()
    const handling = routes.map((route) =>
      this.#services.interactions.run(`event ${route.event}`, async () => {
        await route.handle(event)
        handledRoutes.add(route)
      }),
    )
    await Promise.all(handling)
    const mustRepeat = routes.some((route) => route.mustSucceed && !handledRoutes.has(route))
    // The error was logged; the receiver doesn't acknowledge the event.
    if (mustRepeat) throw new Error('an event was not handled')
  }

  /** Shows the handler's modal, or returns the answer that is still to be delivered. Never rejects. */
  async #answer<Details>(
    exchange: Exchange,
    origin: payloads.Origin,
    route: Handler<Details>,
    details: Details,
  ): Promise<Answer | undefined> {
    const replying = this.#runHandler(exchange, origin, route, details)
    try {
      return await this.#services.modals.showReply(exchange, origin, replying, route)
    } catch (error) {
      return this.#services.interactions.toApology(exchange, error)
    }
  }

  /** Shows the reply in a modal, even if it is an answer. */
  async #replyInModal<Details>(
    exchange: Exchange,
    target: payloads.Origin & ModalTarget,
    route: Handler<Details>,
    details: Details,
  ): Promise<void> {
    const { modals } = this.#services
    const replying = this.#runHandler(exchange, target, route, details)
    const answer = await modals.showReply(exchange, target, replying, route)
    if (answer) await modals.show(exchange, target, answerModal(answer, target))
  }

  /** Admits the person and runs the handler. Never rejects: the reply to an error is an apology. */
  async #runHandler<Details>(
    exchange: Exchange,
    origin: payloads.Origin,
    route: Handler<Details>,
    details: Details,
  ): Promise<Reply | undefined> {
    const { interactions } = this.#services
    try {
      const interaction = await interactions.admit(exchange, origin, route.needs)
      return await route.handle({ interaction, ...details })
    } catch (error) {
      return interactions.toApology(exchange, error)
    }
  }

  /** Without a message to show it on, an answer replaces the form. Never rejects: an apology replaces the form, too. */
  async #submit(
    exchange: Exchange,
    origin: payloads.Origin,
    route: Omit<SubmissionRoute, 'view'>,
    view: payloads.ViewPayload,
  ): Promise<SubmissionResult> {
    const { interactions } = this.#services
    try {
      const interaction = await interactions.admit(exchange, origin, route.needs)
      const result = await route.handle({ interaction, view })
      const answer = result.answer?.catch((error: unknown) => interactions.toApology(exchange, error))
      const needsModal = answer && !result.view && origin.isInView
      if (!needsModal) return { ...result, answer }
      return { view: answerModal((await answer) ?? doneAnswer, origin) }
    } catch (error) {
      return { view: answerModal(interactions.toApology(exchange, error), origin) }
    }
  }
}

const toUpdate = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

/** Without errors or a view, the modal closes. */
function toAcknowledgement({ errors, view }: SubmissionResult): ViewResponseAction | undefined {
  if (errors) return { response_action: 'errors', errors: { ...errors } }
  return view && toUpdate(view)
}

/** The waiting modal has no inputs that errors could be shown below. */
async function toLateView(submitting: Promise<SubmissionResult>): Promise<types.ModalView> {
  const { errors, view } = await submitting
  if (view) return view
  if (!errors) return messageModal('Done.')
  // Errors are plain text.
  return messageModal(escapeText(Object.values(errors).join('\n')))
}

/** Registers one listener of Bolt for each kind of request; the routes are found by the router. */
export function connectRoutes(receiver: Receiver, routes: Routes, services: RouterServices): void {
  const { interactions, log } = services
  const router = new Router(routes, services)
  const app = new App({
    receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // The guards look up the installation, because they can answer the person.
    authorize: async () => ({}),
  })
  // Slack nests `team_access_revoked` once more, so `app.event` would not recognize it.
  app.use(async ({ body, next }) => {
    if (body.type === 'event_callback') return router.onEvent(body)
    return next()
  })
  // With the payload, `interactions` can post an apology; the other requests show their own.
  app.command(/./, (request) =>
    interactions.run('command', (exchange) => router.onCommand(exchange, request), request.body),
  )
  app.action({ type: 'block_actions' }, (request) =>
    interactions.run('click', (exchange) => router.onClick(exchange, request), request.body),
  )
  app.shortcut({ type: 'message_action' }, (request) =>
    interactions.run('shortcut', (exchange) => router.onShortcut(exchange, request), request.body),
  )
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (request) =>
    interactions.run('submission', (exchange) => router.onSubmission(exchange, request)),
  )
  app.options(/.*/, (request) => interactions.run('menu', (exchange) => router.onOptions(exchange, request)))
}
