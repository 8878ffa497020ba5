import { z } from 'zod'
import { MenuAction } from './action.ts'
import { LIMITS } from './blocks.ts'
import { localDay } from './values.ts'

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day'] as const
export type Grouping = (typeof groupings)[number]

/** What a report is of; it rides whole in each of its buttons, and below it in menus that lead to other features. */
export const reportQuery = z.strictObject({
  from: localDay,
  to: localDay,
  /** Without it: both. */
  direction: z.enum(['incoming', 'outgoing']).optional(),
  agentId: z.string().min(1).max(LIMITS.agentId).optional(),
  agentName: z.string().max(LIMITS.optionText).optional(),
  /** One of the account's own numbers, or its last digits. */
  line: z.string().min(1).max(24).optional(),
  by: z.enum(groupings),
  /** The instant of the reading, in epoch ms: another view of the same report has the same figures. Without it: now. */
  at: z.int().min(0).optional(),
})
export type ReportQuery = Readonly<z.infer<typeof reportQuery>>

/** A menu below a report. The agent's name can be looked up. */
export const reportMenu = (id: string) =>
  new MenuAction<ReportQuery>(id, reportQuery, (query) => ({ ...query, agentName: undefined }))

export const reportMore = reportMenu('report.more')

/** What leads from a report to other features. */
export const reportLinks = {
  missed: reportMore.entry('missed'),
  /** A file has one kind of number. */
  incoming: reportMore.entry('export-incoming'),
  outgoing: reportMore.entry('export-outgoing'),
}
