import { closestMatch } from 'leven'

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** `2,544`. `Intl.NumberFormat` would take longer than rendering the rest of a table. */
export const formatNumber = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const countNoun = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** `A`, `A and B`, `A, B and C`; with `max: 2`, `A, B and 3 more`. */
export function joinNames(
  names: readonly string[],
  { max = names.length, conjunction = 'and' }: { max?: number; conjunction?: 'and' | 'or' } = {},
): string {
  const more = names.length - max
  const all = more > 0 ? [...names.slice(0, max), `${more} more`] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${conjunction} ${all.at(-1)}`
}

const MAX_WORD_LENGTH = 40

/** Compares words with the same first letter, where typos are rare. @param candidates in lower case */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined
  const lower = word.toLowerCase()
  const sameInitial = candidates.filter((candidate) => candidate.startsWith(lower.slice(0, 1)))
  return closestMatch(lower, sameInitial, { maxDistance: word.length < 4 ? 1 : 2 })
}

const nameWords = (name: string) => name.toLowerCase().split(/[\s-]+/)

/** Returns items with this name, otherwise those whose names contain all of its words. */
export function matchNames<T extends { name: string }>(items: readonly T[], text: string): readonly T[] {
  const lower = text.trim().toLowerCase()
  const exact = items.filter(({ name }) => name.trim().toLowerCase() === lower)
  if (exact.length > 0 || lower === '') return exact
  const words = [...new Set(nameWords(lower))]
  return items.filter(({ name }) => {
    const itemWords = nameWords(name)
    return words.every((word) => itemWords.includes(word))
  })
}

export interface CsvColumn<Row, Setting> {
  readonly title: string
  text(row: Row, setting: Setting): string
}

/** See https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^([\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u
/** Phone numbers and negative numbers. A phone number with dashes would be a sum. */
const HARMLESS = /^ *(\+\d[\d ]*|-\d+(\.\d+)?)$/

/** Quotes formulas. A semicolon divides cells in some languages. */
export const safeCell = (text: string): string =>
  text
    .split(';')
    .map((part) => (FORMULA.test(part) && !HARMLESS.test(part) ? `'${part}` : part))
    .join(';')

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
