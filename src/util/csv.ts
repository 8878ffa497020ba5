export interface CsvColumn<Row, Setting> {
  readonly title: string
  text(row: Row, setting: Setting): string
}

/** See https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^([\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u
/** Phone numbers with spaces and negative numbers. A phone number with dashes would be a sum. */
const HARMLESS = /^ *(\+\d[\d ]*|-\d+(\.\d+)?)$/
/** Digits that spreadsheets would change: `+493023125042` to 4.93E+11, `02079460042` to 2079460042. */
const CHANGED_DIGITS = /^ *(\+\d+|0\d+|\d{12,}) *$/
/** Programs that don't follow RFC 4180, and those of other languages, divide cells there. */
const CELL_ENDS = /([;,|\t\r\n\v\f\u0085\u2028\u2029])/

const safePart = (part: string): string =>
  FORMULA.test(part) && !HARMLESS.test(part) && !CELL_ENDS.test(part) ? `'${part}` : part

/** Quotes formulas, and digits that are no amount. */
export function safeCell(text: string): string {
  if (CHANGED_DIGITS.test(text)) return `'${text}`
  // A tab at the start doesn't end a cell, but a line break does.
  const indent = /^[^\S\r\n]*/.exec(text)?.[0] ?? ''
  const [start = '', ...parts] = text.slice(indent.length).split(CELL_ENDS)
  const first = `${indent}${start}`
  // All of the text, because a formula may begin after a line break.
  const safeFirst = FORMULA.test(text) && !HARMLESS.test(first) ? `'${first}` : first
  return [safeFirst, ...parts.map(safePart)].join('')
}

const quoteCell = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const toCsvLine = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`

const CSV_CHUNK_LENGTH = 64 * 1024

/** Follows RFC 4180. Spreadsheets expect the byte-order mark. */
export async function* csvChunks<Row, Setting>(
  columns: readonly CsvColumn<Row, Setting>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  setting: Setting,
): AsyncGenerator<Buffer, void> {
  let text = `\uFEFF${toCsvLine(columns.map(({ title }) => title))}`
  for await (const row of rows) {
    text += toCsvLine(columns.map((column) => safeCell(column.text(row, setting))))
    if (text.length < CSV_CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
