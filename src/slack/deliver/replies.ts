import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { directMessageFailure, postMessage } from '../api/post-message.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { type Answer, type MakeAnswer, textAnswer } from './answer.ts'
import type { Click, ClickPlace, Clicks } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import { unconfirmedShareText } from './failures.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** Where an answer on a `response_url` goes; of a click, it may take the place of the message that was clicked. */
interface UrlTarget {
  readonly team: Tenant
  readonly responseUrl: string
  readonly isClick?: boolean
}

/** An answer in the making, and the first text that says how far it is: a message says so once. */
function begin(make: MakeAnswer) {
  const { promise: progress, resolve: onProgress } = Promise.withResolvers<string>()
  return { making: make(onProgress), progress }
}

/** Delivers answers in messages: in a command's acknowledgement, on the `response_url`, or in the direct message with the app. */
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

  /** Whether Slack would still show an answer there: a `response_url` takes answers for 30 minutes from its click. */
  isAnswerable(place: ClickPlace): boolean {
    return this.#clicks.isAnswerable(place)
  }

  /**
   * Acknowledges a command: with the answer where it is ready within 2 s and Slack is known to take it, otherwise with its
   * progress or with nothing, and the answer follows on the `response_url`. @throws {SlackUnavailableError}
   */
  async command(
    make: MakeAnswer,
    to: {
      readonly team: Tenant
      readonly responseUrl: string
      /** Takes the message as JSON. */
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const { making, progress } = begin(make)
    const first = await withTimeout(Promise.race([making, progress.then(textAnswer)]), acknowledgeWithinMs)
    if (first === timedOut) {
      await to.ack()
      return this.#deliver({ making, progress }, (answer) => this.#post(answer, to))
    }
    const json = first && this.#delivery.certainJson(first, to.team, { response_type: 'ephemeral' })
    await to.ack(json)
    const answer = await making
    if (json !== undefined && answer === first) answer?.afterwards?.()
    else if (answer) await this.#post(answer, to)
  }

  /**
   * Answers a click that is the newest on its message, in place of the message unless the answer says otherwise.
   * @throws {SlackUnavailableError} and whatever `make` rejects with
   */
  async click(click: Click, make: MakeAnswer): Promise<void> {
    if (!this.#clicks.isNewest(click)) return
    const { team, responseUrl } = click
    const answered = begin(make)
    try {
      await this.#deliver(answered, async (answer) => {
        if (responseUrl === undefined) return
        await this.#clicks.inOrder(click, () => this.#post(answer, { team, responseUrl, isClick: true }))
      })
    } finally {
      const answer = await answered.making
      await answer?.lastly?.()
    }
  }

  /**
   * Answers a click on the home tab, or a form that it opened, in the direct message with the app, which Slack shows as the
   * Messages tab: they have no place for an answer.
   * @throws {DirectMessageRefusedError | TokenRefusedError | SlackUnavailableError} and whatever `make` rejects with
   */
  direct(
    make: MakeAnswer,
    to: { readonly team: Tenant; readonly userId: string; readonly token: () => Promise<string> },
  ): Promise<void> {
    return this.#deliver(begin(make), async (answer) => {
      const token = await to.token()
      const result = await this.#delivery.send(answer, to.team, ({ message }) =>
        postMessage(this.#webApi, token, to.userId, message),
      )
      if (result.kind !== 'sent') throw directMessageFailure(result)
      answer.afterwards?.()
    })
  }

  /** Where Slack names no workspace in a click: nothing is looked up, and the message stays. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const result = await this.#responseUrls.post(responseUrl, JSON.stringify({ ...envelope, ...message }))
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  /** Delivers how far it is, where that is said before the answer is there, and the answer. */
  async #deliver(
    { making, progress }: ReturnType<typeof begin>,
    deliver: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    const mrkdwn = await Promise.race([making.then(() => undefined), progress])
    if (mrkdwn !== undefined)
      await deliver(textAnswer(mrkdwn)).catch((error: unknown) =>
        // The answer makes up for it.
        this.#log.warn({ err: error }, 'a notice was not shown'),
      )
    const answer = await making
    if (answer) await deliver(answer)
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
