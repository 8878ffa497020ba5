import { type Block, boldCell, cell, cut, escapeText, richLink } from './blocks.ts'

/** A column of a table, and of the lines of text in its place. */
export interface Column<Row, Setting> {
  readonly title: string | ((setting: Setting) => string)
  readonly align: 'left' | 'right'
  /** Plain text, whole; a value that was not understood as it came. Empty where the row has none. */
  text(row: Row, setting: Setting): string
  link?(row: Row, setting: Setting): Link | undefined
  isLoud?(text: string): boolean
  /** What it reads in a line, which has no head above it. */
  inLine?(text: string): string
  readonly isEssential?: boolean
  /** Its texts go on in another line where the window is narrow, so that the columns beside it stay in sight. */
  readonly isWrapped?: boolean
  /** Whether it says nothing in this table. @param texts of all rows */
  isSilent?(texts: readonly string[], setting: Setting): boolean
}

interface Link {
  readonly text: string
  readonly url: string
}

interface FilledColumn {
  readonly column: Pick<Column<never, never>, 'align' | 'isLoud' | 'inLine' | 'isEssential' | 'isWrapped'>
  readonly title: string
  readonly texts: readonly string[]
  readonly links: readonly (Link | undefined)[]
}

/** The rows in words: once, for the table and for what is read out. Only the columns that say something. */
export interface Table {
  readonly columns: readonly FilledColumn[]
  readonly rowCount: number
}

export function fillTable<Row, Setting>(
  columns: readonly Column<Row, Setting>[],
  rows: readonly Row[],
  setting: Setting,
): Table {
  const filled = columns.flatMap((column) => {
    const { title } = column
    const texts = rows.map((row) => column.text(row, setting))
    if (column.isSilent?.(texts, setting)) return []
    const { link } = column
    const links = link ? rows.map((row) => link(row, setting)) : []
    const own = typeof title === 'string' ? title : title(setting)
    return [{ column, title: own, texts, links }]
  })
  return { columns: filled, rowCount: rows.length }
}

/** A longer value is cut, so that a page of rows fits a message; shorter, where they still do not. */
export const CELL_LENGTHS = { usual: 40, short: 20, shortest: 10 } as const

interface TableForm {
  /** Fresh on every replacement, where it is replaced. */
  readonly blockId?: string
  readonly cellLength?: number
  /** What leads somewhere is a link, and what stands out is bold; a long table is too long with it. */
  readonly isRich?: boolean
}

export function tableBlock({ columns, rowCount }: Table, form: TableForm): Block {
  const { blockId, cellLength = CELL_LENGTHS.usual, isRich = false } = form
  const cellOf = ({ column, texts, links }: FilledColumn, row: number) => {
    const [text = '', link] = [texts[row], links[row]]
    if (isRich && link) return richLink(link.text, link.url)
    return isRich && column.isLoud?.(text) ? boldCell(text) : cell(text, cellLength)
  }
  const shown = Array.from({ length: rowCount }, (_, row) => row)
  return {
    type: 'table',
    ...(blockId === undefined ? {} : { block_id: blockId }),
    column_settings: columns.map(({ column: { align, isWrapped } }) => ({
      align,
      ...(isWrapped && { is_wrapped: true }),
    })),
    rows: [
      columns.map(({ title }) => cell(title)),
      ...shown.map((row) => columns.map((column) => cellOf(column, row))),
    ],
  }
}

const lineOf = (
  columns: readonly FilledColumn[],
  row: number,
  textOf: (text: string, column: FilledColumn) => string,
): string => {
  let line = ''
  for (const column of columns) {
    const text = column.texts[row]
    if (text) line += `${line && ' · '}${textOf(text, column)}`
  }
  return line
}

const linesOf = (
  { rowCount }: Table,
  columns: readonly FilledColumn[],
  textOf: Parameters<typeof lineOf>[2],
): readonly string[] => Array.from({ length: rowCount }, (_, row) => lineOf(columns, row, textOf))

/** The rows in mrkdwn, where there is no table: a line each. */
export const tableLines = (table: Table, cellLength: number = CELL_LENGTHS.usual): readonly string[] =>
  linesOf(table, table.columns, (whole, { column }) => {
    const text = escapeText(cut(column.inLine?.(whole) ?? whole, cellLength))
    return column.isLoud?.(whole) ? `*${text}*` : text
  })

/** The rows for a notification and for who has the message read out: a line each, of what matters most. */
export const tableInShort = (table: Table): readonly string[] =>
  linesOf(
    table,
    table.columns.filter(({ column }) => column.isEssential),
    (text) => escapeText(cut(text, CELL_LENGTHS.short)),
  )
