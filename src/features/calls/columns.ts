import { isOneDay } from '../../grammar/sentences.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { readDigits } from '../../telephony/match-number.ts'
import { orRaw } from '../../telephony/raw.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call } from '../../telephony/types.ts'
import { shortDayLabel } from '../../time/days.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { directionsOf, type ListQuery } from './query.ts'
import { resultLabel } from './summary.ts'

/** What the cells of a page are made with. */
interface Setting {
  readonly query: ListQuery
  readonly zone: Zone
  /** The day where the list is read. */
  readonly today: LocalDay
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
  /** What the account's own numbers are called. */
  readonly lines: LineNames
}

interface Column {
  readonly title: string | ((query: ListQuery) => string)
  readonly align: 'left' | 'right'
  /** Whether it is read out with a row in short. */
  readonly isEssential?: boolean
  /** Plain text; a value that was not understood as it came. Empty where the call has none. */
  text(call: Call, setting: Setting): string
  /** Where its text leads to. */
  link?(call: Call, setting: Setting): { readonly text: string; readonly url: string } | undefined
  /** The text, in mrkdwn, in a line that has no head above it. @param escaped its text */
  line?(escaped: string): string
  /** Whether it says nothing in this list, for what the query asks for. */
  isSilent?(texts: readonly string[], query: ListQuery): boolean
}

/** `1:28`, `2:15:20`; nothing for none. */
function lengthText(seconds: number): string {
  if (seconds === 0) return ''
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** `20 Nov 19:33`, with the year where it isn't this one; `19:33` in a list of that day alone. */
function timeText(at: Date, { query, zone, today }: Setting): string {
  const shown = wallTime(zone, at)
  const clock = shown.slice(11, 16)
  const isOfThatDay = isOneDay(query) && shown.startsWith(query.from ?? '')
  return isOfThatDay ? clock : `${shortDayLabel(shown, today)} ${clock}`
}

/** Nothing for a cost of zero, however the service writes it; otherwise the service's own decimal. */
const costText = (cost: string) => (/^[-+]?[0.]*$/.test(cost) ? '' : cost)

const isEmptyOfMissed = (texts: readonly string[], { status }: ListQuery) =>
  status === 'missed' && texts.every((text) => text === '')

/** What stands out among the results. */
export const isLoud = (text: string) => text === resultLabel('incoming', 'missed')

/** An incoming record holds the company's own number, not the caller's. */
const numberTitles = { incoming: 'Number called', outgoing: 'Number dialled', both: 'Number' } as const

/** The columns of a list of calls, from the left: what is most wanted first, since a phone shows three. */
export const columns: readonly Column[] = [
  {
    title: 'Time',
    align: 'left',
    isEssential: true,
    text: ({ at }, setting) => orRaw(at, (time) => timeText(time, setting)),
  },
  {
    title: 'Result',
    align: 'left',
    isEssential: true,
    text: ({ direction, status }) => orRaw(status, (known) => resultLabel(direction, known)),
    line: (escaped) => (isLoud(escaped) ? `*${escaped}*` : escaped),
    isSilent: (texts, query) =>
      texts.every((text) =>
        directionsOf(query).every(
          (direction) => query.status !== undefined && text === resultLabel(direction, query.status),
        ),
      ),
  },
  {
    title: ({ direction }) => numberTitles[direction],
    align: 'left',
    isEssential: true,
    text: ({ direction, number }, { lines }) => (direction === 'incoming' ? lines.labelOf(number) : number),
    isSilent: (texts, { number }) =>
      number !== undefined && texts.every((text) => readDigits(text) === number),
  },
  {
    title: 'Direction',
    align: 'left',
    isEssential: true,
    text: ({ direction }) => (direction === 'incoming' ? 'Incoming' : 'Outgoing'),
    isSilent: (_, { direction }) => direction !== 'both',
  },
  {
    title: 'Length',
    align: 'right',
    text: ({ seconds }) => orRaw(seconds, lengthText),
    isSilent: isEmptyOfMissed,
  },
  {
    title: 'Cost',
    align: 'right',
    text: ({ cost }) => orRaw(cost, costText),
    isSilent: isEmptyOfMissed,
  },
  {
    title: 'Recording',
    align: 'left',
    text: ({ recording }) => (recording === undefined ? '' : orRaw(recording, () => 'Yes')),
    line: (escaped) => (escaped === 'Yes' ? 'recorded' : escaped),
    link({ recording }, { recordingsBaseUrl }) {
      if (recordingsBaseUrl === undefined || typeof recording !== 'string') return undefined
      const url = recordingUrl(recordingsBaseUrl, recording)
      return url.length <= LIMITS.url ? { text: 'Listen', url } : undefined
    },
    isSilent: isEmptyOfMissed,
  },
]

/** A call in words: what stands under each column, whole, and where it leads to. */
export interface Row {
  readonly texts: readonly string[]
  readonly links: readonly ReturnType<NonNullable<Column['link']>>[]
}

/** A page in words: once, for the table and for what is read out. */
export interface Rows {
  readonly query: ListQuery
  readonly rows: readonly Row[]
  /** The places of the columns that say something here. */
  readonly shown: readonly number[]
}

export function rowsOf(calls: readonly Call[], setting: Setting): Rows {
  const rows = calls.map((call) => ({
    texts: columns.map((column) => column.text(call, setting)),
    links: columns.map((column) => column.link?.(call, setting)),
  }))
  const { query } = setting
  const isShown = ({ isSilent }: Column, index: number) =>
    !isSilent?.(
      rows.map(({ texts }) => texts[index] ?? ''),
      query,
    )
  const shown = columns.flatMap((column, index) => (isShown(column, index) ? [index] : []))
  return { query, rows, shown }
}
