import {
  attribution,
  type Block,
  context,
  escapeText,
  fact,
  fields,
  header,
  type Message,
  type MessageBlock,
  section,
  sections,
  sectionWith,
  tableBlock,
  tableLines,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import { localDay } from '../../time/zones.ts'
import { openAlertActions } from '../calls/open-alerts.ts'
import { removeRow, type Sharer } from '../calls/sharing.ts'
import { reportButtons } from './actions.ts'
import { drawChart } from './chart.ts'
import type { Report, ReportView } from './report.ts'
import { buildReportTable, maxRows } from './table.ts'
import {
  describeComparison,
  describeEmpty,
  describeNotes,
  describeNotTaken,
  describeReport,
  describeScope,
  listFacts,
} from './words.ts'

/** Rows of the table in the text and in the smaller variants. */
const MAX_SMALL_ROWS = 12
/** Fits a line's name and its number. */
const MAX_CELL_LENGTH = 48

const showWaitingButton = openAlertActions.show.button('Show waiting calls', undefined)

const note = (text: string) => context(escapeText(text))

export const isEmptyReport = (report: Report): boolean =>
  'aggregate' in report && report.aggregate.figures.calls === 0

/** Returns three variants: complete, without a chart, and as lines of text. */
function renderFigures(
  { report, lines, now, nonce }: ReportView,
  below: readonly Block[],
  isTool: boolean,
): Answer {
  const { plan } = report
  const today = localDay(plan.zone, now)
  const title = describeReport(plan, lines)
  const scope = describeScope(plan, lines, today)
  const facts = listFacts(report)
  const notTaken = describeNotTaken(report)
  const comparison = describeComparison(report, today)
  const notes = describeNotes(report)
  const chart = drawChart(report, today, nonce)
  const chartWords = chart ? [chart.words] : []
  const above = [
    header(title),
    note(scope),
    ...notTaken.map((text) => (isTool ? section(`*${text}*`) : sectionWith(`*${text}*`, showWaitingButton))),
    ...(facts.length === 0 ? [] : [fields(facts.map(({ name, value }) => fact(name, value)))]),
    ...comparison.map(note),
  ]
  const summary = [
    `${title}. ${scope}`,
    ...notTaken,
    facts.map(({ name, value }) => `${name}: ${value}`).join(', '),
    ...comparison,
    ...chartWords,
    ...notes,
  ]
  const table = (max: number) => buildReportTable(report, { lines, today }, max)
  const smallTable = table(MAX_SMALL_ROWS)
  const rowLines = smallTable ? tableLines(smallTable, MAX_CELL_LENGTH) : []
  const tableBlocks = (max: number) => {
    const shown = table(max)
    const form = { blockId: `report.table|${nonce}`, cellLength: MAX_CELL_LENGTH }
    return shown ? [tableBlock(shown, form)] : []
  }
  const text = textOfLines([...summary.map(escapeText), ...rowLines])
  const message = (middle: readonly MessageBlock[]): Message => ({
    text,
    blocks: [...above, ...middle, ...notes.map(note), ...below],
  })
  return {
    message: message([...(chart ? [chart.block] : []), ...tableBlocks(maxRows(plan.query.by))]),
    otherwise: [
      () => message([...chartWords.map(note), ...tableBlocks(MAX_SMALL_ROWS)]),
      () => message([...chartWords.map(note), ...sections(rowLines)]),
    ],
  }
}

/**
 * @param below buttons or an attribution
 * @param isTool leaves out buttons that Slackbot can't show
 */
export function renderReport(view: ReportView, below: readonly Block[], isTool = false): Answer {
  const { report, lines, now } = view
  const { plan } = report
  if (!isEmptyReport(report)) return renderFigures(view, below, isTool)
  const nothing = escapeText(describeEmpty(plan, lines))
  const scope = describeScope(plan, lines, localDay(plan.zone, now))
  const blocks = [header(describeReport(plan, lines)), section(nothing), note(scope), ...below]
  return { message: { text: nothing, blocks } }
}

/** Renders the report for the person who asked for it. */
export const personalReport = (view: ReportView): Answer =>
  renderReport(view, reportButtons(view, isEmptyReport(view.report)))

/** Renders the report for everyone in the channel. */
export const sharedReport = (view: ReportView, by: Sharer): Answer =>
  renderReport(view, [attribution(by.name, 'Shared'), removeRow(by.id)])
