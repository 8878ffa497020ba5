import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { type InstallURLOptions, InvalidStateError, type StateStore as SlackStateStore } from '@slack/oauth'
import { z } from 'zod'
import type { Claims } from '../../store/claims.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'

export class UsedStateError extends InvalidStateError {}

const CLAIM_SCOPE = 'oauth-state'
const STATE_TTL_MS: Milliseconds = 10 * minuteMs
/** Longer than a state's lifetime, to recognize a page that is loaded again after the installation. */
const STATE_CLAIM_TTL_MS: Milliseconds = dayMs
const stateSchema = z.object({
  id: z.string(),
  until: z.number(),
  options: z.looseObject({ scopes: z.array(z.string()) }),
})

/** Creates and verifies signed states that expire after ten minutes and work once. (The SDK's own store accepts a state any number of times.) */
export class StateStore implements SlackStateStore {
  readonly #secret
  readonly #claims
  readonly #now

  constructor(secret: string, claims: Claims, now: () => EpochMs) {
    this.#secret = secret
    this.#claims = claims
    this.#now = now
  }

  async generateStateParam(installOptions: InstallURLOptions): Promise<string> {
    const content = { id: randomUUID(), until: this.#now() + STATE_TTL_MS, options: installOptions }
    const body = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${body}.${this.#sign(body)}`
  }

  /** @throws {InvalidStateError | UsedStateError | StoreError} */
  async verifyStateParam(_now: Date, text: string): Promise<InstallURLOptions> {
    const content = this.#verify(text)
    if (!content) throw new InvalidStateError('the state is not ours')
    if (content.until < this.#now()) throw new InvalidStateError('the state has expired')
    if (!(await this.#claims.claim(CLAIM_SCOPE, content.id, STATE_CLAIM_TTL_MS)))
      throw new UsedStateError('the state was used before')
    return content.options
  }

  /** Returns whether a state that this app signed was used in the last day, even in another browser. @throws {StoreError} */
  async isUsed(text: string): Promise<boolean> {
    const content = this.#verify(text)
    return content !== undefined && this.#claims.isClaimed(CLAIM_SCOPE, content.id)
  }

  /** Returns the content if this app signed the state. */
  #verify(text: string): z.infer<typeof stateSchema> | undefined {
    const [body = '', signature = ''] = text.split('.')
    const [actual, expected] = [Buffer.from(signature), Buffer.from(this.#sign(body))]
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
    return stateSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  }

  #sign(body: string): string {
    return createHmac('sha256', this.#secret).update(body).digest('base64url')
  }
}
