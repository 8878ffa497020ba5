import type { types } from '@slack/bolt'
import { z } from 'zod'
import { MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import { LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { choice, day, text } from '../../slack/forms/fields.ts'
import { Field, Form } from '../../slack/forms/form.ts'
import { LineNames, lineKey } from '../../telephony/lines.ts'
import { isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/numbers.ts'
import { parseRange } from '../../time/ranges.ts'
import { type ListQuery, lineDigits, listQuerySchema } from './query.ts'
import { agentField, lineMenuId, lineOption, QueryForm } from './query-form.ts'

const digitsHint = `Enter ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits.`
const isInvalidNumber = (written: string) => written.trim() !== '' && !isSearchable(readDigits(written) ?? '')

/** Dates by the words of `/calls`. */
const presets = {
  own: 'Choose dates',
  today: 'Today',
  yesterday: 'Yesterday',
  'last 7 days': 'Last 7 days',
  'last month': 'Last month',
}

/** Returns the number of the named line that the query searches for. */
const findLine = ({ direction, number }: ListQuery, names: LineNames): string | undefined =>
  direction === 'incoming' ? names.lines.find((line) => lineKey(line.number) === number)?.number : undefined

/** One of the account's own numbers, searched as the person types; empty for all lines. */
const lineField = (initial: string | undefined, names: LineNames) =>
  new Field({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    isOptional: true,
    schema: z.string().min(1).max(MAX_LINE_LENGTH).optional(),
    element: (): types.ExternalSelect => ({
      type: 'external_select',
      action_id: lineMenuId,
      min_query_length: 0,
      placeholder: plain('All lines', LIMITS.placeholder),
      ...(initial === undefined ? {} : { initial_option: lineOption(initial, names) }),
    }),
  })

function createFilterForm(query: ListQuery, names = LineNames.none) {
  const line = findLine(query, names)
  return new Form({
    direction: choice(
      'Direction',
      { incoming: 'Incoming', outgoing: 'Outgoing', both: 'Both directions' },
      query.direction,
    ),
    status: choice(
      'Result',
      { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' },
      query.status ?? 'any',
    ),
    dates: choice('Dates', presets, 'own'),
    from: day('Start date', query.from, { isOptional: true }),
    to: day('End date', query.to, { isOptional: true }),
    agent: agentField(query),
    line: lineField(line, names),
    number: text('Number', {
      hint: `All or part of the number called: at least ${NUMBER_DIGITS.least} digits.`,
      isOptional: true,
      initial: line === undefined ? query.number : undefined,
    }).checked((written) => (isInvalidNumber(written) ? digitsHint : undefined)),
  })
}

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuerySchema,
  title: 'Filter calls',
  submit: 'Show calls',
  form: createFilterForm,
  toQuery({ direction, status, dates, line, agentId, agentName, number: written, ...own }, _, today) {
    const number = written.trim() === '' ? line && lineDigits(line) : readDigits(written)
    if (line !== undefined && written.trim() !== '')
      return { errors: { number: 'Choose a line or enter a number, not both.' } }
    if (line !== undefined && direction !== 'incoming')
      return { errors: { direction: "Choose Incoming: outgoing calls aren't tied to a line." } }
    if (number === undefined && direction === 'both')
      return { errors: { direction: 'Choose one direction, or enter a number below.' } }
    const preset = dates === 'own' ? undefined : parseRange(dates, today)
    const days = preset && 'range' in preset ? preset.range : own
    const query = { direction, ...days, agentId, agentName, number, page: 1 }
    return { query: { ...query, status: status === 'any' ? undefined : status } }
  },
})
