import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { type Answer, type MakeAnswer, textAnswer } from './answer.ts'
import type { Click, ClickPlace, Clicks } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import { unconfirmedShareText, unsentText } from './failures.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

interface UrlTarget {
  readonly team: Tenant
  readonly responseUrl: string
  /** Whether it takes the place of the message that was clicked, unless everyone sees it. */
  readonly replacesOriginal: boolean
}

/** An answer in the making, and what says first how far it is: a message says so once, and nothing where the answer comes first. */
function begin(make: MakeAnswer) {
  const { promise: notice, resolve } = Promise.withResolvers<Answer | undefined>()
  const making = make((mrkdwn) => resolve(textAnswer(mrkdwn)))
  const isOver = () => resolve(undefined)
  making.then(isOver, isOver)
  return { making, notice }
}

/** Delivers answers in messages: in a command's acknowledgement, or on the `response_url`. */
export class Replies {
  readonly #clicks: Clicks
  readonly #delivery: Delivery
  readonly #responseUrls: ResponseUrls
  readonly #log: Pick<Log, 'warn'>

  constructor(services: {
    clicks: Clicks
    delivery: Delivery
    responseUrls: ResponseUrls
    log: Pick<Log, 'warn'>
  }) {
    this.#clicks = services.clicks
    this.#delivery = services.delivery
    this.#responseUrls = services.responseUrls
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
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const { team, responseUrl, ack } = to
    const answered = begin(make)
    const beginning = answered.notice.then((notice) => notice ?? answered.making)
    const first = await withTimeout(beginning, acknowledgeWithinMs)
    const json =
      first && first !== timedOut
        ? this.#delivery.certainJson(first, team, { response_type: 'ephemeral' })
        : undefined
    await ack(json)
    await this.#deliver(answered, async (answer) => {
      if (json === undefined || answer !== first)
        await this.#post(answer, { team, responseUrl, replacesOriginal: false })
    })
  }

  /**
   * Answers a click that is the newest on its message.
   * @returns whether no later click took the place of its answer
   * @throws {SlackUnavailableError} and whatever `make` rejects with
   */
  async click(click: Click, make: MakeAnswer, { replacesOriginal = true } = {}): Promise<boolean> {
    if (!this.#clicks.markNewest(click)) return false
    const { team, responseUrl } = click
    let isNewest = true
    await this.#deliver(begin(make), async (answer) => {
      if (responseUrl === undefined) return this.#log.warn({}, 'an answer had no response_url')
      const target = { team, responseUrl, replacesOriginal }
      isNewest = await this.#clicks.inOrder(click, () => this.#post(answer, target))
    })
    return isNewest
  }

  /** Where Slack names no workspace in a click: nothing is looked up, and the message stays. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const result = await this.#responseUrls.post(responseUrl, JSON.stringify({ ...envelope, ...message }))
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  async #deliver(begun: ReturnType<typeof begin>, deliver: (answer: Answer) => Promise<void>): Promise<void> {
    const notice = await begun.notice
    if (notice)
      await deliver(notice).catch((error: unknown) =>
        // The answer makes up for it.
        this.#log.warn({ err: error }, 'a notice was not shown'),
      )
    const answer = await begun.making
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
    const result = await this.#delivery.send(
      answer,
      team,
      ({ json }) => this.#responseUrls.post(responseUrl, json, { isPublic }),
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
