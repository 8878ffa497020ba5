import { z } from 'zod'
import {
  agent,
  type Grouping,
  groupBy,
  groupings,
  line,
  localDaySchema,
  number,
  type ParsedFilters,
  status,
} from '../../grammar/filters.ts'
import { daysIn, type LocalDay, lastDays } from '../../time/days.ts'
import { formatNumber } from '../../util/text.ts'
import { type ListQuery, lineDigits } from '../calls/query.ts'

const MAX_DAYS = 732

const DEFAULT_DAYS = 7

/** Describes a report; every button below the report carries it. */
export const reportQuerySchema = z.strictObject({
  from: localDaySchema,
  to: localDaySchema,
  direction: z.enum(['incoming', 'outgoing']),
  ...status.fields,
  ...agent.fields,
  ...line.fields,
  ...number.fields,
  ...groupBy.fields,
  /** The instant of the reading, in epoch ms, so that other views of the report show the same figures. Now if absent. */
  at: z.int().min(0).optional(),
})
export type ReportQuery = Readonly<z.infer<typeof reportQuerySchema>>

/** Applies defaults: the last 7 days, incoming calls, by line if there are several. */
export function toReportQuery(asked: ParsedFilters, today: LocalDay): ReportQuery {
  const { from, direction = 'incoming', status: result, line: ownLine, number: digits } = asked
  const to = asked.to ?? (from !== undefined && from > today ? from : today)
  const usual = ownLine !== undefined || direction === 'outgoing' ? 'day' : 'line'
  return {
    ...(from === undefined ? lastDays(DEFAULT_DAYS, to) : { from, to }),
    direction,
    status: result,
    number: digits,
    by: asked.by ?? usual,
  }
}

/** Alerts cover several lines and no agent, so that only reports of all incoming calls count them. */
export const countsAlerts = ({ direction, status, line, number, agentId }: ReportQuery): boolean =>
  direction === 'incoming' && [status, line, number, agentId].every((filter) => filter === undefined)

/** Outgoing records don't contain the line, and people take alerts of all incoming calls. */
export const groupingsFor = (query: ReportQuery): readonly Grouping[] =>
  groupings.filter(
    (grouping) =>
      (grouping !== 'line' || query.direction === 'incoming') &&
      (grouping !== 'person' || countsAlerts(query)),
  )

/** Switches to the other direction, without what outgoing records don't contain. */
export function switchDirection(query: ReportQuery): ReportQuery {
  if (query.direction === 'outgoing') return { ...query, direction: 'incoming', at: undefined }
  return {
    ...query,
    direction: 'outgoing',
    line: undefined,
    by: query.by === 'line' || query.by === 'person' ? 'day' : query.by,
    at: undefined,
  }
}

/** Returns why there can be no such report, and the form's field that has to change. */
export function findProblem(query: ReportQuery) {
  const days = daysIn(query.from, query.to)
  if (days > MAX_DAYS)
    return {
      field: 'to',
      text: `A report covers up to ${MAX_DAYS} days. You asked for ${formatNumber(days)}.`,
    }
  if (query.line !== undefined && query.number !== undefined)
    return { field: 'number', text: 'Choose a line or enter a number, not both.' }
  if (query.by === 'person' && !countsAlerts(query))
    return { field: 'by', text: 'People take alerts of all incoming calls. Leave out the other filters.' }
  if (query.direction === 'incoming') return undefined
  if (query.line !== undefined)
    return { field: 'direction', text: "Outgoing calls aren't tied to a line. Choose incoming calls." }
  if (query.by === 'line')
    return { field: 'by', text: "Outgoing calls can't be listed by line: they aren't tied to one." }
  return undefined
}

/** Returns the list of the report's calls. */
export const toCallsQuery = ({ by: _by, at: _at, line: ownLine, ...query }: ReportQuery): ListQuery => ({
  ...query,
  number: ownLine === undefined ? query.number : lineDigits(ownLine),
  page: 1,
})
