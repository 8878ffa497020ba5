import { type Block, cell, cut, escapeText, LIMITS, richLink, section } from '../../slack/blocks/blocks.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call, Raw } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from './summary.ts'

/** The calls of a page, and what their cells are made with. */
export interface Rows {
  readonly calls: readonly Call[]
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
  text(call: Call, rows: Rows): string
  /** Where its text leads to. */
  link?(call: Call, rows: Rows): { readonly text: string; readonly url: string } | undefined
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

/** @param form.withLinks a recording is a link, where it can be; a long table is too long with them */
export function callsTable(
  rows: Rows,
  nonce: string,
  { withLinks = false, cellLength = CELL_LENGTHS.usual }: { withLinks?: boolean; cellLength?: number } = {},
): Block {
  const cellOf = (column: Column, call: Call) => {
    const link = withLinks ? column.link?.(call, rows) : undefined
    return link ? richLink(link.text, link.url) : cell(column.text(call, rows), cellLength)
  }
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: columns.map(({ align }) => ({ align })),
    rows: [
      columns.map(({ title }) => cell(title)),
      ...rows.calls.map((call) => columns.map((column) => cellOf(column, call))),
    ],
  }
}

function lineOf(call: Call, rows: Rows, shown: readonly Column[], cellLength: number): string {
  return shown
    .map((column) => column.text(call, rows))
    .filter((text) => text !== '')
    .map((text) => escapeText(cut(text, cellLength)))
    .join(' · ')
}

/** The rows for a notification and for who has the message read out: a line each, of what matters most. */
export function callsInShort(rows: Rows): string[] {
  const essential = columns.filter(({ isEssential }) => isEssential)
  return rows.calls.map((call) => lineOf(call, rows, essential, CELL_LENGTHS.short))
}

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines(rows: Rows, cellLength: number = CELL_LENGTHS.usual): Block[] {
  const { calls } = rows
  const line = (call: Call) => lineOf(call, rows, columns, cellLength)
  const half = Math.ceil(calls.length / 2)
  return [calls.slice(0, half), calls.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map(line).join('\n')))
}
