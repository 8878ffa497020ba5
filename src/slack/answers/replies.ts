import { late, within } from '../../util/within.ts'
import type { Responder } from '../api/response-urls.ts'
import type { Message } from '../blocks/blocks.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'
import type { Prepared, Tables } from './table-support.ts'

/** How long a command's answer may take and still ride in the acknowledgement; Slack waits for 3 s. */
export const rideMs = 2000

export interface Replies {
  /**
   * Acknowledges a command: with the answer where it is ready within 2 s, otherwise with nothing, and the answer follows
   * on the `response_url`. @throws {SlackUnavailableError}
   */
  command(answer: Promise<Prepared | undefined>, to: CommandReply): Promise<void>
  /** Answers a click, in place of its message unless the answer says otherwise. @throws {SlackUnavailableError} */
  replace(answer: Prepared, responseUrl: string): Promise<void>
}

export interface CommandReply {
  readonly responseUrl: string
  readonly ack: (message?: Message & { response_type: 'ephemeral' }) => Promise<void>
}

export function createReplies({ tables, responder }: { tables: Tables; responder: Responder }): Replies {
  async function deliver(answer: Prepared, responseUrl: string, replaces: boolean): Promise<void> {
    const envelope = {
      response_type: answer.place === 'channel' ? 'in_channel' : 'ephemeral',
      replace_original: replaces && answer.place === 'replace',
    }
    const post = (message: Message) => responder.post(responseUrl, { ...envelope, ...message })
    const first = await post(answer.message)
    const isRefused = !first.ok && first.error === 'invalid_blocks' && answer.otherwise !== undefined
    const delivery = isRefused && answer.otherwise ? await post(answer.otherwise()) : first
    if (!delivery.ok) throw new SlackUnavailableError(`response_url refused: ${delivery.error}`)
    await (isRefused ? tables.refused(answer) : tables.accepted(answer))
    answer.afterwards?.()
  }

  return {
    async command(work, { responseUrl, ack }) {
      const ready = await within(work, rideMs)
      if (ready !== late && (ready === undefined || ready.mayRide)) {
        await ack(ready && { ...ready.message, response_type: 'ephemeral' })
        ready?.afterwards?.()
        return
      }
      await ack()
      const answer = await work
      if (answer) await deliver(answer, responseUrl, false)
    },
    replace: (answer, responseUrl) => deliver(answer, responseUrl, true),
  }
}
