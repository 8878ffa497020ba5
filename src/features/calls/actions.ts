import { z } from 'zod'
import { range } from '../../query/filters.ts'
import { callsMenu } from '../../query/menus.ts'
import { alertIdSchema, listQuerySchema } from '../../query/query.ts'
import { action } from '../../slack/blocks/actions.ts'

export const callsActions = {
  page: action('calls.page.', listQuerySchema),
  direction: action('calls.direction', listQuerySchema),
  show: action('calls.show.', listQuerySchema),
  retry: action('calls.retry', listQuerySchema),
  share: action('calls.share', listQuerySchema),
  filter: action('calls.filter', listQuerySchema),
}

export const reportedCallsActions = { missed: callsMenu.entry('missed') }

const alertCallsSchema = z.strictObject({ ...range.fields, alert: alertIdSchema })

export const callLinks = {
  find: action('calls.find'),
  missed: action('alert.show', alertCallsSchema),
}
