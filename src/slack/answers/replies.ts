import type { Log } from '../../log.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { late, within } from '../../util/within.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import type { Message } from '../blocks/blocks.ts'
import { firstThatFits, isAboutBlocks, isAboutSize } from '../blocks/message-size.ts'
import type { Answer } from './answer.ts'
import type { Click, Clicks } from './clicks.ts'
import type { TableSupport } from './table-support.ts'

/** How long a command's answer may take and still be its acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** In the form that the workspace's Slack takes; where it may refuse the table, it is a trial: no acknowledgement tells. */
type Reply = Answer & { readonly tenant: TenantKey; readonly isTrial: boolean }

/** Delivers answers: in a command's acknowledgement where they are ready in time, on the `response_url` otherwise. */
export class Replies {
  readonly #services

  constructor(services: {
    clicks: Clicks
    tableSupport: TableSupport
    responseUrls: ResponseUrls
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
      readonly tenant: TenantKey
      readonly responseUrl: string
      readonly ack: (message?: Message & { response_type: 'ephemeral' }) => Promise<void>
    },
  ): Promise<void> {
    const replying = work.then((answer) => answer && this.#prepare(answer, to.tenant))
    const reply = await within(replying, acknowledgeWithinMs)
    if (reply !== late && !reply?.isTrial) {
      await to.ack(reply && { ...reply.message, response_type: 'ephemeral' })
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
    const { tenant, responseUrl } = click
    try {
      if (!answer || responseUrl === undefined) return
      await clicks.inOrder(click, async () =>
        this.#post(await this.#prepare(answer, tenant), responseUrl, true),
      )
    } finally {
      await answer?.lastly?.()
    }
  }

  async #prepare(answer: Answer, tenant: TenantKey): Promise<Reply> {
    const { withoutTable, ...plain } = answer
    const { text } = answer.message
    // No acknowledgement tells that a message was too long: it is not sent with more than Slack takes.
    const whole = (message: Message) => firstThatFits(message, () => ({ text }))
    if (!withoutTable) return { ...plain, message: whole(answer.message), tenant, isTrial: false }
    const support = await this.#services.tableSupport.of(tenant)
    if (support === 'no') return { ...plain, message: whole(withoutTable()), tenant, isTrial: false }
    return { ...answer, withoutTable: () => whole(withoutTable()), tenant, isTrial: support === 'untried' }
  }

  async #post(reply: Reply, responseUrl: string, isClick: boolean): Promise<void> {
    const { tenant, message, withoutTable, place = 'replace', isTrial, afterwards } = reply
    const envelope = {
      response_type: place === 'channel' ? 'in_channel' : 'ephemeral',
      replace_original: isClick && place === 'replace',
    }
    const post = (form: Message) => this.#services.responseUrls.post(responseUrl, { ...envelope, ...form })
    const { tableSupport, log } = this.#services
    const first = await post(message)
    const isTableRefused = isAboutBlocks(first) && withoutTable !== undefined
    let refusal = isTableRefused ? await post(withoutTable()) : first
    if (isAboutBlocks(refusal)) {
      // Ours to mend; meanwhile the person has the same in words.
      log.error({ code: refusal }, 'Slack refused the blocks of an answer')
      refusal = await post({ text: message.text })
    }
    if (refusal !== undefined) throw new SlackUnavailableError(`Slack: response_url refused: ${refusal}`)
    if (isTableRefused && !isAboutSize(first)) await tableSupport.refused(tenant)
    else if (isTrial && !isTableRefused) await tableSupport.accepted(tenant)
    afterwards?.()
  }
}
