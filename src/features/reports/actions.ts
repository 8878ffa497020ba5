import { z } from 'zod'
import { localDaySchema } from '../../query/filters/day-filters.ts'
import { groupings, narrowingFields } from '../../query/filters/filter.ts'
import { action, MenuAction } from '../../slack/blocks/actions.ts'

/** Stored in every button below a report. */
export const reportQuerySchema = z.strictObject({
  from: localDaySchema,
  to: localDaySchema,
  direction: z.enum(['incoming', 'outgoing']),
  ...narrowingFields,
  by: z.enum(groupings),
  /** Days to compare with; those before if absent. */
  versus: z.strictObject({ from: localDaySchema, to: localDaySchema }).optional(),
  /** Time of the figures in epoch ms, so that other views show the same ones; now if absent. */
  at: z.int().min(0).optional(),
})
export type ReportQuery = Readonly<z.infer<typeof reportQuerySchema>>

export const reportActions = {
  show: action('report.show.', reportQuerySchema),
  /** If the query is too long for `block_id`, it omits the agent's name, then also the time of the figures. */
  by: new MenuAction<ReportQuery>('report.by', reportQuerySchema, (query) => [
    { ...query, agentName: undefined },
    { ...query, agentName: undefined, at: undefined },
  ]),
  filter: action('report.filter', reportQuerySchema),
  share: action('report.share', reportQuerySchema),
}
