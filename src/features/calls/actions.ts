import { z } from 'zod'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import { type ListQuery, listQuery } from './query.ts'

/** The rest of a list. The agent's name can be looked up. */
export const callsMore = new MenuAction<ListQuery>('calls.more', listQuery, (query) => [
  { ...query, agentName: undefined },
])

/** The whole query rides in each button, so that paging goes on anywhere, any time. */
export const callsActions = {
  page: action('calls.page.', listQuery),
  direction: action('calls.direction', listQuery),
  show: action('calls.show.', listQuery),
  retry: action('calls.retry', listQuery),
  refresh: callsMore.entry('refresh'),
  share: action('calls.share', listQuery),
  filter: action('calls.filter', listQuery),
}

/** Below a report, which stays. */
export const reportedCallsActions = { missed: callsMore.entry('missed') }

export const exportActions = {
  start: action('calls.export.', listQuery),
  list: callsMore.entry('export'),
  /** In its zone, whatever that of the conversation is where it is clicked. */
  again: action('calls.export-again', z.strictObject({ query: listQuery, zone: z.string() })),
  cancel: action('calls.export-cancel', z.strictObject({ id: z.string().min(1) })),
}
