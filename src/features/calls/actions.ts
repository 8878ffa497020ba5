import { callsMenu } from '../../query/menus.ts'
import { listQuerySchema } from '../../query/query.ts'
import { action } from '../../slack/blocks/actions.ts'

export const callsActions = {
  page: action('calls.page.', listQuerySchema),
  direction: action('calls.direction', listQuerySchema),
  show: action('calls.show.', listQuerySchema),
  retry: action('calls.retry', listQuerySchema),
  share: action('calls.share', listQuerySchema),
  answer: action('calls.answer', listQuerySchema),
  filter: action('calls.filter', listQuerySchema),
  filterDates: action('calls.filter.dates'),
}

export const unreachedActions = {
  page: action('calls.unreached.page.', listQuerySchema),
  show: action('calls.unreached.show.', listQuerySchema),
}

export const reportedCallsActions = { missed: callsMenu.entry('missed') }

export const callLinks = { find: action('calls.find') }
