import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import { directMessageFailure, postMessage } from '../api/post-message.ts'
import { type ResponseUrls, UnconfirmedPostError } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { isAboutBlocks } from '../blocks/message-size.ts'
import { type Answer, once, type Tell, textAnswer } from './answer.ts'
import { unconfirmedShareText } from './channel-texts.ts'
import type { Click, Clicks } from './clicks.ts'
import type { Delivery, Reply } from './delivery.ts'
import { jsonOf, messageOf } from './message-json.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** Where an answer in a direct message goes. */
interface DirectTarget {
  readonly team: Tenant
  readonly userId: string
  readonly token: () => Promise<string>
}

/** Delivers answers: in a command's acknowledgement where they are ready in time, on the `response_url` otherwise. */
export class Replies {
  readonly #services

  constructor(services: {
    clicks: Clicks
    delivery: Delivery
    responseUrls: ResponseUrls
    webApi: WebClient
    log: Pick<Log, 'warn'>
  }) {
    this.#services = services
  }

  /**
   * Acknowledges a command: with the answer where it is ready within 2 s, otherwise with what is told by then or with
   * nothing, and the answer follows on the `response_url`. @throws {SlackUnavailableError | StoreError}
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
    const { team, responseUrl } = to
    const notice = Promise.withResolvers<Answer>()
    const answering = work((mrkdwn) => notice.resolve(textAnswer(mrkdwn)))
    const replying = answering.then((answer) => answer && this.#services.delivery.prepare(answer, team))
    const acknowledge = (answer: Answer) => to.ack(jsonOf(answer, team, { response_type: 'ephemeral' }))
    const first = await withTimeout(
      Promise.race([replying.then((reply) => ({ reply })), notice.promise.then((told) => ({ told }))]),
      acknowledgeWithinMs,
    )
    if (first !== timedOut && 'reply' in first && !first.reply?.isTrial) {
      const { reply } = first
      await (reply ? acknowledge(reply) : to.ack())
      reply?.afterwards?.()
      return
    }
    if (first !== timedOut && 'told' in first) await acknowledge(first.told)
    else {
      await to.ack()
      const told = await Promise.race([replying.then(() => undefined), notice.promise])
      if (told) await this.#tell(this.#post({ ...told, team, isTrial: false }, responseUrl, false))
    }
    const following = await replying
    if (following) await this.#post(following, responseUrl, false)
  }

  /**
   * Answers a click that is the newest on its message, in place of the message unless the answer says otherwise.
   * @throws {SlackUnavailableError | StoreError} and whatever `work` rejects with
   */
  async click(click: Click, work: (tell: Tell) => Promise<Answer | undefined>): Promise<void> {
    const { clicks } = this.#services
    if (!(await clicks.isNewest(click))) return
    const { team, responseUrl } = click
    const deliver = async (answer: Answer) => {
      if (responseUrl !== undefined)
        await clicks.inOrder(click, () => this.#replace(answer, team, responseUrl))
    }
    const answer = await work(once((mrkdwn) => void this.#tell(deliver(textAnswer(mrkdwn)))))
    try {
      if (answer) await deliver(answer)
    } finally {
      await answer?.lastly?.()
    }
  }

  async #replace(answer: Answer, team: Tenant, responseUrl: string): Promise<void> {
    try {
      await this.#post(await this.#services.delivery.prepare(answer, team), responseUrl, true)
    } catch (error) {
      if (!(error instanceof UnconfirmedPostError)) throw error
      const note: Answer = { ...textAnswer(unconfirmedShareText), place: 'below' }
      await this.#post(await this.#services.delivery.prepare(note, team), responseUrl, true)
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

  async #postDirect(answer: Answer, to: DirectTarget): Promise<void> {
    const reply = await this.#services.delivery.prepare(answer, to.team)
    const token = await to.token()
    await this.#services.delivery.deliver(reply, async (forms) => {
      const result = await postMessage(this.#services.webApi, token, to.userId, messageOf(forms, to.team))
      if (result.kind === 'sent') return undefined
      if (result.kind === 'refused' && isAboutBlocks(result.code)) return result.code
      throw directMessageFailure(result)
    })
  }

  /** What is lost of it is made up for by the answer. */
  async #tell(telling: Promise<void>): Promise<void> {
    await telling.catch((error: unknown) => this.#services.log.warn({ err: error }, 'a notice was not shown'))
  }

  /** Where Slack names no workspace in a click: nothing is looked up, and the message stays. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const json = JSON.stringify({ ...envelope, ...message })
    const refusal = await this.#services.responseUrls.post(responseUrl, json)
    if (refusal !== undefined) throw new SlackUnavailableError(`Slack: response_url refused: ${refusal}`)
  }

  #post(reply: Reply, responseUrl: string, isClick: boolean): Promise<void> {
    const { team, place = 'replace' } = reply
    const isPublic = place === 'channel'
    const envelope = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: isClick && place === 'replace',
    } as const
    return this.#services.delivery.deliver(reply, (forms) =>
      this.#services.responseUrls.post(responseUrl, jsonOf(forms, team, envelope), { isPublic }),
    )
  }
}
