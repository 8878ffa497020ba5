import type { Workspace } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import type { ReplyTarget } from '../blocks/modal.ts'
import type { Command, Origin } from '../inbound/payloads.ts'
import type { Answer } from './answers.ts'
import { type Clicks, toMessageClick } from './clicks.ts'
import type { Delivery } from './delivery.ts'
import type { Exchange } from './exchange.ts'

/** Slack waits 3 s for an acknowledgement. */
export const ACKNOWLEDGE_WITHIN_MS: Milliseconds = 2000

const forPersonAlone = { response_type: 'ephemeral' }
export const belowOriginal = { ...forPersonAlone, replace_original: false }
const inPlace = { ...forPersonAlone, replace_original: true }

/** A click whose answer belongs on a message. */
interface MessageClick {
  readonly origin: Origin
  readonly replyTo: ReplyTarget
  readonly replacesOriginal: boolean
}

type Delivered = 'ok' | 'slack-unavailable'

/** A failed delivery always counts. Otherwise, the failure of a handler stays, even though its apology arrived. */
function noteDelivery(exchange: Exchange, outcome: Delivered | 'superseded'): void {
  if (outcome === 'slack-unavailable' || exchange.outcome === 'ok') exchange.outcome = outcome
}

export class Replies {
  readonly #services

  constructor(services: { clicks: Clicks; delivery: Delivery; responseUrls: ResponseUrls }) {
    this.#services = services
  }

  /** Acknowledges with what is ready within 2 s; the rest follows on the `response_url`. @param answering must not reject */
  async replyToCommand(
    exchange: Exchange,
    { origin, responseUrl }: Command,
    ack: (json?: Buffer) => Promise<void>,
    answering: Promise<Answer | undefined>,
  ): Promise<void> {
    const { workspace } = origin
    const firstReady = Promise.race([exchange.announcement, answering])
    const readyInTime = await withTimeout(firstReady, ACKNOWLEDGE_WITHIN_MS)
    const ready = readyInTime === timedOut ? undefined : readyInTime
    const json = ready && this.#services.delivery.serializeIfAccepted(ready, workspace, forPersonAlone)
    await ack(json)
    const shown = json && ready
    const progress = await exchange.waitForAnnouncement(answering)
    if (progress && progress !== shown) await this.#post(progress, workspace, responseUrl, belowOriginal)
    const answer = await answering
    if (!answer || answer === shown) return
    const outcome = await this.#post(answer, workspace, responseUrl, belowOriginal)
    noteDelivery(exchange, outcome)
  }

  /** @param answering must not reject */
  async replyToClick(exchange: Exchange, click: MessageClick, answering: Promise<Answer | undefined>) {
    const progress = await exchange.waitForAnnouncement(answering)
    if (progress) await this.#postInTurn(progress, click)
    const answer = await answering
    if (!answer) return
    const outcome = await this.#postInTurn(answer, click)
    noteDelivery(exchange, outcome)
  }

  /** An answer is superseded by that of a later click. */
  async #postInTurn(answer: Answer, click: MessageClick): Promise<Delivered | 'superseded'> {
    const { origin, replyTo, replacesOriginal } = click
    const { responseUrl } = replyTo
    // Slack's payload had none, so there is no way to answer.
    if (responseUrl === undefined) return 'slack-unavailable'
    // Answers below the message don't compete.
    if (!replacesOriginal) return this.#post(answer, origin.workspace, responseUrl, belowOriginal)
    const post = () => this.#post(answer, origin.workspace, responseUrl, inPlace)
    const outcome = await this.#services.clicks.runInTurn(toMessageClick(origin, replyTo), post)
    return outcome ?? 'superseded'
  }

  async #post(answer: Answer, workspace: Workspace, url: string, envelope: object): Promise<Delivered> {
    const { delivery, responseUrls } = this.#services
    const postJson = ({ json }: { readonly json: Buffer }) => responseUrls.post(url, json)
    const { kind } = await delivery.send(answer, workspace, postJson, envelope)
    return kind === 'sent' ? 'ok' : 'slack-unavailable'
  }
}
