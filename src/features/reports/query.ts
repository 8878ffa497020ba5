import type { QueryCommand } from '../../query/command.ts'
import { callFilters, filterInputs, readInputs, usedFilters } from '../../query/filters/call-filters.ts'
import { compare, versus } from '../../query/filters/day-filters.ts'
import { type Grouping, groupings, type ParsedFilters } from '../../query/filters/filter.ts'
import { groupBy, whoTook } from '../../query/filters/filters.ts'
import { QueryForm } from '../../query/form.ts'
import type { ListQuery } from '../../query/query.ts'
import { daysText } from '../../query/texts.ts'
import { choice, day } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { Word } from '../../slack/routing/words.ts'
import { countDays, type DayRange, type LocalDay, lastDays } from '../../time/days.ts'
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

/** Phrases that only reports have: groups and comparisons. The spaces around them keep words whole. */
const reportPhrases: readonly RegExp[] = [
  / (by|per): /,
  new RegExp(` (by|per) (${groupings.join('|')})s? `),
  / (vs\.?|versus|compare) /,
  / who (took|takes|has taken) /,
]

export function isReportMeant(words: readonly Word[]): boolean {
  const texts = words.map(({ key, value }) => (key === undefined ? fold(value) : `${key}:`))
  const written = ` ${texts.join(' ')} `
  return reportPhrases.some((phrase) => phrase.test(written))
}

/** Reports on the later days, compared with the earlier ones. */
function orderDays(days: DayRange, versus: DayRange | undefined) {
  if (versus === undefined || versus.from === days.from) return days
  if (versus.from < days.from) return { ...days, versus }
  return { ...versus, versus: days }
}

/** Applies defaults. Leaves out the line and the agent, which aren't looked up yet, and the page, which no report has. */
function toReportQuery(parsed: ParsedFilters, today: LocalDay): ReportQuery {
  const { from, direction = 'incoming', by, versus, line, agent: _agent, page: _page, ...filters } = parsed
  // A report that starts in the future covers only its first day.
  const usualTo = from !== undefined && from > today ? from : today
  const to = parsed.to ?? usualTo
  const days = from === undefined ? lastDays(DEFAULT_DAYS, to) : { from, to }
  let usualGrouping: Grouping = days.from === days.to ? 'hour' : 'day'
  if (line === undefined && direction === 'incoming') usualGrouping = 'line'
  return { ...filters, ...orderDays(days, versus), direction, by: by ?? usualGrouping }
}

/** Whether the report says who took its calls: only incoming calls are taken, and those figures can't be filtered. */
export const includesHandled = (query: ReportQuery): boolean =>
  query.direction === 'incoming' && usedFilters(query).length === 0

export function groupingsFor(query: ReportQuery): readonly Grouping[] {
  // The service doesn't say which line an outgoing call used.
  if (query.direction === 'outgoing') return groupings.filter((by) => by !== 'line' && by !== 'person')
  return includesHandled(query) ? groupings : groupings.filter((by) => by !== 'person')
}

function findProblem(query: ReportQuery) {
  const { from, to, versus } = query
  const dayCount = Math.max(countDays(from, to), versus ? countDays(versus.from, versus.to) : 0)
  const tooLongText = `A report covers up to ${MAX_DAYS} days. You asked for ${formatNumber(dayCount)}.`
  if (dayCount > MAX_DAYS) return { field: 'to', text: tooLongText }
  if (query.line !== undefined && query.number !== undefined)
    return { field: 'number', text: 'Choose a line or enter a number, not both.' }
  if (query.by === 'person' && !includesHandled(query))
    return { field: 'by', text: 'People take missed calls of all lines. Leave out the other filters.' }
  if (query.direction === 'outgoing' && (query.line !== undefined || query.by === 'line'))
    return { field: 'direction', text: "Outgoing calls aren't tied to a line. Choose incoming calls." }
  return undefined
}

export function toCallsQuery({ by: _by, at: _at, versus: _versus, ...query }: ReportQuery): ListQuery {
  return { ...query, page: 1 }
}

/** Drops the line and groupings that outgoing calls don't have. */
export function switchDirection(query: ReportQuery): ReportQuery {
  if (query.direction === 'outgoing') return { ...query, direction: 'incoming', at: undefined }
  const by = query.by === 'line' || query.by === 'person' ? 'day' : query.by
  return { ...query, direction: 'outgoing', line: undefined, by, at: undefined }
}

export const reportCommand: QueryCommand<ReportQuery> = {
  name: '/calls report',
  grammar: [...callFilters.filter(({ name }) => name !== 'page'), groupBy, versus, compare, whoTook],
  conflict(parsed, today) {
    // Whether there is a line or an agent is known before they are looked up.
    const { line, agent: agentId } = parsed
    return findProblem({ ...toReportQuery(parsed, today), line, agentId })?.text
  },
  complete: toReportQuery,
  describe: describeRequest,
  show: reportActions.show,
  filter: reportActions.filter,
  alternative: (understood) => reportActions.filter.button('Filter the report…', understood),
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
  toQuery({ from, to, direction, by, agent: agentId, ...inputs }, before, today) {
    const days = { from: from ?? before.from, to: to ?? before.to }
    const hasSameDays = days.from === before.from && days.to === before.to
    const versus = hasSameDays ? before.versus : undefined
    const query: ReportQuery = { ...readInputs(inputs, today), ...days, versus, direction, by, agentId }
    const problem = findProblem(query)
    if (problem) return { errors: { [problem.field]: problem.text } }
    return { query }
  },
})
