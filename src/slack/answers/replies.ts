import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { late, within } from '../../util/within.ts'
import { directMessageFailure, postMessage } from '../api/post-message.ts'
import { type ResponseUrls, UnconfirmedPostError } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { isAboutBlocks, isAboutSize } from '../blocks/message-size.ts'
import { type Answer, type MessageForms, textAnswer } from './answer.ts'
import { unconfirmedShareText } from './channel-texts.ts'
import type { Click, Clicks } from './clicks.ts'
import { jsonOf, messageOf } from './message-json.ts'
import type { TableSupport } from './table-support.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** An answer on its way; where Slack may refuse its table, it is a trial: no acknowledgement tells. */
type Reply = Answer & { readonly team: Tenant; readonly isTrial: boolean }

/** Delivers answers: in a command's acknowledgement where they are ready in time, on the `response_url` otherwise. */
export class Replies {
  readonly #services

  constructor(services: {
    clicks: Clicks
    tableSupport: TableSupport
    responseUrls: ResponseUrls
    webApi: WebClient
    log: Pick<Log, 'error'>
  }) {
    this.#services = services
  }

  /**
   * Acknowledges a command: with the answer where it is ready within 2 s, otherwise with nothing, and the answer follows
   * on the `response_url`. @throws {SlackUnavailableError | StoreError}
   */
  async command(
    work: Promise<Answer | undefined>,
    to: {
      readonly team: Tenant
      readonly responseUrl: string
      /** Takes the message as JSON. */
      readonly ack: (json?: string) => Promise<void>
    },
  ): Promise<void> {
    const replying = work.then((answer) => answer && this.#prepare(answer, to.team))
    const reply = await within(replying, acknowledgeWithinMs)
    if (reply !== late && !reply?.isTrial) {
      await to.ack(reply && jsonOf(reply, to.team, { response_type: 'ephemeral' }))
      reply?.afterwards?.()
      return
    }
    await to.ack()
    const following = await replying
    if (following) await this.#post(following, to.responseUrl, false)
  }

  /**
   * Answers a click that is the newest on its message, in place of the message unless the answer says otherwise.
   * @throws {SlackUnavailableError | StoreError} and whatever `work` rejects with
   */
  async click(click: Click, work: () => Promise<Answer | undefined>): Promise<void> {
    const { clicks } = this.#services
    if (!(await clicks.isNewest(click))) return
    const answer = await work()
    const { team, responseUrl } = click
    try {
      if (answer && responseUrl !== undefined)
        await clicks.inOrder(click, () => this.#replace(answer, team, responseUrl))
    } finally {
      await answer?.lastly?.()
    }
  }

  async #replace(answer: Answer, team: Tenant, responseUrl: string): Promise<void> {
    try {
      await this.#post(await this.#prepare(answer, team), responseUrl, true)
    } catch (error) {
      if (!(error instanceof UnconfirmedPostError)) throw error
      const note: Answer = { ...textAnswer(unconfirmedShareText), place: 'below' }
      await this.#post(await this.#prepare(note, team), responseUrl, true)
    }
  }

  /**
   * Answers a click on the home tab, or a form that it opened, in the direct message with the app, which Slack shows as the
   * Messages tab: they have no place for an answer.
   * @throws {DirectMessageRefusedError | TokenRefusedError | SlackUnavailableError} and whatever `work` rejects with
   */
  async direct(
    work: Promise<Answer | undefined>,
    to: { readonly team: Tenant; readonly userId: string; readonly token: () => Promise<string> },
  ): Promise<void> {
    const answer = await work
    if (!answer) return
    const reply = await this.#prepare(answer, to.team)
    const token = await to.token()
    await this.#deliver(reply, async (forms) => {
      const result = await postMessage(this.#services.webApi, token, to.userId, messageOf(forms, to.team))
      if (result.kind === 'sent') return undefined
      if (result.kind === 'refused' && isAboutBlocks(result.code)) return result.code
      throw directMessageFailure(result)
    })
  }

  /** Where Slack names no workspace in a click: nothing is looked up, and the message stays. @throws {SlackUnavailableError} */
  async refuse({ message }: Answer, responseUrl: string): Promise<void> {
    const envelope = { response_type: 'ephemeral', replace_original: false } as const
    const json = JSON.stringify({ ...envelope, ...message })
    const refusal = await this.#services.responseUrls.post(responseUrl, json)
    if (refusal !== undefined) throw new SlackUnavailableError(`Slack: response_url refused: ${refusal}`)
  }

  /** In the form that the workspace's Slack takes. */
  async #prepare(answer: Answer, team: Tenant): Promise<Reply> {
    const { withoutTable, shorter: _shorter, ...rest } = answer
    if (!withoutTable) return { ...answer, team, isTrial: false }
    const support = await this.#services.tableSupport.of(tenantKey(team))
    if (support === 'no') return { ...rest, ...withoutTable(), team, isTrial: false }
    return { ...answer, team, isTrial: support === 'untried' }
  }

  #post(reply: Reply, responseUrl: string, isClick: boolean): Promise<void> {
    const { team, place = 'replace' } = reply
    const isPublic = place === 'channel'
    const envelope = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: isClick && place === 'replace',
    } as const
    return this.#deliver(reply, (forms) =>
      this.#services.responseUrls.post(responseUrl, jsonOf(forms, team, envelope), { isPublic }),
    )
  }

  /** In the first form that Slack takes. @param send returns the code with which Slack refuses it */
  async #deliver(reply: Reply, send: (forms: MessageForms) => Promise<string | undefined>): Promise<void> {
    const { team, message, withoutTable, isTrial, afterwards } = reply
    const { tableSupport, log } = this.#services
    const first = await send(reply)
    const isTableRefused = isAboutBlocks(first) && withoutTable !== undefined
    let refusal = isTableRefused ? await send(withoutTable()) : first
    if (isAboutBlocks(refusal)) {
      // Ours to mend; meanwhile the person has the same in words.
      log.error({ code: refusal }, 'Slack refused the blocks of an answer')
      refusal = await send({ message: { text: message.text } })
    }
    if (refusal !== undefined) throw new SlackUnavailableError(`Slack: an answer was refused: ${refusal}`)
    const tenant = tenantKey(team)
    if (isTableRefused && !isAboutSize(first)) await tableSupport.refused(tenant)
    else if (isTrial && !isTableRefused) await tableSupport.accepted(tenant)
    afterwards?.()
  }
}
