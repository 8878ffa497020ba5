import { isOneDay } from '../../grammar/sentences.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/table.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, orRaw } from '../../telephony/types.ts'
import { recordingUrl } from '../../telephony/wire.ts'
import { shortDayLabel } from '../../time/days.ts'
import { lengthText } from '../../time/labels.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'
import type { ListQuery } from './query.ts'
import { formatResult, resultLabel } from './words.ts'

interface ListContext {
  readonly query: ListQuery
  readonly zone: Zone
  readonly today: LocalDay
  /** Base of relative recording paths; without it a recording is shown as present. */
  readonly recordingsBaseUrl: string | undefined
  readonly lines: LineNames
}

interface CellContext extends ListContext {
  readonly numberTitle: string
}

/** `20 Nov 19:33`, with the year if it isn't this one; `19:33` in a list of one day. */
function formatCallTime(at: Date, { query, zone, today }: CellContext): string {
  const shown = wallTime(zone, at)
  const clock = shown.slice(11, 16)
  const isThatDay = isOneDay(query) && shown.startsWith(query.from ?? '')
  return isThatDay ? clock : `${shortDayLabel(shown, today)} ${clock}`
}

/** Incoming records hold the company's own number, not the caller's. */
const NUMBER_TITLES = { incoming: 'Number called', outgoing: 'Number dialled', both: 'Number' } as const

/** Columns of a list, most important first: phones show three. */
const listColumns: readonly Column<Call, CellContext>[] = [
  {
    title: 'Time',
    align: 'left',
    isEssential: true,
    text: ({ at }, context) => orRaw(at, (instant) => formatCallTime(instant, context)),
  },
  {
    title: 'Result',
    align: 'left',
    isEssential: true,
    text: formatResult,
    isLoud: (text) => text === resultLabel('incoming', 'missed'),
  },
  {
    title: ({ numberTitle }) => numberTitle,
    align: 'left',
    isEssential: true,
    text: ({ direction, number }, { lines }) =>
      direction === 'incoming' ? lines.labelOf(number) : lines.write(number),
  },
  {
    title: 'Direction',
    align: 'left',
    isEssential: true,
    text: ({ direction }, { query }) => (query.direction === 'both' ? capital(direction) : ''),
  },
  {
    title: 'Length',
    align: 'right',
    text: ({ seconds }) => orRaw(seconds, (known) => (known === 0 ? '' : lengthText(known))),
  },
  {
    title: 'Cost',
    align: 'right',
    // The service's own decimal, but nothing for zero, however it is written.
    text: ({ cost }) => orRaw(cost, (known) => (/^[-+]?[0.]*$/.test(known) ? '' : known)),
  },
  {
    title: 'Recording',
    align: 'left',
    text: ({ recording }) => (recording === undefined ? '' : orRaw(recording, () => 'Yes')),
    inLine: (text) => (text === 'Yes' ? 'recorded' : text),
    link({ recording }, { recordingsBaseUrl }) {
      if (recordingsBaseUrl === undefined || typeof recording !== 'string') return undefined
      const url = recordingUrl(recordingsBaseUrl, recording)
      return url.length <= LIMITS.url ? { text: 'Listen', url } : undefined
    },
  },
]

export function callsTable(calls: readonly Call[], context: ListContext): Table {
  const { query, lines } = context
  const hasLineNames = calls.some(
    ({ direction, number }) => direction === 'incoming' && lines.nameOf(number) !== undefined,
  )
  const numberTitle = hasLineNames ? 'Line' : NUMBER_TITLES[query.direction]
  return fillTable(listColumns, calls, { ...context, numberTitle })
}
