import { filterInputs, readInputs } from '../../query/filters/call-filters.ts'
import { QueryForm } from '../../query/form.ts'
import { listQuerySchema } from '../../query/query.ts'
import { choice, day } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { parseRange } from '../../time/ranges.ts'
import { callsActions } from './actions.ts'

/** The keys are words of `/calls`, except `own`, which shows the start and end date. */
const presets = {
  own: 'Choose dates',
  today: 'Today',
  yesterday: 'Yesterday',
  'this week': 'This week',
  'last 7 days': 'Last 7 days',
  'this month': 'This month',
  'last month': 'Last month',
}

const directionTexts = { incoming: 'Incoming', outgoing: 'Outgoing', both: 'Both directions' }

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuerySchema,
  title: 'Find calls',
  submit: 'Show calls',
  createForm: (query, lines) =>
    new Form({
      direction: choice('Direction', directionTexts, query.direction),
      dates: choice('Dates', presets, 'own', { redraw: callsActions.filterDates }),
      from: day('Start date', query.from, { isOptional: true }),
      to: day('End date', query.to, { isOptional: true }),
      ...filterInputs(query, lines),
    }),
  isHidden: (id, { dates = 'own' }) => (id === 'from' || id === 'to') && dates !== 'own',
  toQuery({ dates, direction, from, to, agent: agentId, ...inputs }, before, today) {
    const filters = readInputs(inputs, today)
    const { line, number } = filters
    if (line !== undefined && number !== undefined)
      return { errors: { number: 'Choose a line or enter a number, not both.' } }
    if (line !== undefined && direction !== 'incoming')
      return { errors: { direction: "Choose Incoming: outgoing calls aren't tied to a line." } }
    if (direction === 'both' && number === undefined && agentId === undefined)
      return { errors: { direction: 'Choose one direction, an agent, or enter a number below.' } }
    // A preset hides the dates once the form is redrawn. Dates that were changed before that win over it.
    const hasDates = from !== undefined || to !== undefined
    const hasNewDates = hasDates && (from !== before.from || to !== before.to)
    const preset = dates === 'own' || hasNewDates ? undefined : parseRange(dates, today)
    const days = preset?.range ?? { from, to }
    const { thread } = before
    return { query: { ...filters, ...days, direction, agentId, thread, page: 1 } }
  },
})
