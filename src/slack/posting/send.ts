import type { WebClient } from '@slack/web-api'
import type { Tenant } from '../../store/tenant.ts'
import type { Answer } from '../answers/answer.ts'
import type { Delivery } from '../answers/delivery.ts'
import { messageOf } from '../answers/message-json.ts'
import { type PostResult, postMessage } from '../api/post-message.ts'

/** It is not known to have been refused: another form of it must not follow. */
class UnsentError extends Error {
  readonly result

  constructor(result: Exclude<PostResult, { kind: 'sent' | 'refused' }>) {
    super('the post was not confirmed')
    this.result = result
  }
}

/** Posts to a channel, once, in the first form that Slack takes. @throws {StoreError} */
export async function postInForms(
  { delivery, webApi }: { readonly delivery: Delivery; readonly webApi: WebClient },
  { team, token }: { readonly team: Tenant; readonly token: string },
  channel: string,
  post: Answer,
): Promise<PostResult> {
  let last: PostResult = { kind: 'unknown' }
  try {
    const reply = await delivery.prepare(post, team)
    await delivery.send(reply, async (forms) => {
      const result = await postMessage(webApi, token, channel, messageOf(forms, team))
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
