import { callFilters, groupBy, MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
import { commandButton } from '../../slack/blocks/action.ts'
import { choice, day, Form } from '../../slack/forms/form.ts'
import { LineNames, readDigits } from '../../telephony/lines.ts'
import type { QueryCommand } from '../calls/query-command.ts'
import { agentField, digitsField, lineField, QueryForm, resultField } from '../calls/query-form.ts'
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

export const reportFilter = new QueryForm({
  id: 'report.filter',
  schema: reportQuerySchema,
  title: 'Filter the report',
  submit: 'Show report',
  form: (query, lines = LineNames.none) =>
    new Form({
      direction: choice('Direction', { incoming: 'Incoming', outgoing: 'Outgoing' }, query.direction),
      status: resultField(query.status),
      from: day('Start date', query.from),
      to: day('End date', query.to),
      agent: agentField(query),
      line: lineField(query.line, lines),
      number: digitsField(query.number),
      by: choice('Table', groupingLabels, query.by),
    }),
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
