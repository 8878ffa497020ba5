import {
  type Block,
  cell,
  cut,
  escapeText,
  linkCell,
  section,
  type TableCell,
} from '../../slack/blocks/blocks.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call, Raw } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from './summary.ts'

export interface Rows {
  readonly calls: readonly Call[]
  readonly zone: Zone
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
}

const columns = ['Time', 'Number', 'Duration', 'Status', 'Cost', 'Recording']
/** A longer value from the service is cut, so that 20 rows fit Slack's limit for a table. */
const cellLength = 40

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'raw' in value

/** `HH:MM:SS` */
function duration(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** One row, as plain text; a value that was not understood as it came. */
function texts(call: Call, zone: Zone): readonly string[] {
  return [
    isRaw(call.at) ? call.at.raw : wallTime(zone, call.at),
    call.number,
    isRaw(call.seconds) ? call.seconds.raw : duration(call.seconds),
    isRaw(call.status) ? call.status.raw : capital(call.status),
    isRaw(call.cost) ? call.cost.raw : call.cost,
    call.recording === undefined ? '' : isRaw(call.recording) ? call.recording.raw : 'Yes',
  ]
}

/** `undefined` where there is nothing to link to, or the address is too long for a link of Slack's. */
function recordingLink(call: Call, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || typeof call.recording !== 'string') return undefined
  const url = recordingUrl(baseUrl, call.recording)
  return url.length <= 3000 ? url : undefined
}

/** @param options.withLinks a recording is a link, where it can be; a long table is too long with them */
export function callsTable(
  { calls, zone, recordingsBaseUrl }: Rows,
  nonce: string,
  withLinks: boolean,
): Block {
  const row = (call: Call): TableCell[] => {
    const cells = texts(call, zone).map((text) => cell(text, cellLength))
    const url = withLinks ? recordingLink(call, recordingsBaseUrl) : undefined
    return url === undefined ? cells : [...cells.slice(0, -1), linkCell('Listen', url)]
  }
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: [
      { align: 'left' },
      { align: 'left' },
      { align: 'right' },
      { align: 'left' },
      { align: 'right' },
    ],
    rows: [columns.map((name) => cell(name)), ...calls.map(row)],
  }
}

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines({ calls, zone }: Rows): Block[] {
  const line = (call: Call) =>
    texts(call, zone)
      .filter((text) => text !== '')
      .map((text) => escapeText(cut(text, cellLength)))
      .join(' · ')
  const half = Math.ceil(calls.length / 2)
  return [calls.slice(0, half), calls.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map(line).join('\n')))
}
