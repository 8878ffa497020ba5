import { type Block, boldCell, cell, cut, escapeText, richLink } from './blocks.ts'

/** Column of a table, and of the lines of text that replace it. */
export interface Column<Row, Context> {
  readonly title: string | ((context: Context) => string)
  readonly align: 'left' | 'right'
  /** Returns plain text, uncut; an unreadable value as it came; empty if the row has none. */
  text(row: Row, context: Context): string
  link?(row: Row, context: Context): Link | undefined
  isBold?(text: string): boolean
  /** Returns the text for a line, which has no header row. */
  lineText?(text: string): string
  readonly isEssential?: boolean
  /** Wraps its texts in a narrow window, so that the other columns stay visible. */
  readonly isWrapped?: boolean
}

interface Link {
  readonly text: string
  readonly url: string
}

interface FilledColumn {
  readonly column: Pick<Column<never, never>, 'align' | 'isBold' | 'lineText' | 'isEssential' | 'isWrapped'>
  readonly title: string
  readonly texts: readonly string[]
  readonly links: readonly (Link | undefined)[]
}

/** Rows as text, computed once for the table and its lines, without empty columns. */
export interface Table {
  readonly columns: readonly FilledColumn[]
  readonly rowCount: number
}

export function fillTable<Row, Context>(
  columns: readonly Column<Row, Context>[],
  rows: readonly Row[],
  context: Context,
): Table {
  const filled = columns.flatMap((column) => {
    const { title } = column
    const texts = rows.map((row) => column.text(row, context))
    if (rows.length > 0 && texts.every((text) => text === '' || text === '–')) return []
    const { link } = column
    const links = link ? rows.map((row) => link(row, context)) : []
    const own = typeof title === 'string' ? title : title(context)
    return [{ column, title: own, texts, links }]
  })
  return { columns: filled, rowCount: rows.length }
}

/** Values are cut so that a page of rows fits a message; shorter if it still doesn't. */
export const CELL_LENGTHS = { usual: 40, short: 20 } as const

interface TableForm {
  /** New for every replacement of a message. */
  readonly blockId?: string
  readonly cellLength?: number
  /** Uses links and bold text, which make a long table too large. */
  readonly isRich?: boolean
}

export function tableBlock({ columns, rowCount }: Table, form: TableForm): Block {
  const { blockId, cellLength = CELL_LENGTHS.usual, isRich = false } = form
  const buildCell = ({ column, texts, links }: FilledColumn, row: number) => {
    const [text = '', link] = [texts[row], links[row]]
    if (isRich && link) return richLink(link.text, link.url)
    return isRich && column.isBold?.(text) ? boldCell(text) : cell(text, cellLength)
  }
  return {
    type: 'table',
    ...(blockId === undefined ? {} : { block_id: blockId }),
    column_settings: columns.map(({ column: { align, isWrapped } }) => ({
      align,
      ...(isWrapped && { is_wrapped: true }),
    })),
    rows: [
      columns.map(({ title }) => cell(title)),
      ...Array.from({ length: rowCount }, (_, row) => columns.map((column) => buildCell(column, row))),
    ],
  }
}

const formatRows = (
  { rowCount }: Table,
  columns: readonly FilledColumn[],
  format: (text: string, column: FilledColumn) => string,
): readonly string[] =>
  Array.from({ length: rowCount }, (_, row) =>
    columns.flatMap((column) => (column.texts[row] ? format(column.texts[row], column) : [])).join(' · '),
  )

/** Formats each row as a line of mrkdwn. */
export const tableLines = (table: Table, cellLength: number = CELL_LENGTHS.usual): readonly string[] =>
  formatRows(table, table.columns, (whole, { column }) => {
    const text = escapeText(cut(column.lineText?.(whole) ?? whole, cellLength))
    return column.isBold?.(whole) ? `*${text}*` : text
  })

/** Formats the essential columns of each row as a line for notifications and screen readers. */
export const tableInShort = (table: Table): readonly string[] =>
  formatRows(
    table,
    table.columns.filter(({ column }) => column.isEssential),
    (text) => escapeText(cut(text, CELL_LENGTHS.short)),
  )
