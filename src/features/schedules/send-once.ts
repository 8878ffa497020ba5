import type { WebClient } from '@slack/web-api'
import type { Metrics } from '../../metrics.ts'
import { deliver } from '../../slack/api/post-message.ts'
import type { Message } from '../../slack/blocks/blocks.ts'
import type { Claims } from '../../store/claims.ts'
import { refusal, type Verdict } from './failures.ts'

/** `unknown`: it may have been posted. `over`: somebody else has seen to it. */
export type Sent = 'posted' | 'unknown' | 'over' | Verdict

const keptForMs = 3 * 24 * 60 * 60_000
/** A post that was begun, and one that is known to be done with. */
const begun = 'scheduled-post'
const settled = 'scheduled-post-settled'

/**
 * Posts what `key` stands for at most once, whatever is killed when. Where a post was begun and is not known to be done
 * with, its process was killed in between: it is not sent again, since Slack has no way to ask for the same post once.
 */
export function createSendOnce(deps: {
  claims: Claims
  /** Nobody waits for these calls. */
  webApi: WebClient
  metrics: Pick<Metrics, 'post'>
}) {
  const { claims, webApi, metrics } = deps

  return async (key: string, token: string, channel: string, message: Message): Promise<Sent> => {
    if (!(await claims.claim(begun, key, keptForMs))) {
      return (await claims.isClaimed(settled, key)) ? 'over' : 'unknown'
    }
    const delivery = await deliver(webApi, token, channel, message)
    metrics.post('scheduled', delivery.kind)
    switch (delivery.kind) {
      case 'sent':
        await claims.claim(settled, key, keptForMs)
        return 'posted'
      case 'unknown':
        return 'unknown'
      case 'refused':
        await claims.release(begun, key)
        return refusal(delivery.code)
      case 'not-now':
        await claims.release(begun, key)
        return { kind: 'passing', retryAfterMs: delivery.retryAfterMs }
    }
  }
}
