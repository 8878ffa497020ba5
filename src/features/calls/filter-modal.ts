import type { types } from '@slack/bolt'
import { z } from 'zod'
import { clickPlace } from '../../slack/answers/clicks.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText } from '../../slack/blocks/blocks.ts'
import { agentInput, dayInput } from '../../slack/blocks/filter-inputs.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/match-number.ts'
import { parseDay } from '../../time/days.ts'
import { type ListQuery, listQuery, readQuery } from './query.ts'

/** Where the answer goes, and what the message shows. */
const filterOrigin = clickPlace.extend({
  query: listQuery,
})
export type FilterOrigin = z.infer<typeof filterOrigin>

const day = z.string().transform((text) => parseDay(text))
const form = z.object({
  direction: z.string().default('incoming'),
  status: z.string().optional(),
  from: day.optional(),
  to: day.optional(),
  agent: z.string().optional(),
  number: z.string().optional(),
})

const directions = [
  option('Incoming', 'incoming'),
  option('Outgoing', 'outgoing'),
  option('Both, for a number', 'both'),
]
const results = [
  option('All calls', 'any'),
  option('Answered', 'answered'),
  option('Missed, or no answer', 'missed'),
]

const fewDigits = `Write ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits.`

function numberInput({ number }: ListQuery): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: 'number',
    ...(number === undefined ? {} : { initial_value: number }),
  }
  const hint = `The number called or dialled, or a part of it: at least ${NUMBER_DIGITS.least} digits.`
  return input('number', 'Number', element, { hint, isOptional: true })
}

/** The Filter… modal, prefilled from the message's query. */
export function filterModal(
  team: Tenant,
  channel: string,
  origin: FilterOrigin,
  zoneLabel: string,
  title = 'Filter calls',
): types.ModalView {
  const { query } = origin
  return modal({
    id: VIEWS.callsFilter,
    metadata: writeOrigin(team, channel, { ...clickPlace.parse(origin), query }),
    title,
    submit: 'Show calls',
    blocks: [
      input('direction', 'Direction', select('direction', directions, query.direction)),
      input('status', 'Result', select('status', results, query.status ?? 'any')),
      dayInput('from', 'Start date', query.from, { isOptional: true }),
      dayInput('to', 'End date', query.to, { isOptional: true }),
      agentInput(query),
      numberInput(query),
      context(`Dates and times are in ${escapeText(zoneLabel)}.`),
    ],
  })
}

/** Slack would take the answer no longer. */
export const outdatedFilterText =
  'This form has been open for half an hour, so Slack no longer lets it change its list. Close it and open it again.'

/** @throws {ForgedValueError} */
export function readFilter(
  view: ViewPayload,
): { errors: Readonly<Record<string, string>> } | { origin: FilterOrigin; query: ListQuery } {
  const origin = readMetadata(view, filterOrigin)
  const { status, agent: agentId, number: written = '', ...values } = readForm(view, form)
  const { from, to } = values
  if (from && to && to < from) return { errors: { to: 'End date must be on or after the start date.' } }
  const number = written.trim() === '' ? undefined : (readDigits(written) ?? '')
  if (number !== undefined && !isSearchable(number)) return { errors: { number: fewDigits } }
  if (number === undefined && values.direction === 'both')
    return { errors: { direction: 'Choose one direction, or write a number below.' } }
  const query = {
    ...values,
    status: status === 'any' ? undefined : status,
    agentId,
    number,
    agentName: agentId === origin.query.agentId ? origin.query.agentName : undefined,
    page: 1,
  }
  return { origin, query: readQuery(JSON.stringify(query)) }
}
