import type { WebClient } from '@slack/web-api'
import type { Services } from '../../services.ts'
import { type PostResult, postMessage } from '../../slack/api/post-message.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { Delivery } from '../../slack/deliver/delivery.ts'
import { failureOfResult, type PostFailure } from '../../slack/deliver/failures.ts'
import type { Claims } from '../../store/claims.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'

/** `unknown`: it may have been posted. `over`: somebody else has seen to it. */
export type IdempotentSendResult = 'posted' | 'unknown' | 'over' | PostFailure

const keptForMs: Milliseconds = 3 * 24 * 60 * 60_000
/** The scopes of the claims that a post was begun, and that it is known to be done with. */
const begunScope = 'scheduled-post'
const settledScope = 'scheduled-post-settled'

/**
 * Posts what a key stands for at most once, whatever is killed when. Where a post was begun and is not known to be done
 * with, its process was killed in between: it is not sent again, since Slack has no way to ask for the same post once.
 */
export class IdempotentSender {
  readonly #claims: Claims
  readonly #delivery: Delivery
  readonly #webApi: WebClient

  constructor({
    store,
    delivery,
    backgroundWebApi,
  }: Pick<Services, 'store' | 'delivery' | 'backgroundWebApi'>) {
    this.#claims = store.claims
    this.#delivery = delivery
    this.#webApi = backgroundWebApi
  }

  /**
   * @param key stands for the post
   * @param onResult told what Slack made of it
   * @throws {StoreError}
   */
  async send(
    key: string,
    to: { readonly team: Tenant; readonly token: string; readonly channel: string },
    post: Answer,
    onResult: (outcome: PostResult['kind']) => void,
  ): Promise<IdempotentSendResult> {
    if (!(await this.#claims.claim(begunScope, key, keptForMs)))
      return (await this.#claims.isClaimed(settledScope, key)) ? 'over' : 'unknown'
    const result = await this.#delivery.send(post, to.team, ({ message }) =>
      postMessage(this.#webApi, to.token, to.channel, message),
    )
    onResult(result.kind)
    switch (result.kind) {
      case 'sent':
        await this.#claims.claim(settledScope, key, keptForMs)
        return 'posted'
      case 'unknown':
        return 'unknown'
      case 'refused':
      case 'not-now':
        await this.#claims.release(begunScope, key)
        return failureOfResult(result)
    }
  }
}
