import { callsActions } from '../features/calls/actions.ts'
import type { QueryCommand, QueryParser } from './command.ts'
import { callsGrammar, forLine, type ListQuery, toListQuery } from './query.ts'
import { requestText } from './texts.ts'

export const listCommand = (
  options: Pick<QueryCommand<ListQuery>, 'typed' | 'show'>,
): QueryParser<ListQuery> => ({
  ...options,
  grammar: callsGrammar,
  complete: toListQuery,
  forLine,
  request: requestText,
  filter: callsActions.filter,
  alternative: (understood) => callsActions.filter.button('Find calls…', understood),
})
