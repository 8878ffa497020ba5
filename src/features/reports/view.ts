import * as blocks from '../../slack/blocks/blocks.ts'
import * as tables from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { openActions } from '../alerts/actions.ts'
import { type Sharer, sharedFooter } from '../calls/sharing.ts'
import { reportButtons } from './buttons.ts'
import { drawChart } from './chart.ts'
import { isEmptyReport, type ReportView } from './report.ts'
import { buildReportTable, captionTable } from './rows.ts'
import { isRanked } from './units.ts'
import * as words from './words.ts'

/** The text counts towards the size of a message. */
const MAX_TEXT_ROWS = 8
/** Fits a line's name and its number. */
const MAX_CELL_LENGTH = 48
/** Rows of a data table, most first: the first table that fits a message is sent. Slack's limit is 100. */
const DATA_TABLE_ROWS = [98, 48, 31, 24, 16, 10]
const MAX_TABLE_ROWS = { ranked: 16, inOrder: 24 }

interface RenderOptions {
  /** Buttons or an attribution, below the report. */
  readonly below: readonly blocks.Block[]
  /** Leaves out what Slackbot can't show. */
  readonly isTool?: boolean
}

const showWaitingButton = openActions.show.button('Show waiting calls', undefined)

/** Renders a report in several variants: not every workspace accepts every block, and a message has a limited size. */
class ReportRenderer {
  readonly #view
  readonly #options
  readonly #title
  readonly #chart
  readonly #table
  readonly #rowLines
  readonly #isRanked

  constructor(view: ReportView, options: RenderOptions) {
    this.#view = view
    this.#options = options
    this.#title = words.describeReport(view)
    this.#chart = drawChart(view)
    this.#isRanked = isRanked(view.report.plan.query.by)
    this.#table = buildReportTable(view, this.#isRanked ? MAX_TABLE_ROWS.ranked : MAX_TABLE_ROWS.inOrder)
    this.#rowLines = this.#table ? tables.tableLines(this.#table, MAX_CELL_LENGTH) : []
  }

  render(): Answer {
    const table = this.#table
    if (!table) return { message: this.#withRows([]) }
    const variants: (() => blocks.Message)[] = []
    if (this.#options.isTool) variants.push(() => this.#withTable(table, this.#chart?.blocks))
    else variants.push(...this.#listDataTables())
    variants.push(() => this.#withTable(table))
    variants.push(() => this.#withRows(blocks.sections(this.#rowLines)))
    const [best = () => this.#withRows([]), ...otherwise] = variants
    return { message: best(), otherwise }
  }

  /** Returns messages with ever smaller tables. All rows are worth more than all columns. */
  #listDataTables(): (() => blocks.Message)[] {
    const variants: (() => blocks.Message)[] = []
    for (const maxRows of DATA_TABLE_ROWS) {
      variants.push(() => this.#withDataTable(maxRows, 'all'))
      variants.push(() => this.#withDataTable(maxRows, 'essential'))
    }
    return variants
  }

  #withDataTable(maxRows: number, columns: 'all' | 'essential'): blocks.Message {
    const { report, nonce } = this.#view
    const charts = this.#chart?.blocks ?? []
    const table = buildReportTable(this.#view, maxRows)
    if (!table) return this.#withRows(charts)
    const shown = columns === 'all' ? table : tables.narrowTable(table)
    const block = tables.dataTable(shown, {
      blockId: `report.table|${nonce}`,
      caption: captionTable(report.plan),
      cellLength: MAX_CELL_LENGTH,
    })
    return this.#withRows([block, ...charts])
  }

  #withTable(table: tables.Table, charts: readonly blocks.MessageBlock[] = []): blocks.Message {
    const form = { blockId: `report.table|${this.#view.nonce}`, cellLength: MAX_CELL_LENGTH }
    return this.#withRows([tables.tableBlock(table, form), ...charts])
  }

  #withRows(rows: readonly blocks.MessageBlock[]): blocks.Message {
    const nobody = words.describeNobody(this.#view.report)
    const shown = nobody === undefined ? rows : [blocks.section(nobody)]
    const title = blocks.header(this.#title)
    return { text: this.#writeText(), blocks: [title, ...shown, ...this.#listRest(), ...this.#options.below] }
  }

  /** Returns what the table and the chart don't show. */
  #listRest(): readonly blocks.Block[] {
    const { report } = this.#view
    const rest: blocks.Block[] = []
    if (this.#chart?.summary) rest.push(blocks.noteBlock(this.#chart.summary))
    const waiting = words.describeNotTaken(report)
    if (waiting !== undefined) {
      const text = `*${waiting}*`
      rest.push(this.#options.isTool ? blocks.section(text) : blocks.sectionWith(text, showWaitingButton))
    }
    const facts = words.listFacts(report)
    if (facts.length > 0) rest.push(blocks.facts(facts))
    const comparison = words.describeComparison(report)
    if (comparison !== undefined) rest.push(blocks.noteBlock(comparison))
    rest.push(blocks.noteBlock(words.describeScope(this.#view)))
    for (const note of words.describeNotes(report)) rest.push(blocks.noteBlock(note))
    return rest
  }

  /** Says in text what the blocks show. */
  #writeText(): string {
    const { report } = this.#view
    const facts = words.listFacts(report).map(([name, value]) => `${name}: ${value}`)
    const sentences = [
      `${this.#title}. ${words.describeScope(this.#view)}`,
      words.describeNobody(report),
      this.#chart?.summary,
      words.describeNotTaken(report),
      facts.join(', '),
      words.describeComparison(report),
      ...words.describeNotes(report),
    ]
    const lines: string[] = []
    for (const sentence of sentences) if (sentence) lines.push(blocks.escapeText(sentence))
    if (this.#isRanked) lines.push(...this.#rowLines.slice(0, MAX_TEXT_ROWS))
    else lines.push(...this.#rowLines.slice(-MAX_TEXT_ROWS))
    return blocks.textOfLines(lines)
  }
}

export function renderReport(view: ReportView, options: RenderOptions): Answer {
  if (!isEmptyReport(view.report)) return new ReportRenderer(view, options).render()
  const nothing = blocks.escapeText(words.describeEmpty(view))
  const scope = blocks.noteBlock(words.describeScope(view))
  const shown = [blocks.header('Call report'), blocks.section(nothing), scope, ...options.below]
  return { message: { text: nothing, blocks: shown } }
}

export const personalReport = (view: ReportView, shareLabel: string | undefined): Answer =>
  renderReport(view, { below: reportButtons(view, shareLabel) })

export const sharedReport = (view: ReportView, sharer: Sharer): Answer =>
  renderReport(view, { below: sharedFooter(sharer) })
