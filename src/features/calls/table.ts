import { type Block, cell, cut, escapeText, LIMITS, richLink, section } from '../../slack/blocks/blocks.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call, Raw } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from './summary.ts'

/** What the cells of a page are made with. */
interface Setting {
  readonly zone: Zone
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
}

interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
  /** Whether it is read out with a row in short. */
  readonly isEssential?: boolean
  /** Plain text; a value that was not understood as it came. Empty where the call has none. */
  text(call: Call, setting: Setting): string
  /** Where its text leads to. */
  link?(call: Call, setting: Setting): { readonly text: string; readonly url: string } | undefined
}

/** A longer value from the service is cut, so that 20 rows fit a message; shorter, where they still do not. */
export const CELL_LENGTHS = { usual: 40, short: 20, shortest: 10 } as const

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'raw' in value

const orRaw = <T>(value: T | Raw, text: (value: T) => string): string =>
  isRaw(value) ? value.raw : text(value)

/** `HH:MM:SS` */
function duration(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** The columns of a list of calls, from the left. */
const columns: readonly Column[] = [
  {
    title: 'Time',
    align: 'left',
    isEssential: true,
    text: ({ at }, { zone }) => orRaw(at, (time) => wallTime(zone, time)),
  },
  { title: 'Number', align: 'left', isEssential: true, text: ({ number }) => number },
  { title: 'Duration', align: 'right', text: ({ seconds }) => orRaw(seconds, duration) },
  {
    title: 'Status',
    align: 'left',
    isEssential: true,
    text: ({ status }) => orRaw(status, capital),
  },
  { title: 'Cost', align: 'right', text: ({ cost }) => orRaw(cost, (text) => text) },
  {
    title: 'Recording',
    align: 'left',
    text: ({ recording }) => (recording === undefined ? '' : orRaw(recording, () => 'Yes')),
    link({ recording }, { recordingsBaseUrl }) {
      if (recordingsBaseUrl === undefined || typeof recording !== 'string') return undefined
      const url = recordingUrl(recordingsBaseUrl, recording)
      return url.length <= LIMITS.url ? { text: 'Listen', url } : undefined
    },
  },
]

/** A call in words: what stands under each column, whole, and where it leads to. */
interface Row {
  readonly texts: readonly string[]
  readonly links: readonly ReturnType<NonNullable<Column['link']>>[]
}

/** The rows of a page, in words: once, for the table and for what is read out. */
export const rowsOf = (calls: readonly Call[], setting: Setting): readonly Row[] =>
  calls.map((call) => ({
    texts: columns.map((column) => column.text(call, setting)),
    links: columns.map((column) => column.link?.(call, setting)),
  }))

/** @param form.withLinks a recording is a link, where it can be; a long table is too long with them */
export function callsTable(
  rows: readonly Row[],
  nonce: string,
  { withLinks = false, cellLength = CELL_LENGTHS.usual }: { withLinks?: boolean; cellLength?: number } = {},
): Block {
  const cellsOf = ({ texts, links }: Row) =>
    texts.map((text, index) => {
      const link = withLinks ? links[index] : undefined
      return link ? richLink(link.text, link.url) : cell(text, cellLength)
    })
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: columns.map(({ align }) => ({ align })),
    rows: [columns.map(({ title }) => cell(title)), ...rows.map(cellsOf)],
  }
}

function lineOf({ texts }: Row, cellLength: number, isShown = (_column: Column | undefined) => true): string {
  return texts
    .filter((text, index) => text !== '' && isShown(columns[index]))
    .map((text) => escapeText(cut(text, cellLength)))
    .join(' · ')
}

/** The rows for a notification and for who has the message read out: a line each, of what matters most. */
export const callsInShort = (rows: readonly Row[]): string[] =>
  rows.map((row) => lineOf(row, CELL_LENGTHS.short, (column) => column?.isEssential === true))

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines(rows: readonly Row[], cellLength: number = CELL_LENGTHS.usual): Block[] {
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map((row) => lineOf(row, cellLength)).join('\n')))
}
