import { listQuerySchema } from '../../query/query.ts'
import { action } from '../../slack/blocks/actions.ts'

export const callsActions = {
  page: action('calls.page.', listQuerySchema),
  direction: action('calls.direction', listQuerySchema),
  show: action('calls.show.', listQuerySchema),
  retry: action('calls.retry', listQuerySchema),
  share: action('calls.share', listQuerySchema),
  answerInThread: action('calls.answer', listQuerySchema),
  filter: action('calls.filter', listQuerySchema),
  filterDates: action('calls.filter.dates'),
  find: action('calls.find'),
  /** Below a report. */
  missed: action('calls.missed', listQuerySchema),
  unreachedPage: action('calls.unreached.page.', listQuerySchema),
  unreached: action('calls.unreached.show.', listQuerySchema),
}
