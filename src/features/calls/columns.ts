import { isOneDay } from '../../grammar/sentences.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/table.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { readDigits } from '../../telephony/numbers.ts'
import { type Call, orRaw } from '../../telephony/types.ts'
import { recordingUrl } from '../../telephony/wire.ts'
import { shortDayLabel } from '../../time/days.ts'
import { lengthText } from '../../time/labels.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'
import { directionsOf, type ListQuery } from './query.ts'
import { formatResult, resultLabel } from './words.ts'

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

/** `20 Nov 19:33`, with the year where it isn't this one; `19:33` in a list of that day alone. */
function timeText(at: Date, { query, zone, today }: Setting): string {
  const shown = wallTime(zone, at)
  const clock = shown.slice(11, 16)
  const isOfThatDay = isOneDay(query) && shown.startsWith(query.from ?? '')
  return isOfThatDay ? clock : `${shortDayLabel(shown, today)} ${clock}`
}

const isEmptyOfMissed = (texts: readonly string[], { query }: Setting) =>
  query.status === 'missed' && texts.every((text) => text === '')

/** An incoming record holds the company's own number, not the caller's. */
const numberTitles = { incoming: 'Number called', outgoing: 'Number dialled', both: 'Number' } as const

/** The columns of a list of calls, from the left: what is most wanted first, since a phone shows three. */
const listColumns: readonly Column<Call, Setting>[] = [
  {
    title: 'Time',
    align: 'left',
    isEssential: true,
    text: ({ at }, setting) => orRaw(at, (instant) => timeText(instant, setting)),
  },
  {
    title: 'Result',
    align: 'left',
    isEssential: true,
    text: formatResult,
    isLoud: (text) => text === resultLabel('incoming', 'missed'),
    isSilent: (texts, { query: { direction, status } }) =>
      status !== undefined &&
      texts.every((text) => directionsOf({ direction }).every((one) => text === resultLabel(one, status))),
  },
  {
    title: ({ query }) => numberTitles[query.direction],
    align: 'left',
    isEssential: true,
    // Of calls that were made, nearly each has another number, and writing one takes 30 µs: those that were looked for alone.
    text: ({ direction, number }, { query, lines }) => {
      if (direction === 'incoming') return lines.labelOf(number)
      return query.number === undefined ? number : lines.write(number)
    },
    isSilent: (texts, { query }) =>
      query.number !== undefined && texts.every((text) => readDigits(text) === query.number),
  },
  {
    title: 'Direction',
    align: 'left',
    isEssential: true,
    text: ({ direction }) => capital(direction),
    isSilent: (_, { query }) => query.direction !== 'both',
  },
  {
    title: 'Length',
    align: 'right',
    text: ({ seconds }) => orRaw(seconds, (known) => (known === 0 ? '' : lengthText(known))),
    isSilent: isEmptyOfMissed,
  },
  {
    title: 'Cost',
    align: 'right',
    // Nothing for a cost of zero, however the service writes it; otherwise the service's own decimal.
    text: ({ cost }) => orRaw(cost, (known) => (/^[-+]?[0.]*$/.test(known) ? '' : known)),
    isSilent: isEmptyOfMissed,
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
    isSilent: isEmptyOfMissed,
  },
]

/** A page in words. */
export const callsTable = (calls: readonly Call[], setting: Setting): Table =>
  fillTable(listColumns, calls, setting)
