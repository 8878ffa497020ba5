export interface CsvColumn<Row, Context> {
  readonly title: string
  text(row: Row, context: Context): string
}

/** See https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]/u
/** Phone numbers with spaces and negative numbers. A phone number with dashes would be a sum. */
const HARMLESS = /^ *(\+\d[\d ]*|-\d+(\.\d+)?)$/
/** Digits that spreadsheets would change: `+493023125042` to 4.93E+11, `02079460042` to 2079460042. */
const CHANGED_DIGITS = /^ *(\+\d+|0\d+|\d{12,}) *$/
/** Separators in other locales, and in programs that don't follow RFC 4180. The group makes `split` keep them. */
const CELL_ENDS = /([;,|\t\r\n\v\f\u0085\u2028\u2029])/

const markFormula = (part: string) => (FORMULA.test(part) && !HARMLESS.test(part) ? `'${part}` : part)

/** Puts an apostrophe before formulas and before digits such as phone numbers, so that spreadsheets show them as text. */
export function toSafeCell(text: string): string {
  if (CHANGED_DIGITS.test(text)) return `'${text}`
  const marked = text.split(CELL_ENDS).map(markFormula).join('')
  // Spreadsheets drop a tab or line break at the start.
  return /^[\t\r\n]/.test(text) ? `'${marked}` : marked
}

const quoteCell = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const toCsvLine = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`

const CSV_CHUNK_LENGTH = 64 * 1024

/** Follows RFC 4180. Spreadsheets expect the byte-order mark. */
export async function* csvChunks<Row, Context>(
  columns: readonly CsvColumn<Row, Context>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  context: Context,
): AsyncGenerator<Buffer, void> {
  let text = `\uFEFF${toCsvLine(columns.map(({ title }) => title))}`
  for await (const row of rows) {
    text += toCsvLine(columns.map((column) => toSafeCell(column.text(row, context))))
    if (text.length >= CSV_CHUNK_LENGTH) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(text)
}
