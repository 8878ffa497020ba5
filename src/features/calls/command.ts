import type { Filter } from '../../grammar/filters.ts'
import { joinWords, type Word } from '../../grammar/words.ts'
import type { QueryCommand } from '../../slack/routing/query-command.ts'
import { nearestWord } from '../../util/text.ts'
import { callsActions } from './actions.ts'
import { helpButton } from './help.ts'
import { callsGrammar, type ListQuery, ofLine, toListQuery } from './query.ts'
import { requestText } from './summary.ts'

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
export const listFor = ({ value }: Word): string | undefined => lists.get(value.toLowerCase())

/** The command as it was probably meant where its first word is none of a list: `report last month`; `undefined` elsewhere. */
export function correctSubcommand([first, ...others]: readonly Word[]): string | undefined {
  if (!first || first.key !== undefined || first.quoted) return undefined
  const list = listFor(first)
  if (list !== undefined) return list
  const words = [...callsGrammar.filters.flatMap(({ words = [] }: Filter) => words), ...subcommands]
  const nearest = nearestWord(first.value, words)
  return nearest !== undefined && subcommands.includes(nearest)
    ? joinWords([{ written: nearest }, ...others])
    : undefined
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
