import type { types } from '@slack/bolt'
import { callsMenu } from '../../query/menus.ts'
import { callsText } from '../../query/texts.ts'
import { overflow } from '../../slack/blocks/actions.ts'
import {
  attribution,
  type Block,
  escapeText,
  fact,
  fields,
  header,
  type Message,
  type MessageBlock,
  noteBlock,
  option,
  plain,
  section,
  sections,
  sectionWith,
  select,
  tableBlock,
  tableLines,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { capitalize } from '../../util/text.ts'
import { openActions } from '../alerts/actions.ts'
import { reportedCallsActions } from '../calls/actions.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { exportActions } from '../export/actions.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import {
  buildReportTable,
  describeComparison,
  describeEmpty,
  describeNotes,
  describeNotTaken,
  describeReport,
  describeScope,
  drawChart,
  isRanked,
  listFacts,
} from './figures.ts'
import { groupingLabels, groupingsFor, switchDirection, toCallsQuery } from './query.ts'
import { type Report, type ReportPlan, type ReportView, shiftDays } from './report.ts'

/** The text counts towards the size of a message. */
const MAX_TEXT_ROWS = 12
/** Fits a line's name and its number. */
const MAX_CELL_LENGTH = 48

interface RelatedReport {
  readonly name: string
  readonly text: string
  readonly query: ReportQuery
}

export function relatedReports({ query, today }: ReportPlan): readonly [RelatedReport, ...RelatedReport[]] {
  const other = switchDirection(query)
  const shift = (step: 1 | -1) => ({ ...query, ...shiftDays(query, step), at: undefined })
  const next = shift(1)
  return [
    { name: 'direction', text: capitalize(callsText({ direction: other.direction })), query: other },
    { name: 'previous', text: '← Previous', query: shift(-1) },
    ...(next.from <= today ? [{ name: 'next', text: 'Next →', query: next }] : []),
  ]
}

const relatedButton = ({ name, text, query }: RelatedReport): types.Button =>
  reportActions.show.named(name).button(text, query)

function callsMenuOrButton(query: ReportQuery): types.Overflow | types.Button {
  if (query.status === 'answered') return exportActions.list.button('Export…', toCallsQuery(query))
  const missed = query.direction === 'outgoing' ? 'Show unanswered calls' : 'Show missed calls'
  return overflow([reportedCallsActions.missed, missed], [exportActions.menuEntry, 'Export…'])
}

/** A row's `block_id` stores the query for its menu; a query that is too long for it has no menu. */
function reportButtons({ report, nonce }: ReportView, shareLabel: string | undefined): readonly Block[] {
  const { plan } = report
  const { query } = plan
  const isEmpty = isEmptyReport(report)
  const [direction, ...periods] = relatedReports(plan)
  // With the reason `agents`, only the table by agent is impossible.
  const canGroup = !isEmpty && (!('reason' in report) || report.reason === 'agents')
  const options = groupingsFor(query).map((by) => option(groupingLabels[by], by))
  const grouping = { ...select(reportActions.by.id, options, query.by), placeholder: plain('By…', 150) }
  const groupingId = reportActions.by.findBlockId(query, nonce)
  const related: (types.Button | types.StaticSelect)[] = periods.map(relatedButton)
  if (canGroup && groupingId !== undefined) related.push(grouping)
  const callsId = callsMenu.findBlockId(toCallsQuery(query), nonce)
  const filterButton = reportActions.filter.button('Filter…', { ...query, at: undefined })
  const others: (types.Button | types.Overflow)[] = [filterButton, relatedButton(direction)]
  if (!isEmpty) {
    const share = reportActions.share.button('Share…', query)
    others.push(...shareButtons(share, { noun: 'report', count: 1, shareLabel }))
    if (callsId !== undefined) others.push(callsMenuOrButton(query))
  }
  return [
    { type: 'actions', block_id: groupingId ?? `report.by|${nonce}`, elements: related },
    { type: 'actions', block_id: callsId ?? `calls.more|${nonce}`, elements: others },
  ]
}

const showWaitingButton = openActions.show.button('Show waiting calls', undefined)

export const isEmptyReport = (report: Report): boolean =>
  'aggregate' in report && report.aggregate.figures.calls === 0

/** @param below buttons or an attribution @param isTool leaves out buttons that Slackbot can't show */
export function renderReport(view: ReportView, below: readonly Block[], isTool = false): Answer {
  const { report, lines, nonce } = view
  const title = describeReport(report.plan, lines)
  const scope = describeScope(report.plan, lines)
  if (isEmptyReport(report)) {
    const nothing = escapeText(describeEmpty(report.plan, lines))
    const blocks = [header(title), section(nothing), noteBlock(scope), ...below]
    return { message: { text: nothing, blocks } }
  }
  const facts = listFacts(report)
  const notTaken = describeNotTaken(report)
  const comparison = 'reason' in report ? [] : [describeComparison(report)]
  const notes = describeNotes(report)
  const chart = drawChart(view)
  const chartWords = chart ? [chart.words] : []
  const table = buildReportTable(view)
  const rowLines = table ? tableLines(table, MAX_CELL_LENGTH) : []
  const textRows = isRanked(report.plan.query.by)
    ? rowLines.slice(0, MAX_TEXT_ROWS)
    : rowLines.slice(-MAX_TEXT_ROWS)
  const tableForm = { blockId: `report.table|${nonce}`, cellLength: MAX_CELL_LENGTH }
  const tableBlocks = table ? [tableBlock(table, tableForm)] : []
  const summary = [
    `${title}. ${scope}`,
    ...(notTaken === undefined ? [] : [notTaken]),
    facts.map(([name, value]) => `${name}: ${value}`).join(', '),
    ...comparison,
    ...chartWords,
    ...notes,
  ]
  const text = textOfLines([...summary.map(escapeText), ...textRows])
  const alertText = `*${notTaken}*`
  const alertBlock = isTool ? section(alertText) : sectionWith(alertText, showWaitingButton)
  const withFigures = (figures: readonly MessageBlock[]): Message => ({
    text,
    blocks: [
      header(title),
      noteBlock(scope),
      ...(notTaken === undefined ? [] : [alertBlock]),
      ...(facts.length === 0 ? [] : [fields(facts.map(([name, value]) => fact(name, value)))]),
      ...comparison.map(noteBlock),
      ...figures,
      ...notes.map(noteBlock),
      ...below,
    ],
  })
  return {
    message: withFigures([...(chart ? [chart.block] : []), ...tableBlocks]),
    otherwise: [
      () => withFigures([...chartWords.map(noteBlock), ...tableBlocks]),
      () => withFigures([...chartWords.map(noteBlock), ...sections(rowLines)]),
    ],
  }
}

export const personalReport = (view: ReportView, shareLabel: string | undefined): Answer =>
  renderReport(view, reportButtons(view, shareLabel))

export const sharedReport = (view: ReportView, by: Sharer): Answer =>
  renderReport(view, [attribution(by.name, 'Shared'), removeRow(by.id)])
