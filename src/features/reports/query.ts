import type { QueryParser } from '../../query/command.ts'
import { callFilters, filterInputs, readInputs, usedFilters } from '../../query/filters/call-filters.ts'
import { compare, versus } from '../../query/filters/day-filters.ts'
import { type Grouping, groupings, type ParsedFilters } from '../../query/filters/filter.ts'
import { groupBy, whoTook } from '../../query/filters/filters.ts'
import { QueryForm } from '../../query/form.ts'
import type { ListQuery } from '../../query/query.ts'
import { daysText } from '../../query/texts.ts'
import { commandButton } from '../../slack/blocks/buttons.ts'
import { choice, day } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { Word } from '../../slack/routing/words.ts'
import { type DayRange, daysIn, type LocalDay, lastDays } from '../../time/days.ts'
import { fold, formatNumber } from '../../util/text.ts'
import { type ReportQuery, reportActions, reportQuerySchema } from './actions.ts'

/** Two leap years. */
const MAX_DAYS = 732
const DEFAULT_DAYS = 7

export const groupingLabels: Readonly<Record<Grouping, string>> = {
  line: 'By line',
  agent: 'By agent',
  hour: 'By hour',
  weekday: 'By weekday',
  day: 'By day',
  person: 'By person',
}

export const describeRequest = (query: ReportQuery): string => `the call report for ${daysText(query)}`

function usualGrouping(query: Pick<ReportQuery, 'from' | 'to' | 'direction' | 'line'>): Grouping {
  if (query.line === undefined && query.direction === 'incoming') return 'line'
  return query.from === query.to ? 'hour' : 'day'
}

/** Whether words for a list mean a report: only reports have groups and comparisons. */
export function isReportMeant(words: readonly Word[]): boolean {
  const texts = words.map(({ key, value }) => (key === undefined ? fold(value) : `${key}:`))
  const written = ` ${texts.join(' ')} `
  if (/ (by|per): | (vs\.?|versus|compare) | who (took|takes|has taken) /.test(written)) return true
  return groupings.some((grouping) => new RegExp(` (by|per) ${grouping}s? `).test(written))
}

/** Reports on the later days, compared with the earlier ones. */
function orderDays(days: DayRange, versus: DayRange | undefined) {
  if (versus === undefined || versus.from === days.from) return days
  if (versus.from < days.from) return { ...days, versus }
  return { ...versus, versus: days }
}

function toReportQuery(asked: ParsedFilters, today: LocalDay): ReportQuery {
  const { from, direction = 'incoming', by, page: _page, agent: _agent, line, versus, ...filters } = asked
  const to = asked.to ?? (from !== undefined && from > today ? from : today)
  const days = from === undefined ? lastDays(DEFAULT_DAYS, to) : { from, to }
  const ordered = orderDays(days, versus)
  return { ...filters, ...ordered, direction, by: by ?? usualGrouping({ ...days, direction, line }) }
}

/** Whether the report says who took its calls: only incoming calls are taken, and those figures can't be filtered. */
export const countsAlerts = (query: ReportQuery): boolean =>
  query.direction === 'incoming' && usedFilters(query).length === 0

/** Excludes lines for outgoing calls, because the service doesn't say which line they used. */
export function groupingsFor(query: ReportQuery): readonly Grouping[] {
  const calls = groupings.filter((by) => by !== 'person' && (by !== 'line' || query.direction === 'incoming'))
  return countsAlerts(query) ? [...calls, 'person'] : calls
}

function findProblem(query: ReportQuery) {
  const { versus = query } = query
  const days = Math.max(daysIn(query.from, query.to), daysIn(versus.from, versus.to))
  const tooLong = `A report covers up to ${MAX_DAYS} days. You asked for ${formatNumber(days)}.`
  if (days > MAX_DAYS) return { field: 'to', text: tooLong }
  if (query.line !== undefined && query.number !== undefined)
    return { field: 'number', text: 'Choose a line or enter a number, not both.' }
  if (query.by === 'person' && !countsAlerts(query))
    return { field: 'by', text: 'People take missed calls of all lines. Leave out the other filters.' }
  if (query.direction === 'outgoing' && (query.line !== undefined || query.by === 'line'))
    return { field: 'direction', text: "Outgoing calls aren't tied to a line. Choose incoming calls." }
  return undefined
}

export function toCallsQuery({ by: _by, at: _at, versus: _, ...query }: ReportQuery): ListQuery {
  return { ...query, page: 1 }
}

/** Drops the line and groupings that outgoing calls don't have. */
export function switchDirection(query: ReportQuery): ReportQuery {
  if (query.direction === 'outgoing') return { ...query, direction: 'incoming', at: undefined }
  const by = query.by === 'line' || query.by === 'person' ? 'day' : query.by
  return { ...query, direction: 'outgoing', line: undefined, by, at: undefined }
}

export const reportCommand: QueryParser<ReportQuery> = {
  typed: '/calls report',
  grammar: [...callFilters.filter(({ name }) => name !== 'page'), groupBy, versus, compare, whoTook],
  // The line and the agent aren't looked up yet.
  conflict(asked, today) {
    const { line, agent: agentId } = asked
    return findProblem({ ...toReportQuery(asked, today), line, agentId })?.text
  },
  complete: toReportQuery,
  request: describeRequest,
  show: reportActions.show,
  filter: reportActions.filter,
  alternative: () => commandButton('report', 'Last 7 days', '/calls report'),
}

export const reportFilter = new QueryForm({
  id: 'report.filter',
  schema: reportQuerySchema,
  title: 'Filter the report',
  submit: 'Show report',
  createForm: (query, lines) =>
    new Form({
      direction: choice('Direction', { incoming: 'Incoming', outgoing: 'Outgoing' }, query.direction),
      from: day('Start date', query.from),
      to: day('End date', query.to),
      ...filterInputs(query, lines),
      by: choice('Table', groupingLabels, query.by),
    }),
  toQuery({ from, to, direction, by, agent: agentId, ...entered }, before, today) {
    const days = { from: from ?? before.from, to: to ?? before.to }
    const query: ReportQuery = { ...readInputs(entered, today), ...days, direction, by, agentId }
    const problem = findProblem(query)
    if (problem) return { errors: { [problem.field]: problem.text } }
    return { query }
  },
})
