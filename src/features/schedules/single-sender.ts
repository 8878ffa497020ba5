import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { failureOfResult, type PostFailure } from '../../slack/answers/failures.ts'
import { type PostResult, postMessage } from '../../slack/api/post-message.ts'
import type { Claims } from '../../store/claims.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'

/** `unknown`: it may have been posted. `over`: somebody else has seen to it. */
export type SingleSendResult = 'posted' | 'unknown' | 'over' | PostFailure

const keptForMs: Milliseconds = 3 * 24 * 60 * 60_000
/** The scopes of the claims that a post was begun, and that it is known to be done with. */
const begunScope = 'scheduled-post'
const settledScope = 'scheduled-post-settled'

/** Claims all of the keys. @returns what became of it where another has claimed one */
async function begin(claims: Claims, keys: readonly string[]): Promise<'over' | 'unknown' | undefined> {
  for (const key of keys) {
    if (await claims.claim(begunScope, key, keptForMs)) continue
    if (!(await claims.isClaimed(settledScope, key))) return 'unknown'
    // What was claimed on the way here is done with as well.
    await settle(claims, keys)
    return 'over'
  }
  return undefined
}

async function settle(claims: Claims, keys: readonly string[]): Promise<void> {
  for (const key of keys) await claims.claim(settledScope, key, keptForMs)
}

async function release(claims: Claims, keys: readonly string[]): Promise<void> {
  for (const key of keys) await claims.release(begunScope, key)
}

/**
 * Posts what some keys stand for at most once, whatever is killed when. Where a post was begun and is not known to be done
 * with, its process was killed in between: it is not sent again, since Slack has no way to ask for the same post once.
 */
export class SingleSender {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'delivery' | 'backgroundWebApi'>) {
    this.#services = services
  }

  /**
   * @param keys any of which stands for the post
   * @param onResult told what Slack made of it
   * @throws {StoreError}
   */
  async send(
    keys: readonly string[],
    to: { readonly team: Tenant; readonly token: string; readonly channel: string },
    post: Answer,
    onResult: (outcome: PostResult['kind']) => void,
  ): Promise<SingleSendResult> {
    const { delivery, backgroundWebApi, store } = this.#services
    const { claims } = store
    const begun = await begin(claims, keys)
    if (begun) return begun
    const result = await delivery.send(post, to.team, ({ message }) =>
      postMessage(backgroundWebApi, to.token, to.channel, message),
    )
    onResult(result.kind)
    switch (result.kind) {
      case 'sent':
        await settle(claims, keys)
        return 'posted'
      case 'unknown':
        return 'unknown'
      case 'refused':
      case 'not-now':
        await release(claims, keys)
        return failureOfResult(result)
    }
  }
}
