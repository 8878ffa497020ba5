import { MAX_DIGITS_OF_SEVERAL, MAX_NUMBERS } from '../../grammar/filters.ts'
import { agentField, anyDay, choice, linesField, text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { QueryForm } from '../../slack/routing/query-form.ts'
import { LineNames, lineKey } from '../../telephony/lines.ts'
import { isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/numbers.ts'
import { parseRange } from '../../time/ranges.ts'
import { type ListQuery, lineDigits, listQuerySchema } from './query.ts'

const fewDigits = `Enter ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits.`
const isNoNumber = (written: string) => written.trim() !== '' && !isSearchable(readDigits(written) ?? '')

/** By the words that `/calls` takes for them. */
const presets = {
  own: 'Start and end date below',
  today: 'Today',
  yesterday: 'Yesterday',
  'last 7 days': 'Last 7 days',
  'last month': 'Last month',
}

/** The lines whose calls are looked for; none where it is a number that somebody wrote. */
function linesOf({ direction, number = '' }: ListQuery, names: LineNames): readonly string[] {
  const all = number.split(',')
  const isOfLines = all.length > 1 || (direction === 'incoming' && names.nameOf(number) !== undefined)
  if (!isOfLines) return []
  return all.map(
    (digits) => names.lines.find((one) => lineKey(one.number) === digits)?.number ?? `+${digits}`,
  )
}

function digitsOf(lines: readonly string[]): string {
  const all = lines.map(lineDigits)
  return all.length === 1 ? all.join() : all.map((digits) => digits.slice(-MAX_DIGITS_OF_SEVERAL)).join()
}

function formOf(query: ListQuery, names = LineNames.none) {
  const lines = linesOf(query, names)
  return new Form({
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
    dates: choice('Dates', presets, 'own'),
    from: anyDay('Start date', query.from),
    to: anyDay('End date', query.to),
    agent: agentField(query),
    lines: linesField(lines, names, MAX_NUMBERS, {
      hint: 'Incoming calls only: outgoing calls have no line.',
    }),
    number: text('Number', {
      hint: `The number called or dialled, or a part of it: at least ${NUMBER_DIGITS.least} digits.`,
      isOptional: true,
      initial: lines.length > 0 ? undefined : query.number,
    }).checked((written) => (isNoNumber(written) ? fewDigits : undefined)),
  })
}

export const callsFilter = new QueryForm({
  id: 'calls.filter',
  schema: listQuerySchema,
  title: 'Filter calls',
  submit: 'Show calls',
  form: formOf,
  toQuery({ direction, status, dates, lines, agentId, agentName, number: written, ...own }, _, today) {
    const ofLines = lines.length > 0 ? digitsOf(lines) : undefined
    const number = written.trim() === '' ? ofLines : readDigits(written)
    if (ofLines !== undefined && number !== ofLines)
      return { errors: { number: 'Choose lines or enter a number, not both.' } }
    if (ofLines !== undefined && direction !== 'incoming')
      return { errors: { direction: 'Choose Incoming: outgoing calls have no line.' } }
    if (number === undefined && direction === 'both')
      return { errors: { direction: 'Choose one direction, or enter a number below.' } }
    const preset = dates === 'own' ? undefined : parseRange(dates, today)
    const days = preset && 'range' in preset ? preset.range : own
    const query = { direction, ...days, agentId, agentName, number, page: 1 }
    return { query: { ...query, status: status === 'any' ? undefined : status } }
  },
})
