import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Installation } from './installations.ts'
import { askSlack } from './web-api.ts'

/** Home tabs: one for each person. */
export interface Homes {
  /** @throws {SlackUnavailableError | TokenRefusedError} */
  publish(installation: Installation, userId: string, view: types.HomeView): Promise<void>
}

export function createHomes({ webApi }: { webApi: WebClient }): Homes {
  return {
    async publish({ botToken }, userId, view) {
      const call = webApi.views.publish({ token: botToken, user_id: userId, view })
      await askSlack('views.publish', call)
    },
  }
}
