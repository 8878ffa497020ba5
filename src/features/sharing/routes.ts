import type { Services } from '../../services.ts'
import { NotAllowedError } from '../../slack/access/errors.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { textAnswer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { readShared } from '../../slack/blocks/share-buttons.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'

export const notYoursText = 'Only the person who shared this can remove it, and admins.'
export const notSharedText = 'Nothing was shared.'

/** The way back from what was shared. */
export function sharing({ guards, responseUrls }: Services): FeatureRoutes {
  async function isAdmin({ team, person }: Actor): Promise<boolean> {
    try {
      await guards.admit(team, person.id, 'admin')
      return true
    } catch (error) {
      if (error instanceof NotAllowedError) return false
      throw error
    }
  }

  return {
    actions: [
      {
        action: ACTIONS.shareRemove,
        needs: 'member',
        isPublic: true,
        async handle({ actor }, { value }, { responseUrl }) {
          const isOwn = readShared(value) === actor.person.id
          if (!isOwn && !(await isAdmin(actor))) return textAnswer(notYoursText)
          if (responseUrl !== undefined) await responseUrls.remove(responseUrl)
          return undefined
        },
      },
      { action: ACTIONS.shareCancel, needs: 'member', handle: async () => textAnswer(notSharedText) },
    ],
  }
}
