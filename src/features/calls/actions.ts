import { z } from 'zod'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import { type ListQuery, listQuerySchema, zoneSchema } from './query.ts'

/** Overflow menu of a list. Drops the agent's name if the block id is too short for it. */
export const callsMore = new MenuAction<ListQuery>('calls.more', listQuerySchema, (query) => [
  { ...query, agentName: undefined },
])

export const callsActions = {
  page: action('calls.page.', listQuerySchema),
  direction: action('calls.direction', listQuerySchema),
  show: action('calls.show.', listQuerySchema),
  retry: action('calls.retry', listQuerySchema),
  share: action('calls.share', listQuerySchema),
  filter: action('calls.filter', listQuerySchema),
}

/** Actions below a report. */
export const reportedCallsActions = { missed: callsMore.entry('missed') }

export const exportActions = {
  start: action('calls.export.', listQuerySchema),
  list: callsMore.entry('export'),
  /** Keeps the export's time zone, whichever conversation it is clicked in. */
  again: action('calls.export-again', z.strictObject({ query: listQuerySchema, zone: zoneSchema })),
  cancel: action('calls.export-cancel', z.strictObject({ id: z.string().min(1) })),
}
