import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { context, escapeText } from '../../slack/blocks/blocks.ts'
import { MetadataModal } from '../../slack/blocks/inputs.ts'
import { clickPlace } from '../../slack/deliver/clicks.ts'
import { agentField, anyDay, choice, text } from '../../slack/forms/fields.ts'
import { type Errors, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/match-number.ts'
import { type ListQuery, listQuery } from './query.ts'

/** Where the answer goes, and what the message shows. */
const filterOrigin = clickPlace.extend({ query: listQuery })
export type FilterOrigin = z.infer<typeof filterOrigin>

export const callsFilter = new MetadataModal('calls.filter', filterOrigin)

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

/** The Filter… modal, prefilled from the message's query. */
export function filterModal(
  team: Tenant,
  channel: string,
  origin: FilterOrigin,
  zoneLabel: string,
  title = 'Filter calls',
): types.ModalView {
  return callsFilter.view({ team, channel }, origin, {
    title,
    submit: 'Show calls',
    blocks: [...formOf(origin.query).inputs(), context(`Dates and times are in ${escapeText(zoneLabel)}.`)],
  })
}

/** @throws {ForgedValueError} */
export function readFilter(
  view: ViewPayload,
): { errors: Errors } | { origin: FilterOrigin; query: ListQuery } {
  const origin = callsFilter.read(view)
  const filled = formOf(origin.query).read(view)
  if (!filled.values) return { errors: filled.errors }
  const { direction, status, from, to, agent: agentId, number: written } = filled.values
  if (from && to && to < from) return { errors: { to: 'End date must be on or after the start date.' } }
  const number = written.trim() === '' ? undefined : readDigits(written)
  if (number === undefined && direction === 'both')
    return { errors: { direction: 'Choose one direction, or write a number below.' } }
  const query = {
    direction,
    status: status === 'any' ? undefined : status,
    from,
    to,
    agentId,
    number,
    agentName: agentId === origin.query.agentId ? origin.query.agentName : undefined,
    page: 1,
  }
  return { origin, query: parsePayload(listQuery, query, 'a filter') }
}
