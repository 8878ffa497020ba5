import type { LineNames } from '../../telephony/lines.ts'
import { type Call, isRaw, orRaw } from '../../telephony/types.ts'
import { localDay, offsetAt, utcText, wallTime, type Zone } from '../../time/zones.ts'
import { type CsvColumn, csvRows, writeCsv } from '../../util/csv.ts'
import type { ListQuery } from '../calls/query.ts'
import { formatResult, getAgentText } from '../calls/words.ts'
import { ExportLimitError } from './limits.ts'

interface FileContext {
  readonly zone: Zone
  /** Returns the name of one of the account's own numbers. */
  readonly lineName: (number: string) => string | undefined
  /** Returns the name of the agent with this login. */
  readonly agentName: (login: string) => string | undefined
}

export const fileColumns: readonly CsvColumn<Call, FileContext>[] = [
  { title: 'Direction', text: ({ direction }) => direction },
  {
    title: 'Time',
    // Spreadsheets read a time only without its offset.
    text: ({ at }, { zone }) => orRaw(at, (instant) => wallTime(zone, instant)),
  },
  {
    title: 'UTC offset',
    // Without its letters, a spreadsheet would read it as a time.
    text: ({ at }, { zone }) => (isRaw(at) ? '' : `UTC${offsetAt(zone, at)}`),
  },
  { title: 'Time (UTC)', text: ({ at }) => (isRaw(at) ? '' : utcText(at.getTime())) },
  { title: 'Number', text: ({ number }) => number },
  {
    title: 'Line',
    // The service doesn't tell the line of an outgoing call.
    text: ({ direction, number }, { lineName }) =>
      direction === 'incoming' ? (lineName(number) ?? number) : '',
  },
  { title: 'Seconds', text: ({ seconds }) => orRaw(seconds, String) },
  { title: 'Status', text: formatResult },
  { title: 'Answered', text: ({ answered = '' }, { agentName }) => agentName(answered) ?? answered },
  { title: 'Cost', text: ({ cost }) => orRaw(cost, (known) => known) },
  { title: 'Recording', text: ({ recording }) => (recording === undefined ? 'No' : 'Yes') },
  { title: 'ID', text: ({ id }) => id },
]

/** Writes the calls as a CSV file in memory. @throws {ExportLimitError} if it takes more than `maxBytes` */
export async function createFile(
  calls: AsyncIterable<Call>,
  context: FileContext,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const append = (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ExportLimitError('too-large')
    chunks.push(chunk)
  }
  await writeCsv(csvRows(fileColumns, calls, context), append, signal)
  return Buffer.concat(chunks)
}

const MAX_FILE_NAME_LENGTH = 100

/** `missed-calls-anna-smith-2026-11-09-to-2026-11-15.csv` */
export function fileName(query: ListQuery, zone: Zone, now: Date, lines: LineNames): string {
  const { direction, status, number, from, to } = query
  const result = direction === 'outgoing' && status === 'missed' ? 'unanswered' : status
  const way = direction === 'both' || result === 'missed' ? undefined : direction
  const called = number === undefined ? undefined : (lines.getName(number) ?? number)
  const words = [result, way, 'calls', getAgentText(query), called]
    .filter((one) => one !== undefined)
    .join(' ')
  // Keeps letters of other scripts and removes marks: `Zoë Müller` becomes `zoe-muller`.
  const plain = words.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const what = plain
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_FILE_NAME_LENGTH)
    .replace(/-$/, '')
  const end = to ?? localDay(zone, now)
  const days = from === undefined ? `until-${end}` : from === end ? end : `${from}-to-${end}`
  return `${what}-${days}.csv`
}
