import { type Block, boldCell, cell, cut, escapeText, richLink, section } from '../../slack/blocks/blocks.ts'
import { columns, isLoud, type Row, type Rows } from './columns.ts'

/** A longer value from the service is cut, so that 20 rows fit a message; shorter, where they still do not. */
export const CELL_LENGTHS = { usual: 40, short: 20, shortest: 10 } as const

/** @param form.isRich recordings are links, where they can be, and what was missed is bold; a long table is too long with it */
export function callsTable(
  { query, rows, shown }: Rows,
  nonce: string,
  { isRich = false, cellLength = CELL_LENGTHS.usual }: { isRich?: boolean; cellLength?: number } = {},
): Block {
  const columnsShown = shown.flatMap((index) => columns[index] ?? [])
  const cellOf = ({ texts, links }: Row, index: number) => {
    const [text = '', link] = [texts[index], links[index]]
    if (isRich && link) return richLink(link.text, link.url)
    return isRich && isLoud(text) ? boldCell(text) : cell(text, cellLength)
  }
  const head = columnsShown.map(({ title }) => cell(typeof title === 'string' ? title : title(query)))
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: columnsShown.map(({ align }) => ({ align })),
    rows: [head, ...rows.map((row) => shown.map((index) => cellOf(row, index)))],
  }
}

/** What a row has to say, escaped, by the places of its columns. */
function lineOf(
  { texts }: Row,
  places: readonly number[],
  cellLength: number,
  wordsOf = (escaped: string, _place: number): string => escaped,
): string {
  return places
    .filter((place) => texts[place])
    .map((place) => wordsOf(escapeText(cut(texts[place] ?? '', cellLength)), place))
    .join(' · ')
}

/** The rows for a notification and for who has the message read out: a line each, of what matters most. */
export function callsInShort({ rows, shown }: Rows): string[] {
  const essential = shown.filter((index) => columns[index]?.isEssential === true)
  return rows.map((row) => lineOf(row, essential, CELL_LENGTHS.short))
}

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines({ rows, shown }: Rows, cellLength: number = CELL_LENGTHS.usual): Block[] {
  const wordsOf = (escaped: string, place: number) => columns[place]?.line?.(escaped) ?? escaped
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map((row) => lineOf(row, shown, cellLength, wordsOf)).join('\n')))
}
