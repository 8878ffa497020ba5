import { pipeline } from 'node:stream/promises'
import { isRaw, orRaw } from '../../../telephony/raw.ts'
import type { Call } from '../../../telephony/types.ts'
import type { Zone } from '../../../time/types.ts'
import { offsetAt, utcText, wallTime } from '../../../time/zones.ts'
import { resultLabel } from '../summary.ts'

interface Setting {
  readonly zone: Zone
  /** What one of the company's own numbers is called; `undefined` where it has no name. */
  readonly lineName: (number: string) => string | undefined
}

/** What a spreadsheet would take for a formula begins so: https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** Of these, no spreadsheet makes anything else: a phone number (not with dashes, which would be a sum), and a number. */
const harmless = /^(\+\d[\d ]*|-\d+(\.\d+)?)$/

/** A cell that no spreadsheet takes for a formula. */
export const safeCell = (text: string): string =>
  formula.test(text) && !harmless.test(text) ? `'${text}` : text

const columns: readonly (readonly [title: string, text: (call: Call, setting: Setting) => string])[] = [
  ['Direction', ({ direction }) => direction],
  ['Time', ({ at }, { zone }) => orRaw(at, (time) => `${wallTime(zone, time)} ${offsetAt(zone, time)}`)],
  ['Time (UTC)', ({ at }) => (isRaw(at) ? '' : utcText(at.getTime()))],
  ['Number', ({ number }) => number],
  // The company's own: of an outgoing call the service doesn't tell it.
  [
    'Line',
    ({ direction, number }, { lineName }) => (direction === 'incoming' ? (lineName(number) ?? number) : ''),
  ],
  ['Seconds', ({ seconds }) => orRaw(seconds, String)],
  ['Status', ({ direction, status }) => orRaw(status, (known) => resultLabel(direction, known))],
  ['Answered', ({ answered = '' }) => answered],
  ['Cost', ({ cost }) => orRaw(cost, (known) => known)],
  ['Recording', ({ recording }) => (recording === undefined ? 'No' : 'Yes')],
  ['ID', ({ id }) => id],
]

export const csvHead: readonly string[] = columns.map(([title]) => title)

/** A call as a row, under the head. */
export const csvRow = (call: Call, setting: Setting): readonly string[] =>
  columns.map(([, text]) => safeCell(text(call, setting)))

async function* rowsOf(
  calls: AsyncIterable<Call>,
  setting: Setting,
): AsyncGenerator<readonly string[], void> {
  yield csvHead
  for await (const call of calls) yield csvRow(call, setting)
}

/**
 * Writes calls as a CSV file (RFC 4180) that spreadsheets open as it is: UTF-8 with a byte-order mark. However many there
 * are, a few are held at a time. @throws whatever `calls` and the file throw, and the signal's reason
 */
export async function writeCsv(
  calls: AsyncIterable<Call>,
  setting: Setting,
  { append, signal }: { append(chunk: Uint8Array): Promise<void>; readonly signal: AbortSignal },
): Promise<void> {
  // Loaded where it is used: few ask for it, and every start would wait for it.
  const { stringify } = await import('csv-stringify')
  // A line break of either kind has to be quoted; by itself it quotes those of the file's own kind.
  const csv = stringify({ bom: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  const write = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await append(chunk)
  }
  await pipeline(rowsOf(calls, setting), csv, write, { signal })
}
