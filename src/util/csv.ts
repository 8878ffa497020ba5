import { pipeline } from 'node:stream/promises'

export interface CsvColumn<Row, Setting> {
  readonly title: string
  text(row: Row, setting: Setting): string
}

/** Starts of formulas in spreadsheets, https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^([\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u
/** Phone numbers and negative numbers. A phone number with dashes would be a sum. */
const HARMLESS = /^ *(\+\d[\d ]*|-\d+(\.\d+)?)$/

/** Quotes formulas, also after a semicolon, which divides cells in some languages. */
export const safeCell = (text: string): string =>
  text
    .split(';')
    .map((part) => (FORMULA.test(part) && !HARMLESS.test(part) ? `'${part}` : part))
    .join(';')

export async function* csvRows<Row, Setting>(
  columns: readonly CsvColumn<Row, Setting>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  setting: Setting,
): AsyncGenerator<readonly string[], void> {
  yield columns.map(({ title }) => title)
  for await (const row of rows) yield columns.map((column) => safeCell(column.text(row, setting)))
}

/** Streams a CSV file (RFC 4180) in UTF-8 with a byte-order mark, which spreadsheets expect. @throws the signal's reason */
export async function writeCsv(
  rows: AsyncIterable<readonly string[]>,
  append: (chunk: Uint8Array) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  // Loaded here, because every start would wait for it.
  const { stringify } = await import('csv-stringify')
  // By default, it only quotes line breaks that are the file's own delimiter.
  const csv = stringify({ bom: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  const write = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await append(chunk)
  }
  await pipeline(rows, csv, write, { signal })
}
