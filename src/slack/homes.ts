import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { SlackUnavailableError } from './errors.ts'
import type { Installation } from './installations.ts'

/** Home tabs: one for each person. */
export interface Homes {
  /** @throws {SlackUnavailableError} */
  publish(installation: Installation, userId: string, view: types.HomeView): Promise<void>
}

export function createHomes({ webApi }: { webApi: WebClient }): Homes {
  return {
    async publish({ botToken }, userId, view) {
      try {
        await webApi.views.publish({ token: botToken, user_id: userId, view })
      } catch (cause) {
        throw new SlackUnavailableError('views.publish failed', { cause })
      }
    },
  }
}
