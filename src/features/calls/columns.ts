import { type CallStates, describeState, findMissedCallId } from '../../query/call-states.ts'
import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import { formatResult, resultLabel } from '../../query/texts.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { type Column, type FilledColumn, fillTable, type Table } from '../../slack/blocks/tables.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, type CallPage, formatOrRaw } from '../../telephony/types.ts'
import { recordingUrl } from '../../telephony/wire.ts'
import { dayLabel, type LocalDay } from '../../time/days.ts'
import { formatAsClock } from '../../time/lengths.ts'
import { localDay, localTime, type Zone } from '../../time/zones.ts'
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
  const day = localDay(zone, at)
  const time = localTime(zone, at)
  const isInListOfDay = query.from === day && query.to === day
  return isInListOfDay ? time : `${dayLabel(day, today)} ${time}`
}

const WAITING = 'Waiting'

/** `Missed · Ben Okoro has it`. In a list of missed calls: `Waiting`, `Ben Okoro has it`, `Done by Ben Okoro` */
function formatHandledResult(call: Call, { query, states }: CallsView): string {
  const result = formatResult(call)
  const state = states.get(findMissedCallId(call) ?? '')
  if (!state) return result
  const isMissedList = query.status === 'missed'
  const stateText = describeState(state)
  const isWaiting = stateText === ''
  if (isWaiting) return isMissedList ? WAITING : result
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
    title: 'Time',
    isEssential: true,
    text: ({ at }, view) => formatOrRaw(at, (instant) => formatCallTime(instant, view)),
  },
  {
    title: 'Result',
    isEssential: true,
    text: formatHandledResult,
    // Not bold once someone has taken the call.
    isBold: (text) => text === resultLabel('incoming', 'missed') || text === WAITING,
  },
  {
    title: getNumberTitle,
    isEssential: true,
    text: ({ direction, number }, { lines }) =>
      direction === 'incoming' ? lines.getLabel(number) : lines.format(number),
  },
  {
    title: 'Direction',
    isEssential: true,
    text: ({ direction }, { query }) => (query.direction === 'both' ? capitalize(direction) : ''),
  },
  { title: 'Answered by', text: nameAnswerer },
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
    text: ({ recording }) => (recording === undefined ? '' : formatOrRaw(recording, () => 'Yes')),
    lineText: (text) => (text === 'Yes' ? 'recorded' : text),
    link: findRecording,
  },
]

/** Whether the list's title says the value that all rows of a column share. */
function isInListTitle({ title }: FilledColumn, view: CallsView): boolean {
  const { query, states, lines } = view
  const { status, agentId, line, number } = query
  // Who has the missed calls isn't in the title.
  if (title === 'Result') return status !== undefined && states.size === 0
  if (title === 'Answered by') return agentId !== undefined
  if (title !== getNumberTitle(view)) return false
  const isWholeNumber = number !== undefined && lines.getMeaning(number) !== undefined
  return line !== undefined || isWholeNumber
}

/**
 * Leaves out columns without text, and those that say the same in every row. The time stays, and so do links, which differ.
 * `sameText` has the values that aren't in the title: `Same in every row: Cost 0.01`.
 */
export function fillCallTable(view: CallsView): { readonly table: Table; readonly sameText?: string } {
  const table = fillTable(listColumns, view.page.calls, view)
  if (table.rowCount < 2) return { table }
  const columns: FilledColumn[] = []
  const sameValues: string[] = []
  for (const column of table.columns) {
    const { title, texts, links } = column
    const hasLinks = links.some((link) => link !== undefined)
    const isSame = title !== 'Time' && !hasLinks && new Set(texts).size === 1
    if (!isSame) columns.push(column)
    else if (!isInListTitle(column, view)) sameValues.push(`${title} ${texts[0]}`)
  }
  if (sameValues.length === 0) return { table: { ...table, columns } }
  return { table: { ...table, columns }, sameText: `Same in every row: ${sameValues.join(' · ')}` }
}
