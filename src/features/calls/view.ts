import type { types } from '@slack/bolt'
import { isSearch, leaveOutFilter, usedFilters, writeWords } from '../../query/call-filters.ts'
import { type CallStates, describeState, findMissedCallId } from '../../query/call-states.ts'
import { callsGrammar, countDaysToToday, type ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import {
  callsText,
  clockNote,
  emptyListText,
  formatResult,
  isOneDay,
  resultLabel,
} from '../../query/texts.ts'
import {
  attribution,
  type Block,
  CELL_LENGTHS,
  type Column,
  escapeText,
  fillTable,
  header,
  LIMITS,
  noteBlock,
  section,
  sections,
  tableBlock,
  tableInShort,
  tableLines,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, type CallPage, countCallPages, formatOrRaw } from '../../telephony/types.ts'
import { recordingText, recordingUrl } from '../../telephony/wire.ts'
import { type LocalDay, lastDays, shortDayLabel } from '../../time/days.ts'
import { lengthText, wallTime, type Zone } from '../../time/zones.ts'
import { beyondLastText, positionText } from '../../util/paging.ts'
import { capitalize } from '../../util/text.ts'
import { exportActions } from '../export/actions.ts'
import { callsActions } from './actions.ts'
import { removeRow, type Sharer, shareButtons } from './sharing.ts'
import { callerNote, describeDays, describeList, formatTitle, foundNote, unfilteredText } from './words.ts'

export interface CallsView {
  readonly query: ListQuery
  readonly page: CallPage
  /** Set if Callboard searched the calls itself, because the service can't filter by the query. */
  readonly found?: FoundCalls | undefined
  /** The page may have calls of other days around a clock change, or lack some. */
  readonly isUnfiltered?: boolean
  readonly zone: Zone
  readonly now: Date
  readonly today: LocalDay
  /** Without it, a recording is shown as present. */
  readonly recordingsBaseUrl: string | undefined
  readonly lines: LineNames
  /** Names of agents by login. */
  readonly agentNames: ReadonlyMap<string, string>
  /** Who takes care of missed calls. */
  readonly states: CallStates
  /** Makes block ids unique. */
  readonly nonce: string
  /** Undefined if the list can't be shared. */
  readonly shareLabel?: string | undefined
}

/** `20 Nov 19:33`, with the year if it isn't this one; `19:33` in a list of one day. */
function formatCallTime(at: Date, { query, zone, today }: CallsView): string {
  const shown = wallTime(zone, at)
  const clock = shown.slice(11, 16)
  const isListedDay = isOneDay(query) && shown.startsWith(query.from ?? '')
  return isListedDay ? clock : `${shortDayLabel(shown, today)} ${clock}`
}

/** `Missed · Ben Okoro has it` */
function formatHandledResult(call: Call, { states }: CallsView): string {
  const result = formatResult(call)
  const id = states.size === 0 ? undefined : findMissedCallId(call)
  const state = id === undefined ? '' : describeState(states.get(id))
  return state === '' ? result : `${result} · ${state}`
}

/** Incoming records hold the company's own number, not the caller's. */
const NUMBER_TITLES = { incoming: 'Number called', outgoing: 'Number dialed', both: 'Number' } as const

/** The most important come first: phones show three. Columns without text are left out. */
export const listColumns: readonly Column<Call, CallsView>[] = [
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
    isBold: (text) => text === resultLabel('incoming', 'missed'),
  },
  {
    title: ({ query, page, lines }) =>
      page.calls.some(({ direction, number }) => direction === 'incoming' && lines.getName(number))
        ? 'Line'
        : NUMBER_TITLES[query.direction],
    isEssential: true,
    text: ({ direction, number }, { lines }) =>
      direction === 'incoming' ? lines.getLabel(number) : lines.format(number),
  },
  {
    title: 'Direction',
    isEssential: true,
    text: ({ direction }, { query }) => (query.direction === 'both' ? capitalize(direction) : ''),
  },
  {
    title: 'Answered by',
    text: ({ direction, answered = '' }, { agentNames }) =>
      direction === 'incoming' ? (agentNames.get(answered) ?? '') : '',
  },
  {
    title: 'Length',
    align: 'right',
    text: ({ seconds }) => formatOrRaw(seconds, (known) => (known === 0 ? '' : lengthText(known))),
  },
  {
    title: 'Cost',
    align: 'right',
    // The service's own decimal, but nothing for zero, however it is written.
    text: ({ cost }) => formatOrRaw(cost, (known) => (/^[-+]?[0.]*$/.test(known) ? '' : known)),
  },
  {
    title: 'Recording',
    text: ({ recording }) => (recording === undefined ? '' : recordingText(recording)),
    lineText: (text) => (text === 'Yes' ? 'recorded' : text),
    link({ recording }, { recordingsBaseUrl }) {
      if (recordingsBaseUrl === undefined || recording === undefined) return undefined
      const url = recordingUrl(recordingsBaseUrl, recording)
      return url !== undefined && url.length <= LIMITS.url ? { text: 'Listen', url } : undefined
    },
  },
]

function listNotes({ query, page, zone, now, found, isUnfiltered }: CallsView): readonly Block[] {
  const hasCountInText = page.calls.length === 0 && found?.timedOutAfterMs === undefined
  const texts = [
    isUnfiltered ? unfilteredText : clockNote(query, zone, now, page.calls),
    found && !hasCountInText ? foundNote(found) : undefined,
    callerNote(query),
  ]
  return texts.filter((text) => text !== undefined).map(noteBlock)
}

function filledAnswer(view: CallsView, footer: readonly Block[]): Answer {
  const { query, page, zone, now, lines, nonce } = view
  const title = formatTitle(query, lines)
  const about = describeList(query, page, zone, now)
  const table = fillTable(listColumns, page.calls, view)
  const position = positionText(countCallPages(page))
  const below = [...(position === undefined ? [] : [noteBlock(position)]), ...listNotes(view), ...footer]
  const withRows = (rows: readonly Block[]) => [header(title), noteBlock(about), ...rows, ...below]
  const summary = escapeText(`${title}. ${about}`)
  const text = textOfLines([summary, ...tableInShort(table)])
  const blockId = `calls.table|${nonce}`
  const cellLength = CELL_LENGTHS.short
  return {
    message: { text, blocks: withRows([tableBlock(table, { blockId, isRich: true })]) },
    otherwise: [
      () => ({ text, blocks: withRows([tableBlock(table, { blockId, cellLength })]) }),
      () => ({ text: summary, blocks: withRows(sections(tableLines(table, cellLength))) }),
    ],
  }
}

/** Without a total, this is only known on page 1. */
const isEmptyList = ({ page: { calls, page, total } }: CallsView): boolean =>
  calls.length === 0 && (page === 1 || total === 0)

function emptyAnswer(view: CallsView, footer: readonly Block[]): Answer {
  const { query, page, zone, now, today, lines, found } = view
  const text = escapeText(
    isEmptyList(view)
      ? emptyListText(query, today, { lines, found })
      : beyondLastText(countCallPages(page).last ?? page.page - 1),
  )
  const head = [header(formatTitle(query, lines)), section(text), noteBlock(describeDays(query, zone, now))]
  return { message: { text, blocks: [...head, ...listNotes(view), ...footer] } }
}

function pagingBlocks(view: CallsView): Block[] {
  const { query, page, nonce } = view
  if (isEmptyList(view)) return []
  const valueFor = (number: number) => ({ ...query, page: number })
  return pagingRow({ action: callsActions.page, ...countCallPages(page), valueFor, nonce })
}

const showButton = (name: string, text: string, query: ListQuery): types.Button =>
  callsActions.show.named(name).button(text, { ...query, page: 1 })

/** A list of both directions has no button: people choose one in its filter form. */
function directionButtons(query: ListQuery): readonly types.Button[] {
  if (query.direction === 'both') return []
  const direction = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const other = { ...query, direction, alert: undefined, page: 1 } as const
  return [callsActions.direction.button(capitalize(callsText({ direction })), other)]
}

function searchButtons({ found, query, today }: CallsView): readonly types.Button[] {
  if (!found) return []
  if (found.timedOutAfterMs !== undefined) {
    const command = `/calls export ${writeWords(callsGrammar.filters, { ...query, page: 1 })}`
    return [commandButton('export', 'Export all', command)]
  }
  const searchedDays = countDaysToToday(query, today) ?? Infinity
  const longer = [90, 366].find((days) => days > searchedDays)
  if (longer === undefined) return []
  return [showButton('more-days', `Last ${longer} days`, { ...query, ...lastDays(longer, today) })]
}

/** A search keeps its dates, because without them it covers only 30 days. */
function widerButtons(query: ListQuery): readonly types.Button[] {
  const { from, to, ...rest } = query
  const buttons: types.Button[] = []
  if (!isSearch(query) && (from ?? to) !== undefined) buttons.push(showButton('any-date', 'All dates', rest))
  for (const filter of usedFilters(query)) {
    if (!filter.leaveOut) continue
    const [id, text] = filter.leaveOut
    buttons.push(showButton(id, text, leaveOutFilter(query, filter)))
  }
  return buttons
}

function buildFooter(view: CallsView): readonly Block[] {
  const { query, page, shareLabel, nonce } = view
  const count = page.calls.length
  const elements: types.Button[] = []
  if (query.openedFrom === 'agents') elements.push(commandButton('agents', '← Agents', '/agents'))
  elements.push(...searchButtons(view))
  if (count === 0) elements.push(...widerButtons(query))
  elements.push(callsActions.filter.button('Filter…', query), ...directionButtons(query))
  if (count > 0) {
    const share = callsActions.share.button('Share…', query)
    elements.push(...shareButtons(share, { noun: 'call', count, shareLabel }))
    elements.push(exportActions.list.button('Export…', query))
  }
  return [...pagingBlocks(view), { type: 'actions', block_id: `calls.more|${nonce}`, elements }]
}

/** @param footer buttons, or the attribution in a channel */
export const renderCalls = (view: CallsView, footer: readonly Block[]): Answer =>
  view.page.calls.length > 0 ? filledAnswer(view, footer) : emptyAnswer(view, footer)

export const renderPrivateList = (view: CallsView): Answer => renderCalls(view, buildFooter(view))

/** Not everyone in a channel may listen to recordings. */
export const renderSharedList = (view: CallsView, sharer: Sharer): Answer =>
  renderCalls({ ...view, recordingsBaseUrl: undefined }, [
    attribution(sharer.name, 'Shared'),
    removeRow(sharer.id),
  ])
