import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { InvalidStateError, type StateStore } from '@slack/oauth'
import { z } from 'zod'
import type { Claims } from '../../store/claims.ts'

/** The state was used before. */
export class UsedStateError extends InvalidStateError {}

const lifeMs = 10 * 60_000
const state = z.object({
  id: z.string(),
  until: z.number(),
  options: z.looseObject({ scopes: z.array(z.string()) }),
})

/**
 * Signed states that live ten minutes and work once. (The SDK's own store accepts a state as often as it comes.)
 * @throws {InvalidStateError} on verifying, and {StoreError}
 */
export function createStateStore(options: { secret: string; claims: Claims; now: () => number }): StateStore {
  const { claims, now } = options
  const sign = (body: string) => createHmac('sha256', options.secret).update(body).digest('base64url')

  return {
    async generateStateParam(installOptions) {
      const content = { id: randomUUID(), until: now() + lifeMs, options: installOptions }
      const body = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${body}.${sign(body)}`
    },
    async verifyStateParam(_now, text) {
      const [body = '', signature = ''] = text.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(body))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new InvalidStateError('the state is not ours')
      }
      const content = state.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
      if (content.until < now()) throw new InvalidStateError('the state has expired')
      if (!(await claims.claim('oauth-state', content.id, lifeMs)))
        throw new UsedStateError('the state was used before')
      return content.options
    },
  }
}
