import type { Services } from '../../services.ts'
import { shareActions } from '../../slack/blocks/share-buttons.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'

export const notYoursText = 'Only whoever shared this, or an administrator, can remove it.'

/** The way back from what was shared. */
export function sharing({ guards, responseUrls }: Services): FeatureRoutes {
  return {
    actions: bind(shareActions, {
      remove: {
        needs: 'member',
        answersBelow: true,
        async handle({ actor }, { by }, { responseUrl }) {
          if (by !== actor.person.id && !(await guards.may(actor, 'admin'))) return textAnswer(notYoursText)
          if (responseUrl !== undefined) await responseUrls.remove(responseUrl)
          return undefined
        },
      },
    }),
  }
}
