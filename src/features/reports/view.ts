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
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { tableBlock } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { localDay } from '../../time/zones.ts'
import { emptyButtons, reportButtons } from './actions.ts'
import { chartOf } from './chart.ts'
import type { Report } from './report.ts'
import { type ReportTable, reportTable } from './rows.ts'
import {
  alertFiguresText,
  askedText,
  comparisonText,
  emptyText,
  factsFor,
  instantText,
  moreRowsText,
  notes,
  titleOf,
} from './words.ts'

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  /** Where it is looked at. */
  readonly now: Date
  /** Makes block ids fresh. */
  readonly nonce: string
}

/** Rows of the table, in the usual form and where the message is too long with them. */
const ROW_COUNTS = { usual: 24, short: 12, shortest: 6 } as const
/** Of a cell of the first column: a line's name and its number. */
const cellLength = 48

type Form = () => Message

/** Everything that a report shows above its buttons, in its forms. */
function shownOf(view: ReportView, below: readonly Block[]): Answer {
  const { report, lines, now, nonce } = view
  const { plan } = report
  const today = localDay(plan.zone, now)
  const title = titleOf(plan.query, lines)
  const facts = factsFor(plan.directions, report.figures, report.before)
  const rows = reportTable(report, { lines, today })
  const chart = chartOf(report, today, nonce)
  const about = `${askedText(plan, lines)} · ${instantText(plan, today)}`
  const comparison = comparisonText(report)
  const alerts = report.alerts ? [alertFiguresText(report.alerts)] : []
  const head: Block[] = [
    header(title),
    context(escapeText(about)),
    ...facts.map((own) => fields(own.map(({ name, value }) => fact(name, value)))),
    context(escapeText(comparison)),
    ...alerts.map((line) => context(escapeText(line))),
  ]
  const words = chart ? [context(escapeText(chart.words))] : []
  const more = notes(report).map((note) => context(escapeText(note)))
  const summary = [
    `${title}. ${about}`,
    ...facts.map((own) => own.map(({ name, value }) => `${name}: ${value}`).join(', ')),
    comparison,
    ...alerts,
    ...(chart ? [chart.words] : []),
    ...notes(report),
  ].map(escapeText)
  const text = textOfLines([...summary, ...(rows?.lines ?? []).map(escapeText)])

  const withRows = (most: number, list: (rows: ReportTable) => Block): Block[] => {
    if (!rows) return []
    const left = rows.lines.length - most
    return [list(rows), ...(left > 0 ? [context(moreRowsText(left, plan.query.by))] : [])]
  }
  const asTable = (most: number) =>
    withRows(most, ({ table }) => tableBlock(table, { blockId: `report.table|${nonce}`, cellLength, most }))
  const message = (middle: readonly MessageBlock[]): Message => ({
    text,
    blocks: [...head, ...middle, ...more, ...below],
  })
  const { usual, short, shortest } = ROW_COUNTS
  const formsOf = (
    drawn: readonly MessageBlock[],
    list: (most: number) => Block[],
  ): readonly [Form, ...Form[]] => [
    () => message([...drawn, ...words, ...list(usual)]),
    () => message([...drawn, ...words, ...list(short)]),
    () => ({ ...message([...drawn, ...words, ...list(shortest)]), text: summary[0] ?? '' }),
  ]
  const inWords = formsOf([], (most) =>
    withRows(most, (own) => section(own.lines.slice(0, most).map(escapeText).join('\n'))),
  )
  const [best, ...others] = formsOf(chart ? [chart.block] : [], asTable)
  const withoutChart = chart && rows ? formsOf([], asTable) : []
  const isInWords = !chart && !rows
  return { message: best(), otherwise: [...others, ...withoutChart, ...(isInWords ? [] : inWords)] }
}

/** Whether there is no call in it: where nobody knows, there may be. */
export const isEmpty = ({ plan, figures }: Report) =>
  plan.directions.every((direction) => figures[direction].calls === 0)

/** The `/calls report` message. Pure. */
export function reportMessage(view: ReportView): Answer {
  const { report, lines, now, nonce } = view
  if (!isEmpty(report)) return shownOf(view, reportButtons(report, now, nonce))
  const today = localDay(report.plan.zone, now)
  const nothing = emptyText(report.plan.query, lines)
  const about = `${askedText(report.plan, lines)} · ${instantText(report.plan, today)}`
  const blocks = [
    header(titleOf(report.plan.query, lines)),
    section(escapeText(nothing)),
    context(escapeText(about)),
    ...emptyButtons(report, now, nonce),
  ]
  return { message: { text: escapeText(nothing), blocks } }
}

/** What everyone in a channel sees, in words alone: where there is no room for a chart or a table, as in a modal. Pure. */
export function reportInWords(view: ReportView): readonly Block[] {
  const { message, otherwise = [] } = postedReport(view)
  const blocksOf = (form: Form) =>
    (form().blocks ?? []).filter((block) => block.type !== 'data_visualization')
  const forms = [() => message, ...otherwise].map(blocksOf)
  return forms.find((blocks) => !blocks.some(({ type }) => type === 'table')) ?? []
}

/** The report for everyone in a channel. Pure. */
export const postedReport = (view: ReportView): Answer => shownOf(view, [])
