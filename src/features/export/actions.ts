import { z } from 'zod'
import { listQuerySchema, zoneSchema } from '../../query/query.ts'
import { action } from '../../slack/blocks/actions.ts'

export const exportActions = {
  /** Chooses the agent or the line that was meant. */
  choose: action('calls.export.', listQuerySchema),
  list: action('calls.export-list', listQuerySchema),
  /** Keeps the export's time zone, whichever conversation it is clicked in. */
  again: action('calls.export-again', z.strictObject({ query: listQuerySchema, zone: zoneSchema })),
  cancel: action('calls.export-cancel', z.strictObject({ id: z.string().min(1) })),
}
