import type { types } from '@slack/bolt'
import { CELL_LENGTHS, cell, cut, type FilledColumn, type Table } from './blocks.ts'

/** Shows a month of days at once; by default, Slack shows five rows. */
const SHOWN_ROWS = 31

interface DataTableOptions {
  /** New for every replacement of a message. */
  readonly blockId?: string
  /** Read out by screen readers. */
  readonly caption: string
  readonly cellLength?: number
}

/** Sortable, with up to 100 rows: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export function dataTable(
  { columns, rowCount }: Table,
  { blockId, caption, cellLength = CELL_LENGTHS.usual }: DataTableOptions,
): types.DataTableBlock {
  const rows: types.DataTableBlock['rows'] = [columns.map(({ title }) => cell(title))]
  for (let row = 0; row < rowCount; row += 1)
    rows.push(columns.map((column) => dataCell(column, row, cellLength)))
  const block: types.DataTableBlock = {
    type: 'data_table',
    caption: cut(caption, 200),
    page_size: SHOWN_ROWS,
    rows,
  }
  if (blockId !== undefined) block.block_id = blockId
  return block
}

/** Slack sorts a column by value if all its cells are numbers. */
function dataCell({ texts, numbers }: FilledColumn, row: number, cellLength: number) {
  const shown = cell(texts[row] ?? '', cellLength)
  const value = numbers[row]
  return value === undefined ? shown : ({ type: 'raw_number', value, text: shown.text } as const)
}

/** Keeps the columns that a message needs if all of them don't fit. */
export function narrowTable({ columns, rowCount }: Table): Table {
  return { columns: columns.filter(({ column }) => column.isEssential), rowCount }
}
