import type { types } from '@slack/bolt'
import { callsMenu } from '../../query/menus.ts'
import { callsText } from '../../query/texts.ts'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { capitalize } from '../../util/text.ts'
import { callsActions } from '../calls/actions.ts'
import { shareButtons } from '../calls/sharing.ts'
import { exportActions } from '../export/actions.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { groupingLabels, groupingsFor, switchDirection, toCallsQuery } from './query.ts'
import { isEmptyReport, type Report, type ReportPlan, type ReportView, shiftDays } from './report.ts'

interface RelatedReport {
  readonly name: string
  readonly text: string
  readonly query: ReportQuery
}

/** Returns the same report on the other direction's calls. */
export function relateDirection({ query }: ReportPlan): RelatedReport {
  const other = switchDirection(query)
  return { name: 'direction', text: capitalize(callsText({ direction: other.direction })), query: other }
}

/** Returns the report on the days before, and the one on the days after unless they are in the future. */
export function relatePeriods({ query, today }: ReportPlan): readonly RelatedReport[] {
  const previous = { ...query, ...shiftDays(query, -1), versus: undefined, at: undefined }
  const next = { ...query, ...shiftDays(query, 1), versus: undefined, at: undefined }
  const reports: RelatedReport[] = [{ name: 'previous', text: '← Previous', query: previous }]
  if (next.from <= today) reports.push({ name: 'next', text: 'Next →', query: next })
  return reports
}

const relatedButton = ({ name, text, query }: RelatedReport): types.Button =>
  reportActions.show.named(name).button(text, query)

function callsMenuOrButton(query: ReportQuery): types.Overflow | types.Button {
  if (query.status === 'answered') return exportActions.list.button('Export…', toCallsQuery(query))
  const missed = query.direction === 'outgoing' ? 'Show unanswered calls' : 'Show missed calls'
  return overflow([callsActions.missed, missed], [exportActions.menuEntry, 'Export…'])
}

/** Returns undefined if the query is too long for the `block_id` of its menu, or the report has no table. */
function groupingMenu(report: Report, blockId: string | undefined): types.StaticSelect | undefined {
  const { query } = report.plan
  // With the reason `agents`, only the table by agent is impossible.
  const canGroup = !isEmptyReport(report) && (!('reason' in report) || report.reason === 'agents')
  if (!canGroup || blockId === undefined) return undefined
  const options = groupingsFor(query).map((by) => blocks.option(groupingLabels[by], by))
  return blocks.select(reportActions.by.id, options, { value: query.by, placeholder: 'By…' })
}

/** A row's `block_id` stores the query for its menu. */
export function reportButtons(view: ReportView, shareLabel: string | undefined): readonly blocks.Block[] {
  const { report, nonce } = view
  const { plan } = report
  const { query } = plan
  const groupingId = reportActions.by.findBlockId(query, nonce)
  const periods: (types.Button | types.StaticSelect)[] = relatePeriods(plan).map(relatedButton)
  const grouping = groupingMenu(report, groupingId)
  if (grouping) periods.push(grouping)
  const callsId = callsMenu.findBlockId(toCallsQuery(query), nonce)
  const filterButton = reportActions.filter.button('Filter…', { ...query, at: undefined })
  const others: (types.Button | types.Overflow)[] = [filterButton, relatedButton(relateDirection(plan))]
  if (!isEmptyReport(report)) {
    const share = reportActions.share.button('Share…', query)
    others.push(...shareButtons(share, { noun: 'report', count: 1, shareLabel }))
    if (callsId !== undefined) others.push(callsMenuOrButton(query))
  }
  return [
    { type: 'actions', block_id: groupingId ?? `report.by|${nonce}`, elements: periods },
    { type: 'actions', block_id: callsId ?? `calls.more|${nonce}`, elements: others },
  ]
}
