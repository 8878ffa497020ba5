import { agentField, anyDay, choice, text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { QueryForm } from '../../slack/routing/query-form.ts'
import { isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/match-number.ts'
import { type ListQuery, listQuery } from './query.ts'

const fewDigits = `Write ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits.`
const isNoNumber = (written: string) => written.trim() !== '' && !isSearchable(readDigits(written) ?? '')

const formOf = (query: ListQuery) =>
  new Form({
    direction: choice(
      'Direction',
      { incoming: 'Incoming', outgoing: 'Outgoing', both: 'Both, for a number' },
      query.direction,
    ),
    status: choice(
      'Result',
      { any: 'All calls', answered: 'Answered', missed: 'Missed, or no answer' },
      query.status ?? 'any',
    ),
    from: anyDay('Start date', query.from),
    to: anyDay('End date', query.to),
    agent: agentField(query),
    number: text('Number', {
      hint: `The number called or dialled, or a part of it: at least ${NUMBER_DIGITS.least} digits.`,
      isOptional: true,
      initial: query.number,
    }).checked((written) => (isNoNumber(written) ? fewDigits : undefined)),
  })

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuery,
  title: 'Filter calls',
  submit: 'Show calls',
  form: formOf,
  toQuery({ direction, status, from, to, agentId, agentName, number: written }) {
    const number = written.trim() === '' ? undefined : readDigits(written)
    if (number === undefined && direction === 'both')
      return { errors: { direction: 'Choose one direction, or write a number below.' } }
    const query = { direction, from, to, agentId, agentName, number, page: 1 }
    return { query: { ...query, status: status === 'any' ? undefined : status } }
  },
})
