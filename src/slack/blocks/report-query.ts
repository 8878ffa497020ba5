import { z } from 'zod'
import { agent, by, direction, line, localDay } from '../../grammar/filters.ts'
import { MenuAction } from './action.ts'

/** What a report is of; it rides whole in each of its buttons, and below it in menus that lead to other features. */
export const reportQuery = z.strictObject({
  from: localDay,
  to: localDay,
  /** Without it: both. */
  ...direction.fields,
  ...agent.fields,
  ...line.fields,
  ...by.fields,
  /** The instant of the reading, in epoch ms: another view of the same report has the same figures. Without it: now. */
  at: z.int().min(0).optional(),
})
export type ReportQuery = Readonly<z.infer<typeof reportQuery>>

/** A menu below a report. The agent's name can be looked up. */
export const reportMenu = (id: string) =>
  new MenuAction<ReportQuery>(id, reportQuery, (query) => ({ ...query, agentName: undefined }))

export const reportMore = reportMenu('report.more')

export const reportLinks = {
  missed: reportMore.entry('missed'),
  incoming: reportMore.entry('export-incoming'),
  outgoing: reportMore.entry('export-outgoing'),
}
