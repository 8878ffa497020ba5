import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { type Answer, begin, type MakeAnswer, textAnswer } from './answer.ts'
import type { Click, ClickPlace, Clicks } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import { unconfirmedShareText, unsentText } from './failures.ts'

/** How long an answer may take and still be a command's acknowledgement; Slack waits 3 s. */
const ACKNOWLEDGE_WITHIN_MS: Milliseconds = 2000

interface UrlTarget {
  readonly team: Tenant
  readonly responseUrl: string
  /** Whether the answer replaces the message that was clicked, unless everyone sees it. */
  readonly replacesOriginal: boolean
}

/** Delivers answers as messages: in a command's acknowledgement or through the `response_url`. */
export class Replies {
  readonly #services

  constructor(services: {
    clicks: Clicks
    delivery: Delivery
    responseUrls: ResponseUrls
    log: Pick<Log, 'warn'>
  }) {
    this.#services = services
  }

  /** True while Slack still shows an answer there: a `response_url` works for 30 minutes. */
  isAnswerable(place: ClickPlace): boolean {
    return this.#services.clicks.isAnswerable(place)
  }

  /**
   * Acknowledges a command with the answer if it is ready within 2 s and Slack is known to accept it, otherwise with a
   * progress notice or nothing. The answer then follows on the `response_url`. @throws {SlackUnavailableError}
   */
  async command(
    make: MakeAnswer,
    to: {
      readonly team: Tenant
      readonly responseUrl: string
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const { team, responseUrl, ack } = to
    const begun = begin(make)
    const beginning = begun.notice.then((notice) => notice ?? begun.making)
    const first = await withTimeout(beginning, ACKNOWLEDGE_WITHIN_MS)
    const json =
      first && first !== timedOut
        ? this.#services.delivery.certainJson(first, team, { response_type: 'ephemeral' })
        : undefined
    await ack(json)
    await this.#deliver(begun, async (answer) => {
      if (json === undefined || answer !== first)
        await this.#post(answer, { team, responseUrl, replacesOriginal: false })
    })
  }

  /**
   * Answers a click if it is the latest one on its message. Returns whether no later click superseded it.
   * @throws {SlackUnavailableError} and errors of `make`
   */
  async click(click: Click, make: MakeAnswer, { replacesOriginal = true } = {}): Promise<boolean> {
    if (!this.#services.clicks.markNewest(click)) return false
    const { team, responseUrl } = click
    let isNewest = true
    await this.#deliver(begin(make), async (answer) => {
      if (responseUrl === undefined) return this.#services.log.warn({}, 'an answer has no response_url')
      const target = { team, responseUrl, replacesOriginal }
      isNewest = await this.#services.clicks.inOrder(click, () => this.#post(answer, target))
    })
    return isNewest
  }

  /** Answers a payload that names no workspace, without replacing its message. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const result = await this.#services.responseUrls.post(
      responseUrl,
      JSON.stringify({ ...envelope, ...message }),
    )
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  async #deliver(
    { notice, making }: ReturnType<typeof begin<Answer | undefined>>,
    deliver: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    const first = await notice
    if (first)
      await deliver(first).catch((error: unknown) =>
        // The answer makes up for it.
        this.#services.log.warn({ err: error }, 'a progress notice was not shown'),
      )
    const answer = await making
    try {
      if (answer) await deliver(answer)
    } finally {
      await answer?.afterwards?.()
    }
  }

  async #post(answer: Answer, to: UrlTarget): Promise<void> {
    const { team, responseUrl, replacesOriginal } = to
    const { isPublic = false } = answer
    const envelope = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: replacesOriginal && !isPublic,
    } as const
    const result = await this.#services.delivery.send(
      answer,
      team,
      ({ json }) => this.#services.responseUrls.post(responseUrl, json, { isPublic }),
      envelope,
    )
    if (isPublic && result.kind !== 'sent') {
      const text = result.kind === 'unknown' ? unconfirmedShareText : unsentText(result)
      return this.#post(textAnswer(text), { ...to, replacesOriginal: false })
    }
    if (result.kind === 'refused')
      throw new SlackUnavailableError(`Slack: an answer was refused: ${result.code}`)
  }
}
