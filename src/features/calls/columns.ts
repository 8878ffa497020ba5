import { type CallStates, describeState, findMissedCallId } from '../../query/call-states.ts'
import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import { formatResult, resultLabel } from '../../query/texts.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { type Column, type FilledColumn, fillTable, type Table } from '../../slack/blocks/tables.ts'
import { isWaiting } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, type CallPage, formatOrRaw } from '../../telephony/types.ts'
import { recordingUrl } from '../../telephony/wire.ts'
import { dayLabel, type LocalDay } from '../../time/days.ts'
import { formatAsClock } from '../../time/lengths.ts'
import { localDateTime, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'

/** Read for every list of calls or numbers. */
export interface ListContext {
  readonly zone: Zone
  readonly now: Date
  readonly today: LocalDay
  readonly lines: LineNames
  /** A part of block ids, which must be new for every replacement of a message. */
  readonly nonce: string
}

export interface CallsView extends ListContext {
  readonly query: ListQuery
  readonly page: CallPage
  /** Set if Callboard selected the calls itself, because the service can't filter by the query or its exact days. */
  readonly found?: FoundCalls | undefined
  /** Without it, recordings have no link. */
  readonly recordingsBaseUrl: string | undefined
  /** Names of agents by login. */
  readonly agentNames: ReadonlyMap<string, string>
  readonly states: CallStates
  /** Undefined if the list can't be shared. */
  readonly shareLabel?: string | undefined
}

/** `20 Nov 19:33`, with the year if it isn't this one; `19:33` in a list of one day. */
function formatCallTime(at: Date, { query, zone, today }: CallsView): string {
  const dateTime = localDateTime(zone, at)
  const day = dateTime.slice(0, 10)
  const time = dateTime.slice(11, 16)
  const isInListOfDay = query.from === day && query.to === day
  return isInListOfDay ? time : `${dayLabel(day, today)} ${time}`
}

const TIME_TITLE = 'Time'
const RECORDED = 'Yes'
const WAITING = 'Waiting'
const MISSED = resultLabel('incoming', 'missed')

/** `Missed · Ben Okoro has it`. In a list of missed calls: `Waiting`, `Ben Okoro has it`, `Done by Ben Okoro` */
function formatHandledResult(call: Call, { query, states }: CallsView): string {
  const result = formatResult(call)
  if (states.size === 0) return result
  const state = states.get(findMissedCallId(call) ?? '')
  if (!state) return result
  const isMissedList = query.status === 'missed'
  if (isWaiting(state)) return isMissedList ? WAITING : result
  const stateText = describeState(state)
  if (!isMissedList) return `${result} · ${stateText}`
  // Otherwise it begins with the name of the person who has taken the call.
  return state.done ? capitalize(stateText) : stateText
}

/** Incoming records hold the company's own number, not the caller's. */
const NUMBER_TITLES = { incoming: 'Number called', outgoing: 'Number dialed', both: 'Number' } as const

function getNumberTitle({ query, page, lines }: CallsView): string {
  const hasName = page.calls.some(({ number }) => lines.getName(number) !== undefined)
  return query.direction === 'incoming' && hasName ? 'Line' : NUMBER_TITLES[query.direction]
}

/** Only an incoming record's `answered` is a login. */
const nameAnswerer = ({ direction, answered: login = '' }: Call, { agentNames }: CallsView): string =>
  direction === 'incoming' ? (agentNames.get(login) ?? '') : ''

function findRecording({ recording }: Call, { recordingsBaseUrl }: CallsView) {
  if (recordingsBaseUrl === undefined || recording === undefined) return undefined
  const url = recordingUrl(recordingsBaseUrl, recording)
  if (url === undefined || url.length > LIMITS.url) return undefined
  return { text: 'Listen', url }
}

/** The most important come first: phones show three. */
const listColumns: readonly Column<Call, CallsView>[] = [
  {
    title: TIME_TITLE,
    isEssential: true,
    text: ({ at }, view) => formatOrRaw(at, (instant) => formatCallTime(instant, view)),
  },
  {
    title: 'Result',
    isEssential: true,
    text: formatHandledResult,
    // Not bold once someone has taken the call.
    isBold: (text) => text === MISSED || text === WAITING,
    // The title doesn't say who has the missed calls.
    isInListTitle: ({ query, states }) => query.status !== undefined && states.size === 0,
  },
  {
    title: getNumberTitle,
    isEssential: true,
    text: ({ direction, number }, { lines }) =>
      direction === 'incoming' ? lines.getLabel(number) : lines.format(number),
    isInListTitle: ({ query: { line, number }, lines }) =>
      line !== undefined || (number !== undefined && lines.getMeaning(number) !== undefined),
  },
  {
    title: 'Direction',
    isEssential: true,
    text: ({ direction }, { query }) => (query.direction === 'both' ? capitalize(direction) : ''),
  },
  { title: 'Answered by', text: nameAnswerer, isInListTitle: ({ query }) => query.agentId !== undefined },
  {
    title: 'Length',
    align: 'right',
    text: ({ seconds }) => (seconds === 0 ? '' : formatOrRaw(seconds, formatAsClock)),
  },
  {
    title: 'Cost',
    align: 'right',
    // The service's own decimal, but nothing for zero, however it is written.
    text: ({ cost }) => formatOrRaw(cost, (known) => (/^[-+]?[0.]*$/.test(known) ? '' : known)),
  },
  {
    title: 'Recording',
    // Shown where there is no link.
    text: ({ recording }) => (recording === undefined ? '' : formatOrRaw(recording, () => RECORDED)),
    lineText: (text) => (text === RECORDED ? 'recorded' : text),
    link: findRecording,
  },
]

/** Leaves out columns that say the same in every row, except the time and links. `sameText`: `Same in every row: Cost 0.01` */
export function fillCallTable(view: CallsView): { readonly table: Table; readonly sameText?: string } {
  const table = fillTable(listColumns, view.page.calls, view)
  if (table.rowCount < 2) return { table }
  const columns: FilledColumn[] = []
  const sameValues: string[] = []
  for (const column of table.columns) {
    const { title, texts, links, isInListTitle } = column
    const hasLinks = links.some((link) => link !== undefined)
    const isSame = title !== TIME_TITLE && !hasLinks && texts.every((text) => text === texts[0])
    if (!isSame) columns.push(column)
    else if (!isInListTitle) sameValues.push(`${title} ${texts[0]}`)
  }
  if (sameValues.length === 0) return { table: { ...table, columns } }
  return { table: { ...table, columns }, sameText: `Same in every row: ${sameValues.join(' · ')}` }
}
