import type { Tenant } from '../../store/tenant.ts'
import type { Answer } from '../answers/answer.ts'
import type { Delivery } from '../answers/delivery.ts'
import { messageOf } from '../answers/message-json.ts'
import type { PostResult } from '../api/post-message.ts'
import type { Message } from '../blocks/blocks.ts'

/** It is not known to have been refused: another form of it must not follow. */
class UnsentError extends Error {
  readonly result

  constructor(result: Exclude<PostResult, { kind: 'sent' | 'refused' }>) {
    super('the post was not confirmed')
    this.result = result
  }
}

/** Sends what everyone in a channel sees in the first form that Slack takes. @param send posts it, or puts it in place of what is there */
export async function sendFirstForm(
  delivery: Delivery,
  post: Answer,
  team: Tenant,
  send: (message: Message) => Promise<PostResult>,
): Promise<PostResult> {
  let last: PostResult = { kind: 'unknown' }
  try {
    const reply = await delivery.prepare(post, team)
    await delivery.send(reply, async (forms) => {
      const result = await send(messageOf(forms, team))
      last = result
      if (result.kind === 'refused') return result.code
      if (result.kind !== 'sent') throw new UnsentError(result)
      return undefined
    })
  } catch (error) {
    if (error instanceof UnsentError) return error.result
    throw error
  }
  return last
}
