import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { ClickPlace } from '../../slack/answers/clicks.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, cut, escapeText, LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import type { StateValue, ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { parseDay } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { type ListQuery, readQuery, writeQuery } from './query.ts'

export interface FilterOrigin extends ClickPlace {
  readonly query: ListQuery
}

const originSchema = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  actionTs: z.string(),
  query: z.string().transform((text) => readQuery(text)),
})

const directions = [option('Incoming', 'incoming'), option('Outgoing', 'outgoing')]
const statuses = [option('Every status', 'any'), option('Answered', 'answered'), option('Missed', 'missed')]

const dayInput = (id: string, label: string, day: LocalDay | undefined): types.InputBlock =>
  input(
    id,
    label,
    { type: 'datepicker', action_id: id, ...(day === undefined ? {} : { initial_date: day }) },
    { isOptional: true },
  )

function agentInput({ agentId, agentName }: ListQuery): types.InputBlock {
  const initial =
    agentId === undefined ? undefined : option(agentName ?? agentId, cut(agentId, LIMITS.optionValue))
  const element: types.ExternalSelect = {
    type: 'external_select',
    action_id: ACTIONS.callsAgent,
    min_query_length: 0,
    placeholder: plain('Every agent', LIMITS.placeholder),
    ...(initial ? { initial_option: initial } : {}),
  }
  return input('agent', 'Agent', element, { isOptional: true })
}

/** The Filter… modal, prefilled from the message's query. */
export function filterModal(
  team: Tenant,
  channel: string,
  origin: FilterOrigin,
  zoneLabel: string,
): types.ModalView {
  const { query } = origin
  return modal({
    id: VIEWS.callsFilter,
    metadata: writeOrigin(team, channel, { ...origin, query: writeQuery(query) }),
    title: 'Filter calls',
    submit: 'Show',
    close: 'Cancel',
    blocks: [
      input('direction', 'Direction', select('direction', directions, query.direction)),
      input('status', 'Status', select('status', statuses, query.status ?? 'any')),
      dayInput('from', 'From', query.from),
      dayInput('to', 'To', query.to),
      agentInput(query),
      context(`Days and times are those of ${escapeText(zoneLabel)}.`),
    ],
  })
}

const valuesOf = (view: ViewPayload): Map<string, StateValue> => {
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
  const origin = readMetadata(view, originSchema)
  const state = valuesOf(view)
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
    agentName: agentId === origin.query.agentId ? origin.query.agentName : undefined,
    page: 1,
  }
  return { origin, query: readQuery(JSON.stringify(query)) }
}
