import type { types } from '@slack/bolt'
import { z } from 'zod'
import { groupings } from '../../grammar/filters.ts'
import { type ClickPlace, clickPlace } from '../../slack/answers/clicks.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { agentInput, dayInput } from '../../slack/blocks/filter-inputs.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/report-query.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { parsePayload, readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { parseDay } from '../../time/days.ts'
import { groupingOption } from './buttons.ts'
import { conflictOf, tooLong } from './command.ts'

/** Where the answer goes, and what the message shows. */
const metadata = clickPlace.extend({
  query: reportQuery,
})
type FilterOrigin = z.infer<typeof metadata>

const form = z.object({
  direction: z.string().default('both'),
  from: z.string(),
  to: z.string(),
  agent: z.string().optional(),
  line: z.string().optional(),
  by: z.enum(groupings),
})

const directions = [
  option('Incoming and outgoing', 'both'),
  option('Incoming', 'incoming'),
  option('Outgoing', 'outgoing'),
]

/** Lines that have names, and the one that is asked for. */
function lineInput({ line }: ReportQuery, lines: LineNames): types.InputBlock[] {
  const named = lines.lines.slice(0, LIMITS.options - 1).map(({ number }) => number)
  const numbers = line === undefined || named.includes(line) ? named : [line, ...named]
  if (numbers.length === 0) return []
  const options = numbers.map((number) => option(lines.labelOf(number), number.slice(0, 24)))
  const element = { ...select('line', options, line), placeholder: plain('All lines', LIMITS.placeholder) }
  return [input('line', 'Line', element, { isOptional: true })]
}

/** The Filter… modal of a report, prefilled from its query. Pure. */
export function filterModal(
  team: Tenant,
  channel: string,
  { query, ...place }: ClickPlace & { readonly query: ReportQuery },
  { lines, zoneLabel }: { readonly lines: LineNames; readonly zoneLabel: string },
): types.ModalView {
  return modal({
    id: VIEWS.reportFilter,
    metadata: writeOrigin(team, channel, { ...clickPlace.parse(place), query }),
    title: 'Filter the report',
    submit: 'Show report',
    blocks: [
      dayInput('from', 'Start date', query.from),
      dayInput('to', 'End date', query.to),
      input('direction', 'Direction', select('direction', directions, query.direction ?? 'both')),
      agentInput(query),
      ...lineInput(query, lines),
      input('by', 'Table', select('by', groupings.map(groupingOption), query.by)),
      context(`Dates and times are in ${escapeText(zoneLabel)}.`),
    ],
  })
}

/** Slack would take the answer no longer. */
export const outdatedFilterText =
  'This form has been open for half an hour, so Slack no longer lets it change its report. Close it and click Filter… again.'

type Errors = Readonly<Record<string, string>>

/** @throws {ForgedValueError} */
export function readFilter(
  view: ViewPayload,
): { readonly errors: Errors } | { readonly origin: FilterOrigin; readonly query: ReportQuery } {
  const origin = readMetadata(view, metadata)
  const values = readForm(view, form)
  const [from, to] = [parseDay(values.from), parseDay(values.to)]
  if (!from) return { errors: { from: "That isn't a date I can use." } }
  if (!to) return { errors: { to: "That isn't a date I can use." } }
  if (to < from) return { errors: { to: 'End date must be on or after the start date.' } }
  const long = tooLong({ from, to })
  if (long) return { errors: { to: long } }
  const { direction, agent: agentId, line, by } = values
  const asked = direction === 'incoming' || direction === 'outgoing' ? direction : undefined
  const ofLine = line === undefined ? asked : (asked ?? 'incoming')
  const conflict = conflictOf({ direction: ofLine, line, by })
  if (conflict) return { errors: { by: conflict } }
  const { agentName } = origin.query
  const query: ReportQuery = {
    from,
    to,
    direction: ofLine,
    agentId,
    agentName: agentId !== undefined && agentId === origin.query.agentId ? agentName : undefined,
    line,
    by,
  }
  return { origin, query: parsePayload(reportQuery, query, 'a filter') }
}
