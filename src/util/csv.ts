import { pipeline } from 'node:stream/promises'

export interface CsvColumn<Row, Setting> {
  readonly title: string
  text(row: Row, setting: Setting): string
}

/**
 * What a spreadsheet would take for a formula begins so, behind spaces and what nobody sees:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^([\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u
/** Of these, no spreadsheet makes anything else: a phone number (not with dashes, which would be a sum), and a number. */
const harmless = /^ *(\+\d[\d ]*|-\d+(\.\d+)?)$/

/** A cell that no spreadsheet takes for a formula, or for several where semicolons divide cells. */
export const safeCell = (text: string): string =>
  text
    .split(';')
    .map((part) => (formula.test(part) && !harmless.test(part) ? `'${part}` : part))
    .join(';')

export async function* csvRows<Row, Setting>(
  columns: readonly CsvColumn<Row, Setting>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  setting: Setting,
): AsyncGenerator<readonly string[], void> {
  yield columns.map(({ title }) => title)
  for await (const row of rows) yield columns.map((column) => safeCell(column.text(row, setting)))
}

/**
 * Writes a CSV file (RFC 4180) that spreadsheets open as it is: UTF-8 with a byte-order mark. However many rows there are, a
 * few are held at a time. @throws whatever the rows and the file throw, and the signal's reason
 */
export async function writeCsv(
  rows: AsyncIterable<readonly string[]>,
  append: (chunk: Uint8Array) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  // Loaded where it is used: few ask for it, and every start would wait for it.
  const { stringify } = await import('csv-stringify')
  // A line break of either kind has to be quoted; by itself it quotes those of the file's own kind.
  const csv = stringify({ bom: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  const write = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await append(chunk)
  }
  await pipeline(rows, csv, write, { signal })
}
