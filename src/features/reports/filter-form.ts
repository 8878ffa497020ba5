import { LIMITS } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/links.ts'
import { agentField, anyOf, choice, day } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { QueryForm } from '../../slack/routing/query-form.ts'
import { LineNames } from '../../telephony/lines.ts'
import { groupingTexts } from './actions.ts'
import { conflictOf, tooLong } from './command.ts'

/** @param lines those that have names are offered, and the one that is asked for */
function formOf(query: ReportQuery, lines: LineNames = LineNames.none) {
  const { line } = query
  const named = lines.lines.slice(0, LIMITS.options - 1).map(({ number }) => number)
  const numbers = line === undefined || named.includes(line) ? named : [line, ...named]
  const options = numbers.map((number) => option(lines.detailOf(number), number.slice(0, 24)))
  return new Form({
    from: day('Start date', query.from),
    to: day('End date', query.to),
    direction: choice(
      'Direction',
      { both: 'Incoming and outgoing', incoming: 'Incoming', outgoing: 'Outgoing' },
      query.direction ?? 'both',
    ),
    agent: agentField(query),
    line: anyOf('Line', options, line, 'All lines').offeredIf(options.length > 0),
    by: choice('Table', groupingTexts, query.by),
  })
}

export const reportFilter = new QueryForm({
  id: 'report.filter',
  schema: reportQuery,
  title: 'Filter the report',
  submit: 'Show report',
  form: formOf,
  toQuery({ direction: way, from, to, ...entered }, before) {
    const { line, by } = entered
    const days = { from: from ?? before.from, to: to ?? before.to }
    const long = tooLong(days)
    if (long) return { errors: { to: long } }
    const asked = way === 'both' ? undefined : way
    const direction = line === undefined ? asked : (asked ?? 'incoming')
    const conflict = conflictOf({ direction, line, by })
    if (!conflict) return { query: { ...entered, ...days, direction } }
    return { errors: { [line !== undefined && direction === 'outgoing' ? 'direction' : 'by']: conflict } }
  },
})
