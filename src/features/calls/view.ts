import type { types } from '@slack/bolt'
import { writeWords } from '../../grammar/filters.ts'
import { beyondLastText, commandButton, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  attribution,
  type Block,
  CELL_LENGTHS,
  type Column,
  context,
  escapeText,
  fillTable,
  header,
  LIMITS,
  section,
  sections,
  type Table,
  tableBlock,
  tableInShort,
  tableLines,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import type { LineNames } from '../../telephony/lines.ts'
import {
  type Call,
  type CallPage,
  formatOrRaw,
  getCallIdentity,
  isShort,
  lastPage,
  nextPage,
  toShortId,
} from '../../telephony/types.ts'
import { recordingUrl } from '../../telephony/wire.ts'
import { type LocalDay, lastDays, shortDayLabel } from '../../time/days.ts'
import { lengthText, localDay, wallTime, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'
import type { FoundCalls } from './number-search.ts'
import {
  callsActions,
  callsGrammar,
  callsMenu,
  countDaysToToday,
  exportActions,
  type ListQuery,
  SEARCHED_DAYS,
} from './query.ts'
import { removeRow, type Sharer, shareButtons } from './sharing.ts'
import {
  callerNote,
  clockNote,
  describeDays,
  describeList,
  emptyListText,
  formatResult,
  formatTitle,
  foundNote,
  isOneDay,
  pageOfPages,
  positionText,
  resultLabel,
} from './words.ts'

interface ListContext {
  readonly query: ListQuery
  readonly zone: Zone
  readonly today: LocalDay
  /** Base of relative recording paths; without it a recording is shown as present. */
  readonly recordingsBaseUrl: string | undefined
  readonly lines: LineNames
  /** Names of agents by login. */
  readonly agentNames: ReadonlyMap<string, string>
  /** Names of the people who took missed calls, by short id. */
  readonly takers: ReadonlyMap<string, string>
}

interface CellContext extends ListContext {
  readonly numberTitle: string
}

/** `20 Nov 19:33`, with the year if it isn't this one; `19:33` in a list of one day. */
function formatCallTime(at: Date, { query, zone, today }: CellContext): string {
  const shown = wallTime(zone, at)
  const clock = shown.slice(11, 16)
  const isListedDay = isOneDay(query) && shown.startsWith(query.from ?? '')
  return isListedDay ? clock : `${shortDayLabel(shown, today)} ${clock}`
}

/** `Missed · taken by Ada` */
function formatTakenResult(call: Call, { takers }: CellContext): string {
  const taker = takers.size === 0 ? undefined : takers.get(toShortId(getCallIdentity(call)))
  const result = formatResult(call)
  return taker === undefined ? result : `${result} · taken by ${taker}`
}

/** Incoming records hold the company's own number, not the caller's. */
const NUMBER_TITLES = { incoming: 'Number called', outgoing: 'Number dialed', both: 'Number' } as const

/** Columns of a list, most important first: phones show three. Columns without text are left out. */
const listColumns: readonly Column<Call, CellContext>[] = [
  {
    title: 'Time',
    align: 'left',
    isEssential: true,
    text: ({ at }, context) => formatOrRaw(at, (instant) => formatCallTime(instant, context)),
  },
  {
    title: 'Result',
    align: 'left',
    isEssential: true,
    text: formatTakenResult,
    // A missed call that someone has taken isn't bold.
    isBold: (text) => text === resultLabel('incoming', 'missed'),
  },
  {
    title: ({ numberTitle }) => numberTitle,
    align: 'left',
    isEssential: true,
    text: ({ direction, number }, { lines }) =>
      direction === 'incoming' ? lines.getLabel(number) : lines.write(number),
  },
  {
    title: 'Direction',
    align: 'left',
    isEssential: true,
    text: ({ direction }, { query }) => (query.direction === 'both' ? capitalize(direction) : ''),
  },
  {
    title: 'Answered by',
    align: 'left',
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
    align: 'left',
    text: ({ recording }) => (recording === undefined ? '' : formatOrRaw(recording, () => 'Yes')),
    lineText: (text) => (text === 'Yes' ? 'recorded' : text),
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
    ({ direction, number }) => direction === 'incoming' && lines.getName(number) !== undefined,
  )
  const numberTitle = hasLineNames ? 'Line' : NUMBER_TITLES[query.direction]
  return fillTable(listColumns, calls, { ...context, numberTitle })
}

export interface CallsView extends Omit<ListContext, 'today'> {
  readonly page: CallPage
  readonly now: Date
  /** Result of a number search, which the page is part of. */
  readonly found?: FoundCalls | undefined
  /** Makes block ids unique. */
  readonly nonce: string
  /** Name of the place to share in; undefined if the list can't be shared. */
  readonly sharePlace?: string | undefined
}

const buildTable = ({ page, now, ...view }: CallsView) =>
  callsTable(page.calls, { ...view, today: localDay(view.zone, now) })

/** Sentences below the rows. Not escaped. */
function listNotes({ query, page, zone, now, found }: CallsView): readonly string[] {
  const hasCountInText = page.calls.length === 0 && found?.timedOutAfterMs === undefined
  return [
    clockNote(query, zone, now, page.calls),
    hasCountInText ? undefined : found && foundNote(found),
    callerNote(query),
  ].filter((note) => note !== undefined)
}

function listAnswer(view: CallsView, footer: readonly Block[]): Answer {
  const { query, page, zone, now, lines } = view
  const title = formatTitle(query, lines)
  const about = escapeText(describeList(query, page, zone, now))
  const table = buildTable(view)
  const position = positionText(page)
  const notes = [...(position === undefined ? [] : [position]), ...listNotes(view)]
  const withRows = (rows: readonly Block[]) => [
    header(title),
    context(about),
    ...rows,
    ...notes.map((note) => context(escapeText(note))),
    ...footer,
  ]
  const summary = `${escapeText(title)}. ${about}`
  const text = textOfLines([summary, ...tableInShort(table)])
  const blockId = `calls.table|${view.nonce}`
  const cellLength = CELL_LENGTHS.short
  return {
    message: { text, blocks: withRows([tableBlock(table, { blockId, isRich: true })]) },
    otherwise: [
      () => ({ text, blocks: withRows([tableBlock(table, { blockId, cellLength })]) }),
      () => ({ text: summary, blocks: withRows(sections(tableLines(table, cellLength))) }),
    ],
  }
}

/** Whether there are no calls at all, rather than none on this page. Without a total, this is only known on page 1. */
const isEmptyList = ({ page }: CallsView): boolean =>
  page.calls.length === 0 && !isShort(page) && (page.page === 1 || page.total === 0)

function emptyPageText(view: CallsView): string {
  const { query, page, zone, now, lines, found } = view
  if (isEmptyList(view)) return emptyListText(query, localDay(zone, now), { lines, found })
  if (isShort(page))
    return `The phone service returned no calls for ${pageOfPages(page)}, although there are some.`
  const last = lastPage(page)
  return last === undefined ? `This list ends before page ${page.page}.` : beyondLastText(last)
}

function emptyAnswer(view: CallsView, footer: readonly Block[]): Answer {
  const { query, zone, now, lines } = view
  const text = escapeText(emptyPageText(view))
  const blocks = [
    header(formatTitle(query, lines)),
    section(text),
    context(escapeText(describeDays(query, zone, now))),
    ...listNotes(view).map((note) => context(escapeText(note))),
    ...footer,
  ]
  return { message: { text, blocks } }
}

function pagingBlocks(view: CallsView): Block[] {
  const { query, page, nonce } = view
  if (isEmptyList(view)) return []
  return pagingRow({
    action: callsActions.page,
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => ({ ...query, page: number }),
    nonce,
  })
}

const showButton = (name: string, text: string, query: ListQuery): types.Button =>
  callsActions.show.named(name).button(text, { ...query, page: 1 })

/** Builds the button for the other direction. A list of both has none: people choose a direction in its filter form. */
function directionButtons(query: ListQuery): readonly types.Button[] {
  if (query.direction === 'both') return []
  const direction = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const text = direction === 'incoming' ? 'Incoming calls' : 'Outgoing calls'
  return [callsActions.direction.button(text, { ...query, direction, alert: undefined, page: 1 })]
}

/** Days to search next, by the days that were searched. */
const LONGER_SEARCHES = new Map([
  [SEARCHED_DAYS, 90],
  [90, 366],
])

/** Buttons that find more calls of a number. */
function searchButtons({ found, query, zone, now }: CallsView): readonly types.Button[] {
  if (!found) return []
  if (found.timedOutAfterMs !== undefined) {
    const command = `/calls export ${writeWords(callsGrammar.filters, { ...query, page: 1 })}`
    return [commandButton('export', 'Export all', command)]
  }
  const today = localDay(zone, now)
  const longer = LONGER_SEARCHES.get(countDaysToToday(query, today) ?? 0)
  if (longer === undefined) return []
  return [showButton('more-days', `Last ${longer} days`, { ...query, ...lastDays(longer, today) })]
}

/** Builds buttons that remove a filter. A number search keeps its dates, because without them it covers only 30 days. */
function widerButtons(query: ListQuery): readonly types.Button[] {
  const { from, to, status, ...rest } = query
  const hasDates = from !== undefined || to !== undefined
  return [
    ...(hasDates && query.number === undefined
      ? [showButton('any-date', 'All dates', { ...rest, status })]
      : []),
    ...(status === undefined ? [] : [showButton('all', 'All calls', { ...rest, from, to })]),
  ]
}

function buildFooter(view: CallsView): readonly Block[] {
  const { query, page, sharePlace, nonce } = view
  const count = page.calls.length
  const share = (text: string) => callsActions.share.button(text, query)
  const elements = [
    ...(query.openedFrom === 'agents' ? [commandButton('agents', '← Agents', '/agents')] : []),
    ...(count === 0 && isShort(page) ? [callsActions.retry.button('Try again', query, 'primary')] : []),
    ...searchButtons(view),
    ...(count === 0 && !isShort(page) ? widerButtons(query) : []),
    callsActions.filter.button('Filter…', query),
    ...directionButtons(query),
    ...(count === 0 ? [] : shareButtons(share, { noun: 'call', count, sharePlace })),
    ...(count === 0 ? [] : [overflow([exportActions.list, 'Export…'])]),
  ]
  return [...pagingBlocks(view), { type: 'actions', block_id: callsMenu.blockId(query, nonce), elements }]
}

/** @param footer blocks below the notes: buttons, or the attribution in a channel */
export const renderCalls = (view: CallsView, footer: readonly Block[]): Answer =>
  view.page.calls.length > 0 ? listAnswer(view, footer) : emptyAnswer(view, footer)

/** Renders the list for the person who asked. */
export const renderPrivateList = (view: CallsView): Answer => renderCalls(view, buildFooter(view))

/** Renders the list for a channel, without links to recordings. */
export const renderSharedList = (view: CallsView, sharer: Sharer): Answer =>
  renderCalls({ ...view, recordingsBaseUrl: undefined }, [
    attribution(sharer.name, 'Shared'),
    removeRow(sharer.id),
  ])
