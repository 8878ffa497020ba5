import type { Log } from '../../log.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import { SlackUnavailableError } from '../api/web-api.ts'
import { isAboutBlocks, isAboutSize } from '../blocks/message-size.ts'
import type { Answer, MessageForms } from './answer.ts'
import type { BlockSupport } from './block-support.ts'

/** An answer on its way; where Slack may refuse its table or chart, it is a trial: no acknowledgement tells. */
export type Reply = Answer & { readonly team: Tenant; readonly isTrial: boolean }

/** Sends one form. @returns the code with which Slack refuses it */
export type Send = (forms: MessageForms) => Promise<string | undefined>

/** Brings an answer into a form that the workspace's Slack takes. */
export class Delivery {
  readonly #services

  constructor(services: { tables: BlockSupport; charts: BlockSupport; log: Pick<Log, 'error'> }) {
    this.#services = services
  }

  /** In the form that the workspace's Slack is known to take. Rejects never. */
  async prepare(answer: Answer, team: Tenant): Promise<Reply> {
    const { tables, charts } = this.#services
    const tenant = tenantKey(team)
    const { withoutTable, withoutChart } = answer
    const [table, chart] = await Promise.all([
      withoutTable ? tables.of(tenant) : 'yes',
      withoutChart ? charts.of(tenant) : 'yes',
    ])
    const { shorter: _shorter, withoutTable: _table, withoutChart: _chart, ...rest } = answer
    if (withoutTable && table === 'no') return { ...rest, ...withoutTable(), team, isTrial: false }
    const isTableUntried = table === 'untried'
    if (withoutChart && chart === 'no') {
      const kept = withoutTable ? { withoutTable } : {}
      return { ...rest, ...kept, ...withoutChart(), team, isTrial: isTableUntried }
    }
    return { ...answer, team, isTrial: isTableUntried || chart === 'untried' }
  }

  /** Sends it in the first form that Slack takes. @throws {SlackUnavailableError | StoreError} */
  async deliver(reply: Reply, send: Send): Promise<void> {
    const { message, afterwards } = reply
    let refusal = await this.send(reply, send)
    if (isAboutBlocks(refusal)) {
      // Ours to mend; meanwhile the person has the same in words.
      this.#services.log.error({ code: refusal }, 'Slack refused the blocks of an answer')
      refusal = await send({ message: { text: message.text } })
    }
    if (refusal !== undefined) throw new SlackUnavailableError(`Slack: an answer was refused: ${refusal}`)
    afterwards?.()
  }

  /**
   * Sends it whole, without its chart, without its table, as long as Slack refuses it for its blocks.
   * @returns the code with which Slack refuses the last of them
   */
  async send(reply: Reply, send: Send): Promise<string | undefined> {
    const { withoutTable, withoutChart, isTrial } = reply
    const tenant = tenantKey(reply.team)
    const { tables, charts } = this.#services
    const whole = await send(reply)
    if (whole === undefined) {
      if (isTrial && withoutTable) await tables.accepted(tenant)
      if (isTrial && withoutChart) await charts.accepted(tenant)
      return undefined
    }
    let refusal: string | undefined = whole
    if (isAboutBlocks(refusal) && withoutChart) {
      refusal = await send(withoutChart())
      if (refusal === undefined && !isAboutSize(whole)) await charts.refused(tenant)
      if (refusal === undefined && isTrial && withoutTable) await tables.accepted(tenant)
    }
    if (isAboutBlocks(refusal) && withoutTable) {
      const isForItsSize = isAboutSize(refusal)
      refusal = await send(withoutTable())
      const isTold = refusal === undefined || isAboutBlocks(refusal)
      if (isTold && !isForItsSize) await tables.refused(tenant)
    }
    return refusal
  }
}
