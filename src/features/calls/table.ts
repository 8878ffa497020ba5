import {
  type Block,
  boldCell,
  cell,
  cut,
  escapeText,
  LIMITS,
  richLink,
  section,
} from '../../slack/blocks/blocks.ts'
import { recordingUrl } from '../../telephony/recordings.ts'
import type { Call, Raw } from '../../telephony/types.ts'
import { shortDayLabel } from '../../time/days.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { localDay, wallTime } from '../../time/zones.ts'
import type { ListQuery } from './query.ts'
import { isOneDay, resultLabel } from './summary.ts'

/** What the cells of a page are made with. */
interface Setting {
  readonly query: ListQuery
  readonly zone: Zone
  /** The day where the list is read. */
  readonly today: LocalDay
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
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
  /** Whether it says nothing in this list, for what the query asks for. */
  isSilent?(texts: readonly string[], query: ListQuery): boolean
}

/** A longer value from the service is cut, so that 20 rows fit a message; shorter, where they still do not. */
export const CELL_LENGTHS = { usual: 40, short: 20, shortest: 10 } as const

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'raw' in value

const orRaw = <T>(value: T | Raw, text: (value: T) => string): string =>
  isRaw(value) ? value.raw : text(value)

/** `1:28`, `2:15:20`; nothing for none. */
function lengthText(seconds: number): string {
  if (seconds === 0) return ''
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** `20 Nov 19:33`, with the year where it isn't this one; `19:33` in a list of that day alone. */
function timeText(at: Date, { query, zone, today }: Setting): string {
  const day = localDay(zone, at)
  const clock = wallTime(zone, at).slice(11, 16)
  return isOneDay(query) && query.from === day ? clock : `${shortDayLabel(day, today)} ${clock}`
}

/** Nothing for a cost of zero, however the service writes it; otherwise the service's own decimal. */
const costText = (cost: string) => (/^[-+]?[0.]*$/.test(cost) ? '' : cost)

const isEmptyOfMissed = (texts: readonly string[], { status }: ListQuery) =>
  status === 'missed' && texts.every((text) => text === '')

/** The columns of a list of calls, from the left: what is most wanted first, since a phone shows three. */
const columns: readonly Column[] = [
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
    isSilent: (texts, { direction, status }) =>
      status !== undefined && texts.every((text) => text === resultLabel(direction, status)),
  },
  {
    // An incoming record holds the company's own number, not the caller's.
    title: ({ direction }) => (direction === 'incoming' ? 'Number called' : 'Number dialled'),
    align: 'left',
    isEssential: true,
    text: ({ number }) => number,
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
    link({ recording }, { recordingsBaseUrl }) {
      if (recordingsBaseUrl === undefined || typeof recording !== 'string') return undefined
      const url = recordingUrl(recordingsBaseUrl, recording)
      return url.length <= LIMITS.url ? { text: 'Listen', url } : undefined
    },
    isSilent: isEmptyOfMissed,
  },
]

/** A call in words: what stands under each column, whole, and where it leads to. */
interface Row {
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

/** What stands out among the results. */
const isLoud = (text: string) => text === resultLabel('incoming', 'missed')

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

const lineOf = ({ texts }: Row, shown: readonly number[], cellLength: number): string =>
  shown
    .flatMap((index) => texts[index] || [])
    .map((text) => escapeText(cut(text, cellLength)))
    .join(' · ')

/** The rows for a notification and for who has the message read out: a line each, of what matters most. */
export function callsInShort({ rows, shown }: Rows): string[] {
  const essential = shown.filter((index) => columns[index]?.isEssential === true)
  return rows.map((row) => lineOf(row, essential, CELL_LENGTHS.short))
}

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines({ rows, shown }: Rows, cellLength: number = CELL_LENGTHS.usual): Block[] {
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map((row) => lineOf(row, shown, cellLength)).join('\n')))
}
