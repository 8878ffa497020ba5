import type { ViewResponseAction } from '@slack/bolt'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { isSlackFailure } from '../api/web-api.ts'
import type { Option } from '../blocks/blocks.ts'
import { ForgedValueError } from '../blocks/written-values.ts'
import { type Answer, doneAnswer, isModal, type Reply } from '../deliver/answers.ts'
import { type Clicks, toModalClick } from '../deliver/clicks.ts'
import type { Exchange } from '../deliver/exchange.ts'
import { answerModal, type Modals, type ModalTarget, messageModal, waitingText } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import * as payloads from '../inbound/payloads.ts'
import { clickAgain } from './click-again.ts'
import type { Interactions } from './interactions.ts'
import { type FoundClick, RouteTable } from './route-table.ts'
import type { EventRoute, Handler, Routes, SubmissionResult, SubmissionRoute } from './routes.ts'
import { toAcknowledgement, toLateView, toUpdate } from './submission-views.ts'

/** Slack waits 3 s for the acknowledgement of a submission. */
const SUBMISSION_TIMEOUT_MS: Milliseconds = 2000

export interface RouterServices {
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
  readonly clicks: Clicks
}

interface Received<Response = never> {
  readonly body: unknown
  ack(response?: Response): Promise<void>
}

/** The error was logged; the receiver doesn't acknowledge the event. */
export class UnhandledEventError extends Error {
  override readonly name = 'UnhandledEventError'
}

/**
 * Each request goes one way: parse it, find its route, admit the person, run the handler, reply.
 *
 * |            | acknowledged               | if the handler is slow            | if the reply can't be delivered    |
 * | ---------- | -------------------------- | --------------------------------- | ---------------------------------- |
 * | command    | within 2 s, with an answer | its announcement, then the answer | is logged                          |
 * | message    | at once                    | its announcement, then the answer | is logged                          |
 * | modal      | at once                    | nothing                           | is logged                          |
 * | Home tab   | at once                    | a waiting modal after 0.7 s       | is logged                          |
 * | shortcut   | at once                    | a waiting modal after 0.7 s       | an apology below the message      |
 * | submission | within 2 s                 | a waiting modal after 2 s         | is logged                          |
 * | options    | with the options           | nothing: Slack gives up after 3 s | is logged                          |
 * | event      | at once, or once handled   | nothing                           |                                    |
 *
 * A handler with `opensModal` shows a waiting modal after 0.7 s, for every kind of request. `Interactions` logs what an
 * `on…` method throws. The receiver acknowledges after 2.9 s what the router didn't.
 */
export class Router {
  readonly #routes: RouteTable
  readonly #services: RouterServices

  constructor(routes: Routes, services: RouterServices) {
    this.#routes = new RouteTable(routes)
    this.#services = services
  }

  async onCommand(exchange: Exchange, { body, ack }: Received<string>): Promise<void> {
    try {
      const command = payloads.parseCommand(body)
      const { name, route, words } = this.#routes.forCommand(command)
      exchange.name = name
      const answering = this.#answer(exchange, command.origin, route, { words })
      await this.#services.replies.replyToCommand(exchange, command, ack, answering)
    } catch (error) {
      if (isSlackFailure(error)) throw error
      await this.#postApology(exchange, error, body)
    }
  }

  async onClick(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    try {
      const click = payloads.parseClick(body)
      const found = this.#routes.forClick(click)
      exchange.name = found.name
      if (!this.#services.clicks.markDelivered({ ...click.origin, ...click.replyTo })) {
        exchange.outcome = 'superseded'
        return
      }
      if (click.view?.type === 'home') await this.#openModal(exchange, click.origin, found.route, { click })
      else if (click.view) await this.#onModalClick(exchange, click, found)
      else await this.#onMessageClick(exchange, click, found)
    } catch (error) {
      if (isSlackFailure(error)) throw error
      await this.#postApology(exchange, error, body)
    }
  }

  /**
   * The answer replaces the message, or is posted below it; a modal leaves the message as it is, even if it can't open. If
   * one person clicks several times, the latest answer stays.
   */
  async #onMessageClick(exchange: Exchange, click: payloads.Click, found: FoundClick): Promise<void> {
    const { route } = found
    const { origin, replyTo } = click
    if (!route.opensModal && replyTo.responseUrl === undefined)
      throw new ForgedValueError('a click without a response_url')
    const replacesOriginal = found.replacesOriginal && !route.opensModal
    // Marked before the handler runs, so that a superseded click asks the phone service nothing.
    if (replacesOriginal && !this.#services.clicks.markNewest({ ...origin, ...replyTo })) {
      exchange.outcome = 'superseded'
      return
    }
    // A form that can't open is offered again; other handlers say themselves what they offer.
    if (route.opensModal) exchange.retry = clickAgain(click.action)
    const answering = this.#answer(exchange, origin, route, { click })
    await this.#services.replies.replyToClick(exchange, { origin, replyTo, replacesOriginal }, answering)
  }

  /** The answer replaces the modal. */
  async #onModalClick(exchange: Exchange, click: payloads.Click, { route }: FoundClick): Promise<void> {
    const { clicks, modals } = this.#services
    const { origin } = click
    const modalClick = toModalClick(click)
    clicks.markNewest(modalClick)
    const target = { ...origin, click: modalClick }
    const answer = await this.#answer(exchange, target, route, { click })
    if (answer) await modals.show(exchange, target, answerModal(answer, origin))
  }

  /** Answers in a modal, because the message isn't ours. */
  async onShortcut(exchange: Exchange, { body, ack }: Received): Promise<void> {
    await ack()
    try {
      const { callbackId, origin, message } = payloads.parseShortcut(body)
      const { name, route } = this.#routes.forShortcut(callbackId)
      exchange.name = name
      await this.#openModal(exchange, origin, route, { message })
    } catch (error) {
      await this.#postApology(exchange, error, body)
    }
  }

  async onSubmission(exchange: Exchange, { body, ack }: Received<ViewResponseAction>): Promise<void> {
    try {
      const submission = payloads.parseSubmission(body)
      const { name, route } = this.#routes.forSubmission(submission.view.callback_id)
      exchange.name = name
      await this.#onFormSubmission(exchange, submission, route, ack)
    } catch (error) {
      if (isSlackFailure(error)) throw error
      const { message } = this.#services.interactions.toApology(exchange, error)
      await ack(toUpdate(messageModal(message.text)))
    }
  }

  /** Errors stay in the form, and a view replaces it. An answer is shown on the message whose button opened the form. */
  async #onFormSubmission(
    exchange: Exchange,
    submission: payloads.Submission,
    route: Omit<SubmissionRoute, 'view'>,
    ack: Received<ViewResponseAction>['ack'],
  ): Promise<void> {
    const { clicks, modals, replies } = this.#services
    const { view } = submission
    const { openedBy, ...origin } = submission.origin
    const title = view.title?.text ?? 'Callboard'
    const replyTo = openedBy && clicks.renew(origin, openedBy)
    // An answer on a message may be shared there.
    const submitting = this.#submit(exchange, { ...origin, isInView: !replyTo }, route, view)
    const result = await withTimeout(submitting, SUBMISSION_TIMEOUT_MS)
    try {
      if (result === timedOut) {
        await ack(toUpdate(messageModal(route.waiting ?? waitingText, { title })))
        await modals.replaceWaiting(exchange, origin, toLateView(submitting, title))
      } else await ack(toAcknowledgement(result))
    } finally {
      // The message shows its answer even if the waiting modal can't be replaced.
      const { answer } = await submitting
      if (answer && replyTo)
        await replies.replyToClick(exchange, { origin, replyTo, replacesOriginal: true }, answer)
    }
  }

  /** A menu can't show an error, so it stays empty. */
  async onOptions(
    exchange: Exchange,
    { body, ack }: Received<{ readonly options: Option[] }>,
  ): Promise<void> {
    let options: readonly Option[] = []
    try {
      const { actionId, typed, origin } = payloads.parseOptions(body)
      const { name, route } = this.#routes.forOptions(actionId)
      exchange.name = name
      const interaction = await this.#services.interactions.admit(exchange, origin, route.needs)
      options = await route.handle({ interaction, typed })
    } catch (error) {
      this.#services.interactions.toApology(exchange, error)
    }
    await ack({ options: [...options] })
  }

  /** Every route receives the event, even if another one fails. @throws {UnhandledEventError} */
  async onEvent(body: unknown): Promise<void> {
    const event = payloads.parseEvent(body)
    const { interactions } = this.#services
    let isUnhandled = false
    const handle = async (route: EventRoute) => {
      try {
        await route.handle(event)
      } catch (error) {
        if (route.mustSucceed) isUnhandled = true
        throw error
      }
    }
    const handling: Promise<void>[] = []
    for (const route of this.#routes.forEvent(event.event.type))
      handling.push(interactions.run(`event ${route.event}`, () => handle(route)))
    await Promise.all(handling)
    if (isUnhandled) throw new UnhandledEventError()
  }

  /** Shows the handler's modal, or returns the answer that is still to be delivered. Never rejects. */
  async #answer<Details>(
    exchange: Exchange,
    target: payloads.Origin & ModalTarget,
    route: Handler<Details>,
    details: Details,
  ): Promise<Answer | undefined> {
    const { modals } = this.#services
    const replying = this.#reply(exchange, target, route, details)
    try {
      if (route.opensModal) return await modals.open(exchange, target, replying)
      const reply = await replying
      if (!isModal(reply)) return reply
      await modals.show(exchange, target, reply)
      return undefined
    } catch (error) {
      return this.#services.interactions.toApology(exchange, error)
    }
  }

  /** Admits the person and runs the handler. Never rejects: the reply to an error is an apology. */
  async #reply<Details>(
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

  /** Shows the reply in a new modal. */
  async #openModal<Details>(
    exchange: Exchange,
    origin: payloads.Origin,
    route: Handler<Details>,
    details: Details,
  ): Promise<void> {
    const { modals } = this.#services
    const replying = this.#reply(exchange, origin, route, details)
    const answer = await modals.open(exchange, origin, orDone(replying))
    if (answer) await modals.show(exchange, origin, answerModal(answer, origin))
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
      if (!result.answer) return result
      const answering = this.#orApologize(exchange, result.answer)
      if (result.view || !origin.isInView) return { ...result, answer: answering }
      return { view: answerModal((await answering) ?? doneAnswer, origin) }
    } catch (error) {
      const { message } = interactions.toApology(exchange, error)
      return { view: messageModal(message.text, { title: view.title?.text ?? 'Callboard' }) }
    }
  }

  async #orApologize(
    exchange: Exchange,
    answering: Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    try {
      return await answering
    } catch (error) {
      return this.#services.interactions.toApology(exchange, error)
    }
  }

  /** For errors before there was anything to reply. Where there is no `response_url`, they are only logged. */
  async #postApology(exchange: Exchange, error: unknown, body: unknown): Promise<void> {
    const answer = this.#services.interactions.toApology(exchange, error)
    const responseUrl = payloads.findResponseUrl(body)
    if (responseUrl !== undefined) await this.#services.replies.postApology(answer, responseUrl)
  }
}

async function orDone(replying: Promise<Reply | undefined>): Promise<Reply> {
  return (await replying) ?? doneAnswer
}
