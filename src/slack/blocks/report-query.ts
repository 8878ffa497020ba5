import { z } from 'zod'
import { parseDay } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { ACTIONS } from './action-ids.ts'
import { LIMITS } from './blocks.ts'
import { readMenuBlockId, writeMenuBlockId } from './list-buttons.ts'
import { readValue } from './values.ts'

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day'] as const
export type Grouping = (typeof groupings)[number]

const localDay = z.string().transform((text, context): LocalDay => {
  const day = parseDay(text)
  if (day !== undefined) return day
  context.addIssue({ code: 'custom', message: 'no day' })
  return z.NEVER
})

/** What a report is of; it rides whole in each of its buttons, and below it in menus that lead to other features. */
const reportQuery = z.strictObject({
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

/** JSON for a button's `value`. */
export const writeReportQuery = (query: ReportQuery): string => JSON.stringify(query)

/** @throws {ForgedValueError} for anything that `writeReportQuery` did not write */
export const readReportQuery = (value: string | undefined): ReportQuery =>
  readValue(reportQuery, value, 'a report')

/** What the menus below a report lead to, some of it features of their own. */
export const REPORT_OPTIONS = { refresh: 'refresh', missed: 'missed', post: 'post' } as const

/** Export…, of one direction: a file has one kind of number. */
export const EXPORT_OPTIONS = { incoming: 'export-incoming', outgoing: 'export-outgoing' } as const

/** The id of a menu's block, which carries the report. Without the agent's name, which can be looked up, where it is too long. */
export function writeReportMenu(actionId: string, query: ReportQuery, nonce: string): string {
  const whole = writeMenuBlockId(actionId, nonce, writeReportQuery(query))
  if (whole.length <= LIMITS.blockId) return whole
  return writeMenuBlockId(actionId, nonce, writeReportQuery({ ...query, agentName: undefined }))
}

/** @throws {ForgedValueError} */
export const readReportMenu = (blockId: string, actionId: string = ACTIONS.reportMore): ReportQuery =>
  readReportQuery(readMenuBlockId(actionId, blockId))
