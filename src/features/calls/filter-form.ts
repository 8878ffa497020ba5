import { agentField, digitsField, lineField, resultField } from '../../query/fields.ts'
import { QueryForm } from '../../query/form.ts'
import { type ListQuery, listQuerySchema } from '../../query/query.ts'
import { choice, day } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { type LineNames, readDigits } from '../../telephony/lines.ts'
import { parseRange } from '../../time/ranges.ts'

/** The keys are words of `/calls`; `own` uses the start and end date. */
const presets = {
  own: 'Choose dates',
  today: 'Today',
  yesterday: 'Yesterday',
  'last 7 days': 'Last 7 days',
  'last month': 'Last month',
}

function createFilterForm(query: ListQuery, names: LineNames) {
  return new Form({
    direction: choice(
      'Direction',
      { incoming: 'Incoming', outgoing: 'Outgoing', both: 'Both directions' },
      query.direction,
    ),
    status: resultField(query.status),
    dates: choice('Dates', presets, 'own'),
    from: day('Start date', query.from, { isOptional: true }),
    to: day('End date', query.to, { isOptional: true }),
    agent: agentField(query),
    line: lineField(query.line, names),
    number: digitsField(query.number),
  })
}

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuerySchema,
  title: 'Filter calls',
  submit: 'Show calls',
  form: createFilterForm,
  toQuery({ status, dates, line, number: written, ...entered }, _, today) {
    const number = readDigits(written)
    if (line !== undefined && written !== '')
      return { errors: { number: 'Choose a line or enter a number, not both.' } }
    if (line !== undefined && entered.direction !== 'incoming')
      return { errors: { direction: "Choose Incoming: outgoing calls aren't tied to a line." } }
    if (number === undefined && entered.direction === 'both')
      return { errors: { direction: 'Choose one direction, or enter a number below.' } }
    const preset = dates === 'own' ? undefined : parseRange(dates, today)
    const days = preset && 'range' in preset ? preset.range : {}
    const result = status === 'any' ? undefined : status
    return { query: { ...entered, ...days, status: result, line, number, page: 1 } }
  },
})
