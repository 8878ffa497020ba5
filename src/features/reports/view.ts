import type { types } from '@slack/bolt'
import { callsText } from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import * as tables from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { capitalize } from '../../util/text.ts'
import { openActions } from '../alerts/actions.ts'
import { callsActions } from '../calls/actions.ts'
import { shareButtons } from '../calls/sharing.ts'
import { exportActions } from '../export/actions.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { drawChart } from './chart.ts'
import { type ReportPlan, shiftDays } from './period.ts'
import { groupingLabels, groupingsFor, switchDirection, toCallsQuery } from './query.ts'
import { type FullView, isEmptyReport, isFull, type Report, type ReportView } from './report.ts'
import { buildReportTable, captionTable, isRanked } from './rows.ts'
import * as words from './words.ts'

/** The text counts towards the size of a message. */
const MAX_TEXT_ROWS = 8
/** Numbers of rows to try until a message fits. Slack's limit is 100, with rows for the others and for unknown values. */
const DATA_TABLE_ROWS = [98, 48, 31, 24, 16, 10]
/** A plain table has no pages, so it is shorter. In order, it holds all hours of a day. */
const MAX_PLAIN_ROWS = { ranked: 16, inOrder: 24 }

interface RenderOptions {
  /** Buttons or an attribution, below the report. */
  readonly below: readonly blocks.Block[]
  /** Leaves out what Slackbot can't show. */
  readonly isTool?: boolean
}

/** Returns several variants: not every workspace accepts every block, and a message has a limited size. */
export function renderReport(view: ReportView, options: RenderOptions): Answer {
  const { report } = view
  if (isEmptyReport(report)) return renderEmpty(view, options)
  const { summary, rowLines, variants } = buildBody(view, options)
  const title = words.describeReport(view)
  const waitingText = words.describeWaitingCalls(report)
  const facts = words.listFacts(report)
  const notes = words.describeNotes(view)
  const footer: blocks.Block[] = []
  if (summary !== '') footer.push(blocks.plainContext(summary))
  if (waitingText !== '') footer.push(waitingCallsBlock(waitingText, options))
  if (facts.length > 0) footer.push(blocks.facts(facts))
  footer.push(...notes.map(blocks.plainContext), ...options.below)
  const factsText = facts.map(([name, value]) => `${name}: ${value}`).join(', ')
  const sentences = [title, summary, waitingText, factsText, ...notes].filter(Boolean)
  const text = blocks.textOfLines([...sentences.map(blocks.escapeText), ...rowLines])
  const header = blocks.header(title)
  const withRows = (rows: readonly blocks.MessageBlock[]) => ({ text, blocks: [header, ...rows, ...footer] })
  const [buildBest, ...smallerBuilders] = variants
  // Without the calls' figures, there are no rows.
  const bestRows = buildBest ? buildBest() : []
  return { message: withRows(bestRows), fallbacks: smallerBuilders.map((build) => () => withRows(build())) }
}

function waitingCallsBlock(sentence: string, { isTool }: RenderOptions): blocks.Block {
  const text = `*${sentence}*`
  if (isTool) return blocks.section(text)
  return blocks.sectionWith(text, openActions.show.button('Show waiting calls', undefined))
}

function renderEmpty(view: ReportView, { below }: RenderOptions): Answer {
  const text = blocks.escapeText(words.describeEmpty(view))
  const scope = blocks.plainContext(words.describeScope(view))
  return { message: { text, blocks: [blocks.header('Call report'), blocks.section(text), scope, ...below] } }
}

/**
 * Returns builders of the table with the chart, the best first. `summary` has sentences about the chart, if any; `rowLines` are
 * the rows of the table, or the sentence in its place.
 */
function buildBody(view: ReportView, { isTool }: RenderOptions) {
  if (!isFull(view)) return { summary: '', rowLines: [], variants: [] }
  const noRowsText = words.describeNoTakers(view.report)
  if (noRowsText !== undefined)
    return { summary: '', rowLines: [noRowsText], variants: [() => [blocks.section(noRowsText)]] }
  const isInOrder = !isRanked(view.report.plan.query.by)
  const maxRows = isInOrder ? MAX_PLAIN_ROWS.inOrder : MAX_PLAIN_ROWS.ranked
  const table = buildReportTable(view, maxRows)
  const lines = tables.tableLines(table)
  const rowLines = isInOrder ? lines.slice(-MAX_TEXT_ROWS) : lines.slice(0, MAX_TEXT_ROWS)
  const { summary, blocks: charts } = drawChart(view)
  const blockId = `report.table|${view.nonce}`
  const plainTable = tables.tableBlock(table, { blockId })
  const tableBuilders = isTool ? [() => plainTable] : listDataTables(view, blockId)
  const variants: (() => readonly blocks.MessageBlock[])[] = []
  for (const buildTable of tableBuilders) variants.push(() => [buildTable(), ...charts])
  variants.push(() => [plainTable])
  variants.push(() => blocks.sections(lines))
  return { summary, rowLines, variants }
}

/** Returns builders of ever smaller tables. All rows are worth more than all columns. */
function listDataTables(view: FullView, blockId: string): readonly (() => blocks.Block)[] {
  const options = { blockId, caption: captionTable(view.report.plan) }
  const builders: (() => blocks.Block)[] = []
  for (const maxRows of DATA_TABLE_ROWS) {
    builders.push(() => tables.dataTable(buildReportTable(view, maxRows), options))
    builders.push(() => tables.dataTable(tables.narrowTable(buildReportTable(view, maxRows)), options))
  }
  return builders
}

export const personalReport = (view: ReportView, shareLabel: string | undefined): Answer =>
  renderReport(view, { below: reportButtons(view, shareLabel) })

function periodButtons({ query, today }: ReportPlan): types.Button[] {
  const { show } = reportActions
  const previous = { ...query, ...shiftDays(query, -1), versus: undefined, at: undefined }
  const next = { ...query, ...shiftDays(query, 1), versus: undefined, at: undefined }
  const buttons = [show.named('previous').button('← Previous', previous)]
  if (next.from <= today) buttons.push(show.named('next').button('Next →', next))
  return buttons
}

function groupingMenu(query: ReportQuery): types.StaticSelect {
  const options = groupingsFor(query).map((by) => blocks.option(groupingLabels[by], by))
  return blocks.select(reportActions.by.id, options, { value: query.by })
}

/** If a table by agent is too much to read, another table may not be. */
const canGroup = (report: Report): boolean =>
  !isEmptyReport(report) && (report.aggregate !== undefined || report.plan.query.by === 'agent')

/** A row's `block_id` stores the query for its menu. If the query is too long for it, the menu is left out. */
function reportButtons(view: ReportView, shareLabel: string | undefined): readonly blocks.Block[] {
  const { report, nonce } = view
  const { query } = report.plan
  const { show, filter, share } = reportActions
  const groupingId = reportActions.by.findBlockId(query, nonce)
  const periodControls: (types.Button | types.StaticSelect)[] = periodButtons(report.plan)
  if (groupingId !== undefined && canGroup(report)) periodControls.push(groupingMenu(query))
  const filterButton = filter.button('Filter…', { ...query, at: undefined })
  const switchedQuery = switchDirection(query)
  const directionLabel = capitalize(callsText({ direction: switchedQuery.direction }))
  const moreButtons = [filterButton, show.named('direction').button(directionLabel, switchedQuery)]
  if (!isEmptyReport(report)) {
    moreButtons.push(...shareButtons(share.button('Share…', query), shareLabel))
    const calls = toCallsQuery(query)
    const missedLabel = `Show ${words.nameMissed(query.direction)} calls`
    if (query.status !== 'answered') moreButtons.push(callsActions.missed.button(missedLabel, calls))
    moreButtons.push(exportActions.list.button('Export…', calls))
  }
  return [
    { type: 'actions', block_id: groupingId ?? `report.by|${nonce}`, elements: periodControls },
    { type: 'actions', block_id: `report.more|${nonce}`, elements: moreButtons },
  ]
}
