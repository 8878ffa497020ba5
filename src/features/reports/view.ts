import {
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
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { tableBlock } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { blocksForModal } from '../../slack/deliver/modals.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { localDay } from '../../time/zones.ts'
import { emptyButtons, reportButtons } from './actions.ts'
import { chartOf } from './chart.ts'
import { type Report, shownDirections } from './report.ts'
import { reportTable } from './table.ts'
import { aboutText, comparisonText, emptyText, factsFor, notes, notTakenText, titleOf } from './words.ts'

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  /** Where it is looked at. */
  readonly now: Date
  readonly nonce: string
}

/** Rows of the table, in the usual form and where the message is too long with them. */
const ROW_COUNTS = { usual: 24, short: 12, shortest: 6 } as const
/** Of the text that stands for the blocks. */
const mostInText = 31
/** Of a cell of the first column: a line's name and its number. */
const cellLength = 48

type Form = () => Message

const note = (text: string) => context(escapeText(text))

/** Everything that a report shows above its buttons, in its forms: shorter ones, without the chart, and as lines of text. */
function shownOf({ report, lines, now, nonce }: ReportView, below: readonly Block[]): Answer {
  const { plan } = report
  const today = localDay(plan.zone, now)
  const title = titleOf(plan.query, lines)
  const about = aboutText(plan, lines, today, shownDirections(report))
  const facts = factsFor(report)
  const notTaken = notTakenText(report)
  const urgent = notTaken === undefined ? [] : [notTaken]
  const chart = chartOf(report, today, nonce)
  const tableOf = (most: number) => reportTable(report, { lines, today }, most)
  const compared = comparisonText(report, today)
  const belowFacts = compared === undefined ? [] : [compared]
  const chartWords = chart ? [chart.words] : []
  const more = notes(report)
  const summary = [
    `${title}. ${about}`,
    ...urgent,
    ...facts.map((own) => own.map(({ name, value }) => `${name}: ${value}`).join(', ')),
    ...belowFacts,
    ...chartWords,
    ...more,
  ]
  const rowLines = (most: number) => (tableOf(most)?.lines ?? []).map(escapeText)
  const text = textOfLines([...summary.map(escapeText), ...rowLines(mostInText)])

  const message = (drawn: readonly MessageBlock[], rows: readonly Block[]): Message => {
    const blocks = [
      header(title),
      note(about),
      ...urgent.map((one) => section(`*${one}*`)),
      ...facts.map((own) => fields(own.map(({ name, value }) => fact(name, value)))),
      ...belowFacts.map(note),
      ...drawn,
      // Beside the chart they would say the same once more; who can't see it has them in the text.
      ...(drawn.length === 0 ? chartWords.map(note) : []),
      ...rows,
      ...more.map(note),
      ...below,
    ]
    return { text, blocks }
  }
  const inTable = (most: number): Block[] => {
    const shown = tableOf(most)
    return shown ? [tableBlock(shown.table, { blockId: `report.table|${nonce}`, cellLength })] : []
  }
  const inLines = (most: number): Block[] => sections(rowLines(most))
  const { usual, short, shortest } = ROW_COUNTS
  const formsOf = (
    drawn: readonly MessageBlock[],
    rows: (most: number) => Block[],
  ): readonly [Form, ...Form[]] => [
    () => message(drawn, rows(usual)),
    () => message(drawn, rows(short)),
    () => ({ ...message(drawn, rows(shortest)), text: escapeText(summary[0] ?? '') }),
  ]
  const [best, ...shorter] = formsOf(chart ? [chart.block] : [], inTable)
  return { message: best(), otherwise: [...shorter, ...formsOf([], inTable), ...formsOf([], inLines)] }
}

/** Whether there is no call in it: where nobody knows, there may be. */
export const isEmpty = ({ plan, figures }: Report) =>
  plan.directions.every((direction) => figures[direction].calls === 0)

export function reportMessage(view: ReportView): Answer {
  const { report, now, nonce } = view
  const buttons = isEmpty(report) ? emptyButtons : reportButtons
  return reportWith(view, buttons(report.plan, now, nonce))
}

/** @param below what can be clicked */
export function reportWith(view: ReportView, below: readonly Block[]): Answer {
  const { report, lines, now } = view
  const { plan } = report
  if (!isEmpty(report)) return shownOf(view, below)
  const nothing = escapeText(emptyText(plan.query, lines))
  const blocks = [
    header(titleOf(plan.query, lines)),
    section(nothing),
    note(aboutText(plan, lines, localDay(plan.zone, now))),
    ...below,
  ]
  return { message: { text: nothing, blocks } }
}

/** What everyone in a channel sees, in words alone: where there is no room for a chart or a table, as in a modal. Pure. */
export function reportInWords(view: ReportView): readonly Block[] {
  const { otherwise = [] } = postedReport(view)
  return otherwise.map((form) => blocksForModal(form())).find((blocks) => blocks !== undefined) ?? []
}

export const postedReport = (view: ReportView): Answer => shownOf(view, [])
