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
  type Table,
  tableBlock,
  tableLines,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { dataTable, narrowTable } from '../../slack/blocks/data-table.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { capitalize } from '../../util/text.ts'
import { openActions } from '../alerts/actions.ts'
import { reportedCallsActions } from '../calls/actions.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { exportActions } from '../export/actions.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { drawChart, type ReportChart } from './chart.ts'
import { groupingLabels, groupingsFor, switchDirection, toCallsQuery } from './query.ts'
import { type Report, type ReportPlan, type ReportView, shiftDays } from './report.ts'
import { buildReportTable, captionTable, isRanked } from './rows.ts'
import {
  describeComparison,
  describeEmpty,
  describeNobody,
  describeNotes,
  describeNotTaken,
  describeReport,
  describeScope,
  listFacts,
} from './words.ts'

/** The text counts towards the size of a message. */
const MAX_TEXT_ROWS = 8
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

/** Rows of a data table, most first: the first table that fits a message is sent. Slack's limit is 100. */
const DATA_TABLE_ROWS = [98, 48, 31, 24, 16, 10]
const MAX_TABLE_ROWS = 24
const MAX_RANKED_TABLE_ROWS = 16

/** What a report shows besides its table. */
interface ReportParts {
  readonly view: ReportView
  readonly below: readonly Block[]
  readonly isTool: boolean
  readonly title: string
  readonly chart: ReportChart | undefined
}

/** The figures that the table and the chart don't show. */
function renderRest({ view, isTool, chart }: ReportParts): readonly Block[] {
  const { report } = view
  const rest: Block[] = []
  if (chart?.summary) rest.push(noteBlock(chart.summary))
  const notTaken = describeNotTaken(report)
  const alertText = `*${notTaken}*`
  if (notTaken !== undefined)
    rest.push(isTool ? section(alertText) : sectionWith(alertText, showWaitingButton))
  const facts = listFacts(report)
  if (facts.length > 0) rest.push(fields(facts.map(([name, value]) => fact(name, value))))
  const comparison = describeComparison(report)
  if (comparison !== undefined) rest.push(noteBlock(comparison))
  rest.push(noteBlock(describeScope(view)), ...describeNotes(report).map(noteBlock))
  return rest
}

/** Says in text what the blocks show. */
function renderText({ view, title, chart }: ReportParts, rowLines: readonly string[]): string {
  const { report } = view
  const lines = [`${title}. ${describeScope(view)}`]
  const sentences = [
    describeNobody(report),
    chart?.summary,
    describeNotTaken(report),
    listFacts(report)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
    describeComparison(report),
    ...describeNotes(report),
  ]
  for (const sentence of sentences) if (sentence) lines.push(sentence)
  const shownRows = isRanked(report.plan.query.by)
    ? rowLines.slice(0, MAX_TEXT_ROWS)
    : rowLines.slice(-MAX_TEXT_ROWS)
  return textOfLines([...lines.map(escapeText), ...shownRows])
}

function renderEmpty(view: ReportView, below: readonly Block[]): Answer {
  const nothing = escapeText(describeEmpty(view))
  const blocks = [header('Call report'), section(nothing), noteBlock(describeScope(view)), ...below]
  return { message: { text: nothing, blocks } }
}

/** @param below buttons or an attribution @param isTool leaves out what Slackbot can't show */
export function renderReport(view: ReportView, below: readonly Block[], isTool = false): Answer {
  const { report } = view
  if (isEmptyReport(report)) return renderEmpty(view, below)
  const title = describeReport(view)
  const chart = drawChart(view)
  const parts = { view, below, isTool, title, chart }
  const nobody = describeNobody(report)
  const maxRows = isRanked(report.plan.query.by) ? MAX_RANKED_TABLE_ROWS : MAX_TABLE_ROWS
  const table = buildReportTable(view, maxRows)
  const rowLines = table ? tableLines(table, MAX_CELL_LENGTH) : []
  const text = renderText(parts, rowLines)
  const rest = renderRest(parts)
  const withRows = (rows: readonly MessageBlock[]): Message => ({
    text,
    blocks: [header(title), ...(nobody === undefined ? rows : [section(nobody)]), ...rest, ...below],
  })
  const charts = chart?.blocks ?? []
  const tableForm = { blockId: `report.table|${view.nonce}`, cellLength: MAX_CELL_LENGTH }
  const withTable = (above: readonly MessageBlock[]) =>
    withRows([...(table ? [tableBlock(table, tableForm)] : []), ...above])
  const variants = [() => withTable([]), () => withRows(sections(rowLines))]
  if (!table || isTool) return { message: withTable(charts), otherwise: variants }
  const caption = captionTable(report)
  const withDataTable = (shown: Table) => withRows([dataTable(shown, { ...tableForm, caption }), ...charts])
  const dataTables: (() => Message)[] = []
  for (const count of DATA_TABLE_ROWS) {
    const build = () => buildReportTable(view, count) ?? table
    // All rows are worth more than all columns.
    dataTables.push(
      () => withDataTable(build()),
      () => withDataTable(narrowTable(build())),
    )
  }
  const [best = () => withTable(charts), ...smaller] = dataTables
  return { message: best(), otherwise: [...smaller, ...variants] }
}

export const personalReport = (view: ReportView, shareLabel: string | undefined): Answer =>
  renderReport(view, reportButtons(view, shareLabel))

export const sharedReport = (view: ReportView, by: Sharer): Answer =>
  renderReport(view, [attribution(by.name, 'Shared'), removeRow(by.id)])
