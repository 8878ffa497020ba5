import type { Log } from '../../log.ts'
import type { Workspace } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import type { ReplyTarget } from '../blocks/view-metadata.ts'
import type { Command, Origin } from '../inbound/payloads.ts'
import type { Answer } from './answers.ts'
import type { Clicks } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import type { Exchange } from './exchange.ts'

/** Slack waits 3 s for an acknowledgement. */
const ACKNOWLEDGE_WITHIN_MS: Milliseconds = 2000

interface UrlTarget {
  readonly workspace: Workspace
  readonly responseUrl: string
  /** Whether the answer replaces the clicked message. */
  readonly replacesOriginal: boolean
}

/** A click whose answer belongs on a message. */
interface MessageClick {
  readonly origin: Origin
  readonly replyTo: ReplyTarget
  readonly replacesOriginal: boolean
}

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

  /**
   * Acknowledges with the answer if it is ready within 2 s and Slack certainly accepts it; otherwise, the answer
   * follows on the `response_url`. @param answering must not reject @throws {SlackUnavailableError}
   */
  async replyToCommand(
    exchange: Exchange,
    { origin, responseUrl }: Command,
    ack: (json?: string) => Promise<void>,
    answering: Promise<Answer | undefined>,
  ): Promise<void> {
    const { workspace } = origin
    const target = { workspace, responseUrl, replacesOriginal: false }
    const progressing = exchange.progressBefore(answering)
    const early = await withTimeout(progressOrAnswer(progressing, answering), ACKNOWLEDGE_WITHIN_MS)
    const ready = early === timedOut ? undefined : early
    const envelope = { response_type: 'ephemeral' }
    const json = ready && this.#services.delivery.jsonIfSupported(ready, workspace, envelope)
    await ack(json)
    const shown = json === undefined ? undefined : ready
    const progress = await progressing
    if (progress && progress !== shown) await this.#tryToShow(this.#post(progress, target))
    const answer = await answering
    if (answer && answer !== shown) await this.#post(answer, target)
  }

  /** @param answering must not reject @throws {SlackUnavailableError} */
  async replyToClick(
    exchange: Exchange,
    click: MessageClick,
    answering: Promise<Answer | undefined>,
  ): Promise<void> {
    const progress = await exchange.progressBefore(answering)
    if (progress) await this.#tryToShow(this.#postInTurn(progress, click))
    const answer = await answering
    if (!answer) return
    const isNewest = await this.#postInTurn(answer, click)
    if (!isNewest && exchange.outcome === 'ok') exchange.outcome = 'superseded'
  }

  /** Posts below what was clicked, for example because no workspace is known. @throws {SlackUnavailableError} */
  async postApology({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false }
    const json = JSON.stringify({ ...envelope, ...message })
    const result = await this.#services.responseUrls.post(responseUrl, json)
    if (result.kind !== 'sent') throw new SlackUnavailableError(`Slack: an answer was ${result.kind}`)
  }

  /** The answer makes up for an announcement that isn't shown. */
  async #tryToShow(posting: Promise<unknown>): Promise<void> {
    try {
      await posting
    } catch (error) {
      this.#services.log.warn({ err: error }, 'an announcement was not shown')
    }
  }

  /** Returns false if a later click superseded this one. */
  async #postInTurn(answer: Answer, { origin, replyTo, replacesOriginal }: MessageClick): Promise<boolean> {
    const { clicks, log } = this.#services
    const { workspace, userId } = origin
    const { responseUrl } = replyTo
    if (responseUrl === undefined) {
      log.warn({}, 'an answer has no response_url')
      return true
    }
    const target = { workspace, responseUrl, replacesOriginal }
    // Answers below the message don't compete.
    if (!replacesOriginal) {
      await this.#post(answer, target)
      return true
    }
    return clicks.inTurn({ workspace, userId, ...replyTo }, () => this.#post(answer, target))
  }

  async #post(answer: Answer, target: UrlTarget): Promise<void> {
    const { workspace, responseUrl, replacesOriginal } = target
    const envelope = { response_type: 'ephemeral', replace_original: replacesOriginal }
    const result = await this.#services.delivery.send(
      answer,
      workspace,
      ({ json }) => this.#services.responseUrls.post(responseUrl, json),
      envelope,
    )
    if (result.kind === 'sent') return
    const outcome = result.kind === 'refused' ? `refused: ${result.code}` : result.kind
    throw new SlackUnavailableError(`Slack: an answer was ${outcome}`)
  }
}

async function progressOrAnswer(
  progressing: Promise<Answer | undefined>,
  answering: Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const progress = await progressing
  return progress ?? answering
}
