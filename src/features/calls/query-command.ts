import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import type { ValueAction } from '../../slack/blocks/action.ts'
import { commandAgain } from '../../slack/blocks/command-button.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { LineNames } from '../../telephony/line-names.ts'
import { agentsLike, matchAgent } from '../../telephony/match-agent.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { chooseAgent, ofAgent } from './agent-choice.ts'
import { type Problem, parseCallsCommand, unrecognised } from './command.ts'
import { correctCommand, correctSubcommand } from './did-you-mean.ts'
import { problemsMessage } from './help.ts'
import { readLineWords } from './line-words.ts'
import type { ListQuery } from './query.ts'
import { requestText } from './summary.ts'

/** A command that takes the words of `/calls`. */
interface QueryCommand {
  /** As it is typed: `/calls`, `/calls export`. */
  readonly command: string
  /** What runs it for another query. */
  readonly action: ValueAction<ListQuery>
  readonly run: (interaction: Interaction, query: ListQuery) => Promise<Answer | undefined>
}

/** What is wrong, and the way on: what was meant, or the form with what was understood. */
function answerProblems(
  words: readonly Word[],
  { problems, query }: { readonly problems: readonly Problem[]; readonly query: ListQuery },
  { today, command: typed }: { readonly today: LocalDay; readonly command: string },
): Answer {
  const first = problems.find(({ at }) => at === 0)
  const subcommand = typed === '/calls' && first ? correctSubcommand(words) : undefined
  if (first && subcommand !== undefined) {
    // The words behind it are for that command to understand.
    const command = `${typed} ${subcommand}`
    return { message: problemsMessage([first.text], { command, filter: query }) }
  }
  const corrected = correctCommand(words, problems, today)
  const command = corrected === undefined ? undefined : `${typed} ${corrected}`
  const texts = [...new Set(problems.map(({ text }) => text))]
  return { message: problemsMessage(texts, { command, filter: query }) }
}

/** The day in the channel's zone. */
export async function todayOf(
  { actor, tenant, channel }: Interaction,
  { workspaces, now }: Pick<Services, 'workspaces' | 'now'>,
): Promise<LocalDay> {
  const { zone } = await workspaces.zone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}

/** Reads the words, looks up the line and the agent that they name, and runs the command; or says what is not understood. */
export function queryCommand(
  services: Pick<Services, 'workspaces' | 'agentList' | 'now'>,
  { command, action, run }: QueryCommand,
): (interaction: Interaction, words: readonly Word[]) => Promise<Answer | undefined> {
  const { workspaces, agentList } = services
  return async (interaction, asked) => {
    const hasLine = asked.some(({ key }) => key === 'line')
    const names = hasLine ? await workspaces.lineNames(interaction.tenant) : LineNames.none
    const named = readLineWords(asked, names, command)
    if ('answer' in named) return named.answer
    const { words } = named
    const today = await todayOf(interaction, services)
    const parsed = parseCallsCommand(words, today)
    const { query } = parsed
    if ('problems' in parsed) return answerProblems(words, parsed, { today, command })
    if (parsed.agent === undefined) return run(interaction, query)
    const { name, more } = parsed.agent
    const written = asked.map((word) => word.written).join(' ')
    const request = requestText({ ...query, agentId: name }, today)
    interaction.fallback = { retry: commandAgain(`${command} ${written}`), request }
    const agents = await agentList.list(await workspaces.account(interaction.tenant))
    const following = more.flatMap((at) => {
      const word = words[at]
      return word ? [{ at, word }] : []
    })
    const whole = [name, ...following.map(({ word }) => word.value)].join(' ')
    const match = matchAgent(agents, whole)
    if ('agent' in match) return run(interaction, ofAgent(query, match.agent))
    // Words behind a name that stands by itself are no part of it, where they may be a slip of the keyboard.
    const [agent, ...others] = match.candidates.length === 0 ? agentsLike(agents, name) : []
    const problems = following.map(({ at, word }) => ({ at, text: unrecognised(word) }))
    if (agent && correctCommand(words, problems, today) !== undefined) {
      const known = others.length === 0 ? ofAgent(query, agent) : query
      return answerProblems(words, { problems, query: known }, { today, command })
    }
    return chooseAgent(whole, match.candidates, query, action)
  }
}
