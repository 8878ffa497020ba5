import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { context, escapeText, LIMITS } from '../../slack/blocks/blocks.ts'
import { MetadataModal, option } from '../../slack/blocks/inputs.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/report-query.ts'
import { type ClickPlace, clickPlace } from '../../slack/deliver/clicks.ts'
import { agentField, anyOf, choice, day } from '../../slack/forms/fields.ts'
import { type Errors, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { LineNames } from '../../telephony/line-names.ts'
import { groupingTexts } from './actions.ts'
import { conflictOf, tooLong } from './command.ts'

/** Where the answer goes, and what the message shows. */
const filterOrigin = clickPlace.extend({ query: reportQuery })
type FilterOrigin = z.infer<typeof filterOrigin>

export const reportFilter = new MetadataModal('report.filter', filterOrigin)

/** @param lines those that have names, and the one that is asked for */
function formOf(query: ReportQuery, lines: LineNames = LineNames.none) {
  const { line } = query
  const named = lines.lines.slice(0, LIMITS.options - 1).map(({ number }) => number)
  const numbers = line === undefined || named.includes(line) ? named : [line, ...named]
  const options = numbers.map((number) => option(lines.labelOf(number), number.slice(0, 24)))
  return new Form({
    from: day('Start date', query.from),
    to: day('End date', query.to),
    direction: choice(
      'Direction',
      { both: 'Incoming and outgoing', incoming: 'Incoming', outgoing: 'Outgoing' },
      query.direction ?? 'both',
    ),
    agent: agentField(query),
    line: anyOf('Line', options, line, 'All lines').offeredIf(options.length > 0),
    by: choice('Table', groupingTexts, query.by),
  })
}

/** The Filter… modal of a report, prefilled from its query. Pure. */
export function filterModal(
  team: Tenant,
  channel: string,
  origin: ClickPlace & { readonly query: ReportQuery },
  { lines, zoneLabel }: { readonly lines: LineNames; readonly zoneLabel: string },
): types.ModalView {
  return reportFilter.view({ team, channel }, origin, {
    title: 'Filter the report',
    submit: 'Show report',
    blocks: [
      ...formOf(origin.query, lines).inputs(),
      context(`Dates and times are in ${escapeText(zoneLabel)}.`),
    ],
  })
}

/** @throws {ForgedValueError} */
export function readFilter(
  view: ViewPayload,
): { readonly errors: Errors } | { readonly origin: FilterOrigin; readonly query: ReportQuery } {
  const origin = reportFilter.read(view)
  const filled = formOf(origin.query).read(view)
  if (!filled.values) return { errors: filled.errors }
  const { direction, agent: agentId, line, by, ...days } = filled.values
  const { from = origin.query.from, to = origin.query.to } = days
  if (to < from) return { errors: { to: 'End date must be on or after the start date.' } }
  const long = tooLong({ from, to })
  if (long) return { errors: { to: long } }
  const asked = direction === 'both' ? undefined : direction
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
