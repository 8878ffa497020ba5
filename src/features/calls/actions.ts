import { z } from 'zod'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import { type ListQuery, listQuerySchema, zoneSchema } from './query.ts'

/** The rest of a list. The agent's name can be looked up. */
export const callsMore = new MenuAction<ListQuery>('calls.more', listQuerySchema, (query) => [
  { ...query, agentName: undefined },
])

/** The whole query rides in each button, so that paging goes on anywhere, any time. */
export const callsActions = {
  page: action('calls.page.', listQuerySchema),
  direction: action('calls.direction', listQuerySchema),
  show: action('calls.show.', listQuerySchema),
  retry: action('calls.retry', listQuerySchema),
  refresh: callsMore.entry('refresh'),
  share: action('calls.share', listQuerySchema),
  filter: action('calls.filter', listQuerySchema),
}

/** Below a report, which stays. */
export const reportedCallsActions = { missed: callsMore.entry('missed') }

export const exportActions = {
  start: action('calls.export.', listQuerySchema),
  list: callsMore.entry('export'),
  /** In its zone, whatever that of the conversation is where it is clicked. */
  again: action('calls.export-again', z.strictObject({ query: listQuerySchema, zone: zoneSchema })),
  cancel: action('calls.export-cancel', z.strictObject({ id: z.string().min(1) })),
}
