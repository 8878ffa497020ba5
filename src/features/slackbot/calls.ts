import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { InteractionRun } from '../../slack/routing/interactions.ts'
import type { Tool, ToolAnswer } from '../../slack/routing/routes.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { toCallResult, toErrorResult } from './result.ts'
import { noPersonText, noWorkspaceText, tooSlowText } from './words.ts'

/** Slack attaches it to each call. The team is null if Slack couldn't resolve the workspace. */
const identitySchema = z.object({
  user_id: z.string().min(1),
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
})
type Identity = z.infer<typeof identitySchema>

/** Runs tools with the permissions of the person who asks. */
export class ToolCalls {
  readonly #services

  constructor(services: Pick<Services, 'interactions' | 'toolBudgetMs'>) {
    this.#services = services
  }

  /** @param identity as Slack attached it */
  async call(tool: Tool, args: unknown, identity: unknown) {
    let answer: ToolAnswer = { problem: noPersonText }
    await this.#services.interactions.run(`tool ${tool.name}`, async (run) => {
      const { data } = identitySchema.safeParse(identity)
      if (data) answer = await this.#answer(tool, args, data, run)
      else run.outcome = 'forged'
    })
    return 'problem' in answer ? toErrorResult(answer.problem) : toCallResult(answer)
  }

  async #answer(tool: Tool, args: unknown, identity: Identity, run: InteractionRun): Promise<ToolAnswer> {
    const { toolBudgetMs } = this.#services
    const refuse = (outcome: InteractionRun['outcome'], problem: string) => {
      run.outcome = outcome
      return { problem }
    }
    const { user_id: userId, team_id: teamId, enterprise_id: enterpriseId } = identity
    if (!teamId) return refuse('not-installed', noWorkspaceText)
    const origin = { team: { teamId, enterpriseId: enterpriseId ?? undefined }, userId, channel: '' }
    const work = async () => {
      const interaction = await run.admit(origin, tool.needs)
      // An apology for a model must not contain the request, which may quote data, or buttons.
      return tool.run(interaction, args).finally(() => {
        interaction.fallback = {}
      })
    }
    try {
      const answer = await withTimeout(work(), toolBudgetMs)
      return answer === timedOut ? refuse('unavailable', tooSlowText(toolBudgetMs)) : answer
    } catch (error) {
      return { problem: run.apologize(error).message.text }
    }
  }
}
