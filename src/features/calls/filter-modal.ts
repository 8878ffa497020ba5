import type { types } from '@slack/bolt'
import { z } from 'zod'
import { context, cut, escapeText, LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/view-metadata.ts'
import type { StateValue, ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Place } from '../../slack/routing/routes.ts'
import type { Tenant } from '../../store/tenant.ts'
import { parseDay } from '../../time/days.ts'
import { type ListQuery, readQuery, writeQuery } from './query.ts'

export const FILTER_VIEW = 'calls.filter'

export interface FilterOrigin extends Place {
  readonly query: ListQuery
}

const origin = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  actionTs: z.string(),
  query: z.string().transform((text) => readQuery(text)),
})

const option = (text: string, value: string) => ({ text: plain(text, LIMITS.optionText), value })
const directions = [option('Incoming', 'incoming'), option('Outgoing', 'outgoing')]
const statuses = [option('Every status', 'any'), option('Answered', 'answered'), option('Missed', 'missed')]

function select(
  id: string,
  label: string,
  options: ReturnType<typeof option>[],
  value: string,
): types.InputBlock {
  const initial = options.find((one) => one.value === value)
  return {
    type: 'input',
    block_id: id,
    label: plain(label, 2000),
    element: {
      type: 'static_select',
      action_id: id,
      options,
      ...(initial ? { initial_option: initial } : {}),
    },
  }
}

function picker(id: string, label: string, day: string | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label, 2000),
    element: { type: 'datepicker', action_id: id, ...(day === undefined ? {} : { initial_date: day }) },
  }
}

/** The Filter… modal, prefilled from the message's query. */
export function filterModal(
  tenant: Tenant,
  channel: string,
  given: FilterOrigin,
  zoneLabel: string,
): types.ModalView {
  const { query } = given
  const agent =
    query.agentId === undefined
      ? {}
      : { initial_option: option(query.agentName ?? query.agentId, cut(query.agentId, LIMITS.optionValue)) }
  return {
    type: 'modal',
    callback_id: FILTER_VIEW,
    private_metadata: writeOrigin(tenant, channel, { ...given, query: writeQuery(query) }),
    title: plain('Filter calls', 24),
    submit: plain('Show', 24),
    close: plain('Cancel', 24),
    blocks: [
      select('direction', 'Direction', directions, query.direction),
      select('status', 'Status', statuses, query.status ?? 'any'),
      picker('from', 'From', query.from),
      picker('to', 'To', query.to),
      {
        type: 'input',
        block_id: 'agent',
        optional: true,
        label: plain('Agent', 2000),
        element: {
          type: 'external_select',
          action_id: 'calls.agent',
          min_query_length: 0,
          placeholder: plain('Every agent', 150),
          ...agent,
        },
      },
      context(`Days and times are those of ${escapeText(zoneLabel)}.`),
    ],
  }
}

const values = (view: ViewPayload): Map<string, StateValue> => {
  const blocks = Object.entries(view.state?.values ?? {})
  return new Map(
    blocks.flatMap(([id, actions]) => Object.values(actions).map((value) => [id, value] as const)),
  )
}

export type Submitted =
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly origin: FilterOrigin; readonly query: ListQuery }

/** @throws {ForgedValueError} */
export function readFilter(view: ViewPayload): Submitted {
  const given = readMetadata(view, origin)
  const state = values(view)
  const from = parseDay(state.get('from')?.selected_date ?? '')
  const to = parseDay(state.get('to')?.selected_date ?? '')
  if (from && to && to < from) return { errors: { to: 'This day is before the first one.' } }
  const status = state.get('status')?.selected_option?.value
  const agentId = state.get('agent')?.selected_option?.value
  const query = {
    direction: state.get('direction')?.selected_option?.value ?? 'incoming',
    status: status === 'any' ? undefined : status,
    from,
    to,
    agentId,
    agentName: agentId === given.query.agentId ? given.query.agentName : undefined,
    page: 1,
  }
  return { origin: given, query: readQuery(JSON.stringify(query)) }
}
