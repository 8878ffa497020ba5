import { callFilters } from '../../grammar/filters.ts'
import { parseWords, plainVocabulary } from '../../grammar/parse-words.ts'
import { joinWords, notUnderstoodText, type Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { problemMessage, unknownWordsMessage } from '../../slack/blocks/command-button.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { CommandRoute, Interaction } from '../../slack/routing/routes.ts'
import { nearestWord } from '../../util/text.ts'
import { helpButton, helpMessage } from './help.ts'
import { callsActions, callsGrammar, forLine, type ListQuery, toListQuery } from './query.ts'
import { getToday, type QueryCommand, queryCommand } from './query-command.ts'
import { requestText } from './words.ts'

/** Words of `/calls` that lead elsewhere than to a list. */
export const subcommands = [
  'alert',
  'alerts',
  'connect',
  'disconnect',
  'export',
  'help',
  'lines',
  'report',
  'schedule',
  'schedules',
  'timezone',
]

/** Commands that people look for under `/calls`. */
const otherCommands: ReadonlyMap<string, string> = new Map([
  ['agents', '/agents'],
  ['billing', '/billing'],
  ['access', '/callboard access'],
  ['settings', '/callboard access'],
  ['audit', '/callboard audit'],
  ['forget', '/callboard forget'],
])

/** Returns the words with a misspelled subcommand corrected; `undefined` without one. */
export function correctSubcommand(words: readonly Word[]): string | undefined {
  const known = [...plainVocabulary(callFilters), ...subcommands]
  const corrected = words.map(({ key, quoted, value }) =>
    key === undefined && !quoted ? nearestWord(value, known) : undefined,
  )
  const at = corrected.findIndex((word) => word !== undefined && subcommands.includes(word))
  return at === -1 ? undefined : words.map(({ written }, i) => (i === at ? corrected[i] : written)).join(' ')
}

function findOtherCommand(words: readonly Word[]): string | undefined {
  const [first, ...others] = words
  const other = otherCommands.get(first?.value.toLowerCase() ?? '')
  if (other !== undefined) return [other, ...others.map(({ written }) => written)].join(' ')
  const corrected = correctSubcommand(words)
  if (corrected !== undefined) return `/calls ${corrected}`
  return words.some(({ key }) => key === 'by') ? `/calls report ${joinWords(words)}` : undefined
}

/** A command with the filters of `/calls`. */
export const listCommand = (
  own: Pick<QueryCommand<ListQuery>, 'typed' | 'show'>,
): Omit<QueryCommand<ListQuery>, 'run'> => ({
  ...own,
  grammar: callsGrammar,
  complete: toListQuery,
  forLine,
  request: requestText,
  filter: callsActions.filter,
  alternatives: (understood) => [callsActions.filter.button('Find calls…', understood), helpButton],
})

/** `/calls`, its help, and `/callboard` with unknown words. */
export function callsCommands(
  services: Services,
  list: (interaction: Interaction, query: ListQuery) => Promise<Answer>,
): readonly CommandRoute[] {
  async function answerHelp({ actor }: Interaction, words: readonly Word[]): Promise<Answer> {
    const written = words.map((word) => word.written)
    return {
      message:
        written.length > 0
          ? unknownWordsMessage(written, '/calls help')
          : helpMessage(await services.guards.areas(actor)),
    }
  }

  async function answerCallboard(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const [first, ...others] = words
    if (!first || first.value.toLowerCase() === 'help') return answerHelp(interaction, others)
    const { problem, names } = parseWords(words, callsGrammar, await getToday(interaction, services))
    const isList = problem === undefined && names.length === 0
    const ofCalls = isList ? joinWords(words) : correctSubcommand(words)
    const nearest = nearestWord(first.value, ['calls', 'agents', 'billing', 'access', 'audit', 'forget'])
    const other = nearest && joinWords([{ written: nearest }, ...others])
    const meant = ofCalls === undefined ? other : `calls ${ofCalls}`
    const command = meant === undefined ? undefined : `/callboard ${meant}`
    return {
      message: problemMessage(notUnderstoodText(joinWords(words)), { command, buttons: [helpButton] }),
    }
  }

  return [
    {
      command: 'callboard',
      needs: 'member',
      handle: answerCallboard,
    },
    {
      command: 'calls',
      word: 'help',
      moreWords: 'read',
      needs: 'member',
      handle: answerHelp,
    },
    {
      command: 'calls',
      needs: 'calls',
      handle: queryCommand(services, {
        ...listCommand({ typed: '/calls', show: callsActions.show }),
        run: list,
        otherCommand: findOtherCommand,
      }),
    },
  ]
}
