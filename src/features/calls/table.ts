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
  /** Plain text; a value that was not understood as it came. Empty where the call has none. */
  text(call: Call, rows: Rows): string
  /** Where its text leads to. */
  link?(call: Call, rows: Rows): { readonly text: string; readonly url: string } | undefined
}

/** A longer value from the service is cut, so that 20 rows fit Slack's limit for a table. */
const CELL_LENGTH = 40

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
  { title: 'Time', align: 'left', text: ({ at }, { zone }) => orRaw(at, (time) => wallTime(zone, time)) },
  { title: 'Number', align: 'left', text: ({ number }) => number },
  { title: 'Duration', align: 'right', text: ({ seconds }) => orRaw(seconds, duration) },
  { title: 'Status', align: 'left', text: ({ status }) => orRaw(status, capital) },
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

/** @param withLinks a recording is a link, where it can be; a long table is too long with them */
export function callsTable(rows: Rows, nonce: string, withLinks: boolean): Block {
  const cellOf = (column: Column, call: Call) => {
    const link = withLinks ? column.link?.(call, rows) : undefined
    return link ? richLink(link.text, link.url) : cell(column.text(call, rows), CELL_LENGTH)
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

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines(rows: Rows): Block[] {
  const { calls } = rows
  const line = (call: Call) =>
    columns
      .map((column) => column.text(call, rows))
      .filter((text) => text !== '')
      .map((text) => escapeText(cut(text, CELL_LENGTH)))
      .join(' · ')
  const half = Math.ceil(calls.length / 2)
  return [calls.slice(0, half), calls.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map(line).join('\n')))
}
