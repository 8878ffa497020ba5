import { cell, LIMITS, linkCell, type TableCell } from '../../slack/blocks/blocks.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call, Raw } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from './summary.ts'

/** What a cell is made with, beside its call. */
export interface CellContext {
  readonly zone: Zone
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
}

interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
  /** Plain text; a value that was not understood as it came. Empty where the call has none. */
  text(call: Call, context: CellContext): string
  /** Where its text leads to. */
  link?(call: Call, context: CellContext): { readonly text: string; readonly url: string } | undefined
}

/** A longer value from the service is cut, so that 20 rows fit Slack's limit for a table. */
export const CELL_LENGTH = 40

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'raw' in value

const orRaw = <T>(value: T | Raw, text: (value: T) => string): string =>
  isRaw(value) ? value.raw : text(value)

/** `HH:MM:SS` */
function duration(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** The columns of a list of calls, from the left. */
export const columns: readonly Column[] = [
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

export function cellOf(column: Column, call: Call, context: CellContext, withLinks: boolean): TableCell {
  const link = withLinks ? column.link?.(call, context) : undefined
  return link ? linkCell(link.text, link.url) : cell(column.text(call, context), CELL_LENGTH)
}
