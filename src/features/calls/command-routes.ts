import { readWords, unrecognised } from '../../grammar/read-words.ts'
import type { Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import type { Message } from '../../slack/blocks/blocks.ts'
import { problemsMessage, unknownWordsMessage } from '../../slack/blocks/problems.ts'
import { queryCommand, todayOf } from '../../slack/routing/query-command.ts'
import type { CommandRoute, Interaction } from '../../slack/routing/routes.ts'
import { nearestWord } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import { correctSubcommand, listCommand, listFor, subcommands } from './command.ts'
import { helpButton, helpMessage, wordsMessage } from './help.ts'
import { callsGrammar, type ListQuery } from './query.ts'

/** The commands with calls in them, and `/callboard` with what it doesn't know. */
export function callsCommands(
  services: Pick<Services, 'workspaces' | 'agentList' | 'accessRules' | 'now'>,
  list: (interaction: Interaction, query: ListQuery) => Promise<Answer>,
): readonly CommandRoute[] {
  const helpFor = async ({ actor, tenant }: Interaction): Promise<Message> =>
    helpMessage(await services.accessRules.areasOf(tenant, actor.person))

  async function answerHelp(interaction: Interaction, words: readonly Word[]): Promise<Message> {
    const written = words.map((word) => word.written)
    if (written.length === 0) return await helpFor(interaction)
    return written.join(' ').toLowerCase() === 'words'
      ? wordsMessage()
      : unknownWordsMessage(written, '/calls help')
  }

  async function answerCallboard(interaction: Interaction, words: readonly Word[]): Promise<Message> {
    const [first, ...others] = words
    if (!first || first.value.toLowerCase() === 'help') return answerHelp(interaction, others)
    const isOfCalls =
      readWords(words, callsGrammar, await todayOf(interaction, services)).problems.length === 0
    const list = listFor(first)
    const rest = list === undefined ? others.map((word) => word.written) : []
    const nearest = list ?? nearestWord(first.value, ['calls', 'agents', 'billing', 'forget', ...subcommands])
    const corrected = nearest !== undefined && subcommands.includes(nearest) ? ['calls', nearest] : [nearest]
    const meant = isOfCalls
      ? ['calls', first.written, ...rest].join(' ')
      : nearest && [...corrected, ...rest].join(' ')
    const command = meant === undefined ? undefined : `/callboard ${meant}`
    return problemsMessage([unrecognised(first)], { command, buttons: [helpButton] })
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
      moreWords: 'read',
      needs: 'member',
      handle: async (interaction, words) => ({ message: await answerHelp(interaction, words) }),
    },
    {
      command: 'calls',
      needs: 'calls',
      handle: queryCommand(services, {
        ...listCommand({ typed: '/calls', show: callsActions.show }),
        run: list,
        instead(words) {
          const corrected = correctSubcommand(words)
          return corrected && `/calls ${corrected}`
        },
      }),
    },
  ]
}
