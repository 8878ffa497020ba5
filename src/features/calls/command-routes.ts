import type { AccessRules } from '../../slack/access/access-rules.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import type { Message } from '../../slack/blocks/blocks.ts'
import { commandAgain } from '../../slack/blocks/command-button.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { CommandRoute, Interaction } from '../../slack/routing/routes.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { agentsLike, matchAgent } from '../../telephony/match-agent.ts'
import type { LocalDay } from '../../time/types.ts'
import { nearestWord } from '../../util/nearest-word.ts'
import { chooseAgent, ofAgent } from './agent-choice.ts'
import { type Problem, parseCallsCommand, unrecognised } from './command.ts'
import { correctCommand } from './did-you-mean.ts'
import { helpMessage, problemsMessage, wordsMessage } from './help.ts'
import { type ListQuery, writeQuery } from './query.ts'
import { requestText } from './summary.ts'

/** What is wrong, and the way on: what was meant, or the form with what was understood. */
function answerProblems(
  words: readonly Word[],
  { problems, query }: { readonly problems: readonly Problem[]; readonly query: ListQuery },
  today: LocalDay,
): Answer {
  const corrected = correctCommand(words, problems, today)
  const command = corrected === undefined ? undefined : `/calls ${corrected}`
  const texts = [...new Set(problems.map(({ text }) => text))]
  return { message: problemsMessage(texts, { command, filter: writeQuery(query) }) }
}

/** The commands with calls in them, and `/callboard` with what it doesn't know. */
export function callsCommands({
  list,
  agentsOf,
  todayOf,
  accessRules,
}: {
  readonly list: (interaction: Interaction, query: ListQuery) => Promise<Answer>
  readonly agentsOf: (interaction: Interaction) => Promise<readonly AgentSummary[]>
  readonly todayOf: (interaction: Interaction) => Promise<LocalDay>
  readonly accessRules: Pick<AccessRules, 'areasOf'>
}): readonly CommandRoute[] {
  async function answerCalls(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const today = await todayOf(interaction)
    const parsed = parseCallsCommand(words, today)
    const { query } = parsed
    if ('problems' in parsed) return answerProblems(words, parsed, today)
    if (parsed.agent === undefined) return list(interaction, query)
    const { name, more } = parsed.agent
    const written = words.map((word) => word.written).join(' ')
    const request = requestText({ ...query, agentId: name }, today)
    interaction.fallback = { retry: commandAgain(`/calls ${written}`), request }
    const agents = await agentsOf(interaction)
    const following = more.flatMap((at) => {
      const word = words[at]
      return word ? [{ at, word }] : []
    })
    const whole = [name, ...following.map(({ word }) => word.value)].join(' ')
    const match = matchAgent(agents, whole)
    if ('agent' in match) return list(interaction, ofAgent(query, match.agent))
    // Words behind a name that stands by itself are no part of it, where they may be a slip of the keyboard.
    const [agent, ...others] = match.candidates.length === 0 ? agentsLike(agents, name) : []
    const problems = following.map(({ at, word }) => ({ at, text: unrecognised(word) }))
    if (agent && correctCommand(words, problems, today) !== undefined) {
      const known = others.length === 0 ? ofAgent(query, agent) : query
      return answerProblems(words, { problems, query: known }, today)
    }
    return chooseAgent(whole, match.candidates, query)
  }

  const helpFor = async ({ actor, tenant }: Interaction): Promise<Message> =>
    helpMessage(await accessRules.areasOf(tenant, actor.person))

  async function answerCallboard(interaction: Interaction, words: readonly Word[]): Promise<Message> {
    const [first] = words
    if (!first || first.value.toLowerCase() === 'help') return await helpFor(interaction)
    const isOfCalls = !('problems' in parseCallsCommand(words, await todayOf(interaction)))
    const [, ...rest] = words.map((word) => word.written)
    const nearest = nearestWord(first.value, ['calls', 'agents', 'billing', 'forget'])
    const meant = isOfCalls
      ? ['calls', first.written, ...rest].join(' ')
      : nearest && [nearest, ...rest].join(' ')
    const command = meant === undefined ? undefined : `/callboard ${meant}`
    return problemsMessage([unrecognised(first)], { command })
  }

  return [
    {
      command: 'callboard',
      needs: 'member',
      handle: async (interaction, words) => ({ message: await answerCallboard(interaction, words) }),
    },
    {
      command: 'calls',
      word: 'help',
      needs: 'member',
      handle: async (interaction, [word]) => ({
        message: word?.value.toLowerCase() === 'words' ? wordsMessage() : await helpFor(interaction),
      }),
    },
    { command: 'calls', needs: 'calls', handle: answerCalls },
  ]
}
