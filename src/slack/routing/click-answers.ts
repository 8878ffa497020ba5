import type { TenantKey } from '../../store/tenant.ts'
import type { Replies } from '../answers/replies.ts'
import type { Answer, Tables } from '../answers/table-support.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'
import type { LatestClick } from './clicks.ts'
import type { Visit } from './interactions.ts'
import type { Place } from './routes.ts'

/** Answers a click, or a modal's submission, on the message that it came from. */
export type AnswerClick = (
  visit: Visit,
  click: Place & { readonly tenant: TenantKey; readonly channel: string; readonly user: string },
  produce: () => Promise<Answer | undefined>,
) => Promise<void>

export function createAnswerClick(deps: {
  latestClick: LatestClick
  tables: Tables
  replies: Replies
}): AnswerClick {
  const { latestClick, tables, replies } = deps

  return async (visit, { responseUrl, ...click }, produce) => {
    const prepared = async () => {
      const answer = await produce()
      return answer && tables.prepare(answer, click.tenant)
    }
    const apology = (error: unknown) => tables.prepare(visit.apologize(error), click.tenant)
    try {
      await latestClick.answer(click, async () => {
        const answer = await prepared().catch(apology)
        if (!answer || responseUrl === undefined) return undefined
        return () => replies.replace(answer, responseUrl)
      })
    } catch (error) {
      // Where Slack itself failed, an apology would fail like the answer did.
      if (error instanceof SlackUnavailableError || responseUrl === undefined) throw error
      await replies.replace(await apology(error), responseUrl)
    }
  }
}
