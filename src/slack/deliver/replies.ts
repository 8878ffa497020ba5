import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import { directMessageFailure, postMessage } from '../api/post-message.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { type Answer, once, type Tell, textAnswer } from './answer.ts'
import type { Click, Clicks } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import { unconfirmedShareText } from './failures.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** What the home tab says of an answer that comes by direct message. */
export const onItsWayText = 'Your answer is on its way to Messages…'
export const inMessagesText = 'Your answer is in *Messages*, where only you can see it.'

/** Where an answer in a direct message goes. */
interface DirectTarget {
  readonly team: Tenant
  readonly userId: string
  readonly token: () => Promise<string>
}

/** Where an answer on a `response_url` goes; of a click, it may take the place of the message that was clicked. */
interface UrlTarget {
  readonly team: Tenant
  readonly responseUrl: string
  readonly isClick?: boolean
}

/** Delivers answers: in a command's acknowledgement where they are ready in time, on the `response_url` otherwise. */
export class Replies {
  readonly #clicks: Clicks
  readonly #delivery: Delivery
  readonly #responseUrls: ResponseUrls
  readonly #webApi: WebClient
  readonly #log: Pick<Log, 'warn'>

  constructor(services: {
    clicks: Clicks
    delivery: Delivery
    responseUrls: ResponseUrls
    webApi: WebClient
    log: Pick<Log, 'warn'>
  }) {
    this.#clicks = services.clicks
    this.#delivery = services.delivery
    this.#responseUrls = services.responseUrls
    this.#webApi = services.webApi
    this.#log = services.log
  }

  /**
   * Acknowledges a command: with the answer where it is ready within 2 s and Slack is known to take it, otherwise with what
   * is told by then or with nothing, and the answer follows on the `response_url`. @throws {SlackUnavailableError}
   */
  async command(
    work: (tell: Tell) => Promise<Answer | undefined>,
    to: {
      readonly team: Tenant
      readonly responseUrl: string
      /** Takes the message as JSON. */
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const notice = Promise.withResolvers<Answer>()
    const answering = work((mrkdwn) => notice.resolve(textAnswer(mrkdwn)))
    const first = await withTimeout(Promise.race([answering, notice.promise]), acknowledgeWithinMs)
    const known = first === timedOut ? undefined : first
    const json = known && this.#delivery.certainJson(known, to.team, { response_type: 'ephemeral' })
    await to.ack(json)
    if (first === timedOut) {
      const told = await Promise.race([answering.then(() => undefined), notice.promise])
      if (told) await this.#tell(this.#post(told, to))
    }
    const answer = await answering
    if (json !== undefined && answer === first) answer?.afterwards?.()
    else if (answer) await this.#post(answer, to)
  }

  /**
   * Answers a click that is the newest on its message, in place of the message unless the answer says otherwise.
   * @throws {SlackUnavailableError} and whatever `work` rejects with
   */
  async click(click: Click, work: (tell: Tell) => Promise<Answer | undefined>): Promise<void> {
    if (!this.#clicks.isNewest(click)) return
    const { team, responseUrl } = click
    const deliver = async (answer: Answer) => {
      if (responseUrl === undefined) return
      await this.#clicks.inOrder(click, () => this.#post(answer, { team, responseUrl, isClick: true }))
    }
    const answer = await work(once((mrkdwn) => void this.#tell(deliver(textAnswer(mrkdwn)))))
    try {
      if (answer) await deliver(answer)
    } finally {
      await answer?.lastly?.()
    }
  }

  /**
   * Answers a click on the home tab, or a form that it opened, in the direct message with the app, which Slack shows as the
   * Messages tab: they have no place for an answer.
   * @throws {DirectMessageRefusedError | TokenRefusedError | SlackUnavailableError} and whatever `work` rejects with
   */
  async direct(work: (tell: Tell) => Promise<Answer | undefined>, to: DirectTarget): Promise<void> {
    let telling: Promise<void> | undefined
    const tell = once((mrkdwn) => {
      telling = this.#tell(this.#postDirect(textAnswer(mrkdwn), to))
    })
    const answer = await work(tell)
    await telling
    if (answer) await this.#postDirect(answer, to)
  }

  /** Where Slack names no workspace in a click: nothing is looked up, and the message stays. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const result = await this.#responseUrls.post(responseUrl, JSON.stringify({ ...envelope, ...message }))
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  async #postDirect(answer: Answer, { team, userId, token: findToken }: DirectTarget): Promise<void> {
    const token = await findToken()
    const result = await this.#delivery.send(answer, team, ({ message }) =>
      postMessage(this.#webApi, token, userId, message),
    )
    if (result.kind !== 'sent') throw directMessageFailure(result)
    answer.afterwards?.()
  }

  /** What is lost of it is made up for by the answer. */
  async #tell(telling: Promise<void>): Promise<void> {
    await telling.catch((error: unknown) => this.#log.warn({ err: error }, 'a notice was not shown'))
  }

  async #post(answer: Answer, to: UrlTarget): Promise<void> {
    const { team, responseUrl, isClick = false } = to
    const { place = 'replace' } = answer
    const isPublic = place === 'channel'
    const envelope = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: isClick && place === 'replace',
    } as const
    const result = await this.#delivery.send(
      answer,
      team,
      ({ json }) => this.#responseUrls.post(responseUrl, json, { isPublic }),
      envelope,
    )
    if (result.kind === 'unknown')
      return this.#post({ ...textAnswer(unconfirmedShareText), place: 'below' }, to)
    if (result.kind === 'refused')
      throw new SlackUnavailableError(`Slack: an answer was refused: ${result.code}`)
    answer.afterwards?.()
  }
}
