import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { InteractionRun } from '../../slack/routing/interactions.ts'
import type { Tool, ToolAnswer } from '../../slack/routing/routes.ts'
import { Slots } from '../../telephony/slots.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { callResult } from './result.ts'
import { busyText, nobodyText, tooSlowText } from './words.ts'

/** As Slack attaches it to each call. */
const identity = z.object({
  user_id: z.string().min(1),
  team_id: z.string().min(1),
  enterprise_id: z.string().nullish(),
})
type Identity = z.infer<typeof identity>

/** Further calls of a person or a workspace wait, up to a second limit. */
const MAX_CONCURRENT = { person: 4, workspace: 16 }
const MAX_WAITING = { person: 12, workspace: 48 }

type CallResult = ReturnType<typeof callResult> | ReturnType<typeof errorResult>

const errorResult = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  isError: true,
})

/** Calls of tools, each let in as a slash command is. */
export class ToolCalls {
  readonly #services
  readonly #people = new Slots(MAX_CONCURRENT.person)
  readonly #workspaces = new Slots(MAX_CONCURRENT.workspace)

  constructor(services: Pick<Services, 'interactions' | 'toolBudgetMs'>) {
    this.#services = services
  }

  /** @param who as the request says it @param withBlocks whether whoever asks can show them */
  async call(tool: Tool, args: unknown, who: unknown, withBlocks: boolean): Promise<CallResult> {
    let result: CallResult = errorResult(nobodyText)
    await this.#services.interactions.run(`tool ${tool.name}`, async (run) => {
      const asking = identity.safeParse(who)
      if (!asking.success) {
        run.outcome = 'forged'
        return
      }
      const answer = await this.#answer(tool, args, asking.data, run)
      result = 'problem' in answer ? errorResult(answer.problem) : callResult(answer, withBlocks)
    })
    return result
  }

  async #answer(tool: Tool, args: unknown, who: Identity, run: InteractionRun): Promise<ToolAnswer> {
    const { toolBudgetMs } = this.#services
    const refuse = (outcome: InteractionRun['outcome'], problem: string) => {
      run.outcome = outcome
      return { problem }
    }
    try {
      const answer = await withTimeout(this.#inTurn(tool, args, who, run), toolBudgetMs)
      if (answer === timedOut) return refuse('unavailable', tooSlowText(toolBudgetMs))
      return answer === 'busy' ? refuse('busy', busyText) : answer
    } catch (error) {
      return { problem: run.apologize(error).message.text }
    }
  }

  async #inTurn(tool: Tool, args: unknown, who: Identity, run: InteractionRun): Promise<ToolAnswer | 'busy'> {
    const { user_id: userId, team_id: teamId, enterprise_id } = who
    const origin = { team: { teamId, enterpriseId: enterprise_id ?? undefined }, userId, channel: '' }
    const work = async () => {
      // It was refused while it waited.
      if (run.outcome !== 'ok') return 'busy'
      const interaction = await run.admit(origin, tool.needs)
      return tool.run(interaction, args).finally(() => {
        // Its words go to a model: names that stand in what was asked for stay out of its sentences, and no button asks again.
        interaction.fallback = {}
      })
    }
    const person = `${teamId}/${userId}`
    if (this.#people.waiting(person) >= MAX_WAITING.person) return 'busy'
    return this.#people.run(person, async () => {
      if (this.#workspaces.waiting(teamId) >= MAX_WAITING.workspace) return 'busy'
      return this.#workspaces.run(teamId, work)
    })
  }
}
