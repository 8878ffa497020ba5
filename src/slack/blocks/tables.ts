import type { types } from '@slack/bolt'
import { isBlank } from '../../util/text.ts'
import { type Block, boldCell, cell, cut, escapeText, richLink } from './blocks.ts'

/** Column of a table, and of the lines of text that replace it. */
export interface Column<Row, Context = undefined> {
  readonly title: string | ((context: Context) => string)
  readonly align?: 'left' | 'right'
  /** Returns plain text, uncut; an unreadable value as it came; empty if the row has none. */
  text(row: Row, context: Context): string
  sortValue?(row: Row): number
  link?(row: Row, context: Context): Link | undefined
  isBold?(text: string): boolean
  /** Returns the text for a line, which has no header row. */
  lineText?(text: string): string
  /** Kept where not all columns fit. */
  readonly isEssential?: boolean
  /** Whether the title of the list says the value, if all rows share it. */
  isInListTitle?(context: Context): boolean
}

interface Link {
  readonly text: string
  readonly url: string
}

export interface FilledColumn {
  readonly style: Pick<Column<never>, 'align' | 'isBold' | 'lineText' | 'isEssential'>
  readonly title: string
  readonly texts: readonly string[]
  /** Empty for columns that are sorted by their texts. */
  readonly sortValues: readonly number[]
  readonly links: readonly (Link | undefined)[]
  readonly isInListTitle: boolean
}

/** Texts and links by column, then by row. */
export interface Table {
  readonly columns: readonly FilledColumn[]
  readonly rowCount: number
}

/** A dash stands for a missing value. */
const isValue = (text: string): boolean => text !== '–' && !isBlank(text)

function fillColumn<Row, Context>(
  column: Column<Row, Context>,
  rows: readonly Row[],
  context: Context,
): FilledColumn {
  const { sortValue, link, isInListTitle } = column
  const title = typeof column.title === 'string' ? column.title : column.title(context)
  const texts = rows.map((row) => column.text(row, context))
  const sortValues = sortValue ? rows.map((row) => sortValue(row)) : []
  const links = link ? rows.map((row) => link(row, context)) : []
  return { style: column, title, texts, sortValues, links, isInListTitle: isInListTitle?.(context) ?? false }
}

/** Leaves out columns without a value; if no row has one, the essential columns stay. */
export function fillTable<Row, Context>(
  columns: readonly Column<Row, Context>[],
  rows: readonly Row[],
  context: Context,
): Table {
  const rowCount = rows.length
  const filled = columns.map((column) => fillColumn(column, rows, context))
  if (rowCount === 0) return { columns: filled, rowCount }
  const withValues = filled.filter(({ texts }) => texts.some(isValue))
  if (withValues.length > 0) return { columns: withValues, rowCount }
  // A table needs columns, even if no row has a value.
  return narrowTable({ columns: filled, rowCount })
}

export function narrowTable({ columns, rowCount }: Table): Table {
  return { columns: columns.filter(({ style }) => style.isEssential), rowCount }
}

/** Values are cut so that a page of rows fits a message. */
export const CELL_LENGTHS = { usual: 40, short: 20 } as const

interface TableOptions {
  /** New for every replacement of a message. */
  readonly blockId?: string
  readonly cellLength?: number
  /** Uses links and bold text, which make a long table too large. */
  readonly isRich?: boolean
}

export function tableBlock({ columns, rowCount }: Table, options: TableOptions): Block {
  const { blockId, cellLength = CELL_LENGTHS.usual, isRich = false } = options
  const rows: types.TableBlock['rows'] = [columns.map(({ title }) => cell(title))]
  for (let index = 0; index < rowCount; index += 1) {
    rows.push(columns.map((column) => buildCell(column, index, cellLength, isRich)))
  }
  const columnSettings = columns.map(({ style }) => ({ align: style.align ?? 'left' }))
  const block: types.TableBlock = { type: 'table', column_settings: columnSettings, rows }
  if (blockId !== undefined) block.block_id = blockId
  return block
}

function buildCell(column: FilledColumn, index: number, cellLength: number, isRich: boolean) {
  const text = column.texts[index] ?? ''
  const link = column.links[index]
  // Not cut: columns keep bold texts and links short.
  if (isRich && link) return richLink(link.text, link.url)
  if (isRich && column.style.isBold?.(text)) return boldCell(text)
  return cell(text, cellLength)
}

/** Shows a month of days at once; by default, Slack shows five rows. */
const SHOWN_ROWS = 31

interface DataTableOptions {
  /** New for every replacement of a message. */
  readonly blockId: string
  readonly caption: string
  readonly cellLength?: number
}

/** Sortable, with up to 100 rows: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export function dataTable({ columns, rowCount }: Table, options: DataTableOptions): types.DataTableBlock {
  const { blockId, caption, cellLength = CELL_LENGTHS.usual } = options
  const rows: types.DataTableBlock['rows'] = [columns.map(({ title }) => cell(title))]
  for (let index = 0; index < rowCount; index += 1) {
    rows.push(columns.map((column) => buildDataCell(column, index, cellLength)))
  }
  return { type: 'data_table', block_id: blockId, caption: cut(caption, 200), page_size: SHOWN_ROWS, rows }
}

/** Slack sorts a column by value if all its cells are numbers. */
function buildDataCell({ texts, sortValues }: FilledColumn, index: number, cellLength: number) {
  const textCell = cell(texts[index] ?? '', cellLength)
  const value = sortValues[index]
  if (value === undefined) return textCell
  return { type: 'raw_number', value, text: textCell.text } as const
}

function formatRows(table: Table, format: (text: string, column: FilledColumn) => string): readonly string[] {
  const lines: string[] = []
  for (let index = 0; index < table.rowCount; index += 1) {
    const parts: string[] = []
    for (const column of table.columns) {
      const text = column.texts[index] ?? ''
      if (isValue(text)) parts.push(format(text, column))
    }
    lines.push(parts.join(' · '))
  }
  return lines
}

export const tableLines = (table: Table, cellLength: number = CELL_LENGTHS.usual): readonly string[] =>
  formatRows(table, (cellText, { style }) => {
    const text = escapeText(cut(style.lineText?.(cellText) ?? cellText, cellLength))
    return style.isBold?.(cellText) ? `*${text}*` : text
  })

/** For a message's `text`, which is read out. */
export const shortTableLines = (table: Table): readonly string[] =>
  formatRows(narrowTable(table), (text) => escapeText(cut(text, CELL_LENGTHS.short)))
