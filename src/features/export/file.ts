import { filtersText } from '../../query/filters/call-filters.ts'
import type { ListQuery } from '../../query/query.ts'
import { callsText, daysText, formatResult, withLineName } from '../../query/texts.ts'
import { type Attribution, getTaken, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, formatOrRaw, isRaw, ReadLimitError } from '../../telephony/types.ts'
import { localDateTime, localDay, utcText, type Zone } from '../../time/zones.ts'
import { type CsvColumn, csvChunks } from '../../util/csv.ts'
import { fold, takeStart } from '../../util/text.ts'

interface FileContext {
  readonly zone: Zone
  readonly lines: LineNames
  readonly agentNames: ReadonlyMap<string, string>
}

export interface ExportedCall extends Call {
  /** Set for missed calls that an alert posted. */
  readonly state?: MissedCallRecord | undefined
}

const formatMarkTime = (mark: Attribution | undefined, { zone }: FileContext): string =>
  mark === undefined ? '' : localDateTime(zone, new Date(mark.at))

const findTaker = ({ state }: ExportedCall): Attribution | undefined => state && getTaken(state)

const fileColumns: readonly CsvColumn<ExportedCall, FileContext>[] = [
  { title: 'Direction', text: ({ direction }) => direction },
  {
    title: 'Time',
    // Spreadsheets read a time only without its offset.
    text: ({ at }, { zone }) => formatOrRaw(at, (instant) => localDateTime(zone, instant)),
  },
  { title: 'Time (UTC)', text: ({ at }) => (isRaw(at) ? '' : utcText(at.getTime())) },
  // Digits are grouped, as in lists: spreadsheets read digits alone as an amount.
  { title: 'Number', text: ({ number }, { lines }) => lines.format(number) },
  {
    title: 'Line',
    // The service doesn't tell the line of an outgoing call.
    text: ({ direction, number }, { lines }) => (direction === 'incoming' ? lines.getLabel(number) : ''),
  },
  {
    title: 'Seconds',
    // Only answered calls count, so that the sum of the column is the talk time.
    text: ({ status, seconds }) => (status === 'answered' ? formatOrRaw(seconds, String) : '0'),
  },
  { title: 'Status', text: formatResult },
  {
    title: 'Answered by',
    text: ({ answered: login = '' }, { agentNames }) => agentNames.get(login) ?? login,
  },
  { title: 'Cost', text: ({ cost }) => formatOrRaw(cost, String) },
  { title: 'Recording', text: ({ recording }) => (recording === undefined ? 'No' : 'Yes') },
  { title: 'Taken by', text: (call) => findTaker(call)?.name ?? '' },
  { title: 'Taken at', text: (call, context) => formatMarkTime(findTaker(call), context) },
  { title: 'Done at', text: ({ state }, context) => formatMarkTime(state?.done, context) },
  { title: 'ID', text: ({ id }) => id },
]

/** @throws {ReadLimitError} if the file exceeds `maxBytes` */
export async function createCsv(calls: AsyncIterable<ExportedCall>, context: FileContext, maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of csvChunks(fileColumns, calls, context)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ReadLimitError('calls')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const MAX_FILE_NAME_LENGTH = 100

/** `missed-calls-9-15-nov-2026-for-anna-smith.csv`, `missed-calls-until-15-nov-2026.csv` */
export function formatFileName(query: ListQuery, zone: Zone, now: Date, lines: LineNames): string {
  const { from, to = localDay(zone, now) } = query
  const filters = filtersText(withLineName(query, lines))
  const subject = `${callsText(query)} ${daysText({ from, to })}${filters}`
  // Keeps letters of other scripts: `Zoë Müller` becomes `zoe-muller`. A cut may leave a dash at the end.
  const slug = fold(subject).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return `${takeStart(slug, MAX_FILE_NAME_LENGTH).replace(/-$/, '')}.csv`
}
