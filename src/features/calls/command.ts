import { by, type Filter } from '../../grammar/filters.ts'
import { readWords, unrecognised } from '../../grammar/read-words.ts'
import { joinWords, type Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { problemsMessage, unknownWordsMessage } from '../../slack/blocks/command-button.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { type QueryCommand, queryCommand, todayOf } from '../../slack/routing/query-command.ts'
import type { CommandRoute, Interaction } from '../../slack/routing/routes.ts'
import type { LocalDay } from '../../time/types.ts'
import { nearestWord } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import { commandsAnswer, helpButton, helpMessage } from './help.ts'
import { callsGrammar, type ListQuery, ofLine, toListQuery } from './query.ts'
import { requestText } from './words.ts'

/** The first words of `/calls` that lead elsewhere than to a list. */
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

/** By what people would do: the subcommand that lists where it is done. */
const lists: ReadonlyMap<string, string> = new Map([
  ['mute', 'alerts'],
  ['unmute', 'alerts'],
])
/** The same under other names. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['csv', 'export'],
  ['delete', 'forget'],
  ['download', 'export'],
  ['stats', 'report'],
  ['summary', 'report'],
])
const listFor = ({ value }: Word): string | undefined => lists.get(value.toLowerCase())

/** The command as it was probably meant where its first word is none of a list: `report last month`; `undefined` elsewhere. */
export function correctSubcommand([first, ...others]: readonly Word[]): string | undefined {
  if (!first || first.key !== undefined || first.quoted) return undefined
  const list = listFor(first)
  if (list !== undefined) return list
  const words = [...callsGrammar.filters.flatMap(({ words = [] }: Filter) => words), ...subcommands]
  const nearest = synonyms.get(first.value.toLowerCase()) ?? nearestWord(first.value, words)
  return nearest !== undefined && subcommands.includes(nearest)
    ? joinWords([{ written: nearest }, ...others])
    : undefined
}

/** The report that a list was asked for as: `yesterday by:line`. It counts the missed calls in any case. */
function asReport(words: readonly Word[], today: LocalDay): string | undefined {
  const { asked, problems } = readWords(words, { filters: [...callsGrammar.filters, by] }, today)
  if (asked.by === undefined || problems.length > 0) return undefined
  return joinWords([{ written: 'report' }, ...words.filter(({ value }) => value.toLowerCase() !== 'missed')])
}

/** A command that takes the words of `/calls`. */
export const listCommand = (
  own: Pick<QueryCommand<ListQuery>, 'typed' | 'show'>,
): Omit<QueryCommand<ListQuery>, 'run'> => ({
  ...own,
  grammar: callsGrammar,
  complete: toListQuery,
  ofLine,
  request: requestText,
  filter: callsActions.filter,
  waysOn: (understood) => [callsActions.filter.button('Find calls…', understood), helpButton],
})

/** The commands with calls in them, and `/callboard` with what it doesn't know. */
export function callsCommands(
  services: Services,
  list: (interaction: Interaction, query: ListQuery) => Promise<Answer>,
): readonly CommandRoute[] {
  async function answerHelp({ actor }: Interaction, words: readonly Word[]): Promise<Answer> {
    const written = words.map((word) => word.written)
    if (written.length === 0) return { message: helpMessage(await services.guards.areas(actor)) }
    const isWords = written.join(' ').toLowerCase() === 'words'
    return isWords ? commandsAnswer() : { message: unknownWordsMessage(written, '/calls help') }
  }

  async function answerCallboard(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const [first, ...others] = words
    if (!first || first.value.toLowerCase() === 'help') return answerHelp(interaction, others)
    const { problems } = readWords(words, callsGrammar, await todayOf(interaction, services))
    const nearest =
      synonyms.get(first.value.toLowerCase()) ??
      nearestWord(first.value, ['calls', 'agents', 'billing', 'access', 'audit', 'forget'])
    const ofCalls = problems.length === 0 ? joinWords(words) : correctSubcommand(words)
    const other = nearest && joinWords([{ written: nearest }, ...others])
    const meant = ofCalls === undefined ? other : `calls ${ofCalls}`
    const command = meant === undefined ? undefined : `/callboard ${meant}`
    return { message: problemsMessage([unrecognised(first)], { command, buttons: [helpButton] }) }
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
        instead(words, today, isFirstUnknown) {
          const report = asReport(words, today)
          if (report !== undefined) return `/calls ${report}`
          if (!isFirstUnknown) return undefined
          const [, other, more = ''] = /^(agents|billing)\b(.*)/i.exec(joinWords(words)) ?? []
          if (other !== undefined) return `/${other.toLowerCase()}${more}`
          const corrected = correctSubcommand(words)
          return corrected && `/calls ${corrected}`
        },
      }),
    },
  ]
}
