import { callFilters, groupBy, MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
import { commandButton } from '../../slack/blocks/action.ts'
import { LIMITS, option } from '../../slack/blocks/blocks.ts'
import { choice, day, Form, optionalSelect, text } from '../../slack/forms/form.ts'
import { isSearchable, LineNames, NUMBER_DIGITS, readDigits } from '../../telephony/lines.ts'
import type { QueryCommand } from '../calls/query-command.ts'
import { agentField, QueryForm } from '../calls/query-form.ts'
import { groupingLabels, reportActions } from './actions.ts'
import { findProblem, type ReportQuery, reportQuerySchema, toReportQuery } from './query.ts'
import { describeRequest } from './words.ts'

// The two ways to filter a report: the words of the command and the form.

const reportGrammar: Grammar = {
  filters: [...callFilters.filter(({ name }) => name !== 'page'), groupBy],
  conflict: (asked, today) => findProblem({ ...toReportQuery(asked, today), line: asked.line })?.text,
}

export const reportCommand: Omit<QueryCommand<ReportQuery>, 'run'> = {
  typed: '/calls report',
  grammar: reportGrammar,
  complete: toReportQuery,
  forLine: (query, ownLine) => ({ ...query, line: ownLine.slice(0, MAX_LINE_LENGTH) }),
  request: describeRequest,
  show: reportActions.show,
  filter: reportActions.filter,
  alternatives: () => [
    commandButton('report', 'Last 7 days', '/calls report'),
    commandButton('help', 'Help', '/calls help'),
  ],
}

const notSearchable = `Enter ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits.`

const isNumberFilter = (written: string) => written === '' || isSearchable(readDigits(written) ?? '')

/** @param lines the named ones are offered, and the line of the query */
function buildForm(query: ReportQuery, lines: LineNames = LineNames.none) {
  const named = lines.lines.slice(0, LIMITS.options - 1).map((one) => one.number)
  const numbers = query.line === undefined || named.includes(query.line) ? named : [query.line, ...named]
  const options = numbers.map((own) => option(lines.getDetail(own), own.slice(0, MAX_LINE_LENGTH)))
  return new Form({
    direction: choice('Direction', { incoming: 'Incoming', outgoing: 'Outgoing' }, query.direction),
    status: choice(
      'Result',
      { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' },
      query.status ?? 'any',
    ),
    from: day('Start date', query.from),
    to: day('End date', query.to),
    agent: agentField(query),
    line: optionalSelect('Line', options, query.line, 'All lines').offeredIf(options.length > 0),
    number: text('Number', { isOptional: true, initial: query.number }).checked((written) =>
      isNumberFilter(written) ? undefined : notSearchable,
    ),
    by: choice('Table', groupingLabels, query.by),
  })
}

export const reportFilter = new QueryForm({
  id: 'report.filter',
  schema: reportQuerySchema,
  title: 'Filter the report',
  submit: 'Show report',
  form: buildForm,
  toQuery({ from: first, to: last, status: result, number: written, ...entered }, before) {
    const query: ReportQuery = {
      ...entered,
      from: first ?? before.from,
      to: last ?? before.to,
      status: result === 'any' ? undefined : result,
      number: readDigits(written),
    }
    const problem = findProblem(query)
    return problem ? { errors: { [problem.field]: problem.text } } : { query }
  },
})
