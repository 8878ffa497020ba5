import { useState } from 'preact/hooks'
import { asList, asNumber, asText, type Json } from './read.ts'
import { RichText } from './text.tsx'

const readRows = (block: Json): readonly (readonly Json[])[] =>
  Array.isArray(block['rows']) ? block['rows'].map(asList) : []

const renderCell = (cell: Json) =>
  cell['type'] === 'rich_text' ? <RichText block={cell} /> : asText(cell['text'])

/** Scrolls a table that is wider than its message. */
export function Table({ block }: { readonly block: Json }) {
  const [head = [], ...rows] = readRows(block)
  const settings = asList(block['column_settings'])
  const columnStyle = (column: number) => ({
    textAlign: asText(settings[column]?.['align']) || 'left',
    whiteSpace: settings[column]?.['is_wrapped'] === true ? 'normal' : 'nowrap',
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="table card" role="group" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={`${column}`} scope="col" style={columnStyle(column)}>
                {renderCell(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index}`}>
              {row.map((cell, column) => (
                <td key={`${column}`} style={columnStyle(column)}>
                  {renderCell(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Order {
  readonly column: number
  readonly isDescending: boolean
}

/** Sorts a column of numbers by value, others by text, as Slack does. */
function sortRows(rows: readonly (readonly Json[])[], { column, isDescending }: Order) {
  const isNumeric = rows.every((row) => row[column]?.['type'] === 'raw_number')
  const compare = (a: Json = {}, b: Json = {}) => {
    if (isNumeric) return (asNumber(a['value']) ?? 0) - (asNumber(b['value']) ?? 0)
    return asText(a['text']).localeCompare(asText(b['text']))
  }
  const sorted = rows.toSorted((a, b) => compare(a[column], b[column]))
  return isDescending ? sorted.reverse() : sorted
}

const cellStyle = (cell: Json | undefined) => ({
  textAlign: cell?.['type'] === 'raw_number' ? 'right' : 'left',
  whiteSpace: 'nowrap',
})

/** Sorts by a column's head, and shows one page of rows. */
export function DataTable({ block }: { readonly block: Json }) {
  const [order, setOrder] = useState<Order | undefined>(undefined)
  const [page, setPage] = useState(0)
  const [head = [], ...rows] = readRows(block)
  const size = asNumber(block['page_size']) ?? 5
  const first = page * size
  const listed = order ? sortRows(rows, order) : rows
  const sort = (column: number) => {
    setOrder({ column, isDescending: order?.column === column && !order.isDescending })
    setPage(0)
  }
  const direction = (column: number) => {
    if (order?.column !== column) return 'none'
    return order.isDescending ? 'descending' : 'ascending'
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="data table card" role="group" tabIndex={0} aria-label={asText(block['caption'])}>
      <table>
        <caption>{asText(block['caption'])}</caption>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th
                key={`${column}`}
                scope="col"
                aria-sort={direction(column)}
                style={cellStyle(rows[0]?.[column])}
              >
                <button type="button" onClick={() => sort(column)}>
                  {asText(cell['text'])}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.slice(first, first + size).map((row, index) => (
            <tr key={`${index}`}>
              {row.map((cell, column) => {
                const Tag = column === 0 ? 'th' : 'td'
                return (
                  <Tag key={`${column}`} scope={column === 0 ? 'row' : undefined} style={cellStyle(cell)}>
                    {asText(cell['text'])}
                  </Tag>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > size && (
        <div class="row note">
          <button
            type="button"
            class="button bk-button"
            disabled={page === 0}
            onClick={() => setPage(page - 1)}
          >
            Previous rows
          </button>
          {first + 1}–{Math.min(first + size, rows.length)} of {rows.length}
          <button
            type="button"
            class="button bk-button"
            disabled={first + size >= rows.length}
            onClick={() => setPage(page + 1)}
          >
            Next rows
          </button>
        </div>
      )}
    </div>
  )
}
