import type { Services } from '../../services.ts'
import { textAnswer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { readShared } from '../../slack/blocks/share-buttons.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'

export const notYoursText = 'Only whoever shared this, or an administrator, can remove it.'

/** The way back from what was shared. */
export function sharing({ guards, responseUrls }: Services): FeatureRoutes {
  return {
    actions: [
      {
        action: ACTIONS.shareRemove,
        needs: 'member',
        answersBelow: true,
        async handle({ actor }, { value }, { responseUrl }) {
          const isOwn = readShared(value) === actor.person.id
          if (!isOwn && !(await guards.may(actor, 'admin'))) return textAnswer(notYoursText)
          if (responseUrl !== undefined) await responseUrls.remove(responseUrl)
          return undefined
        },
      },
    ],
  }
}
