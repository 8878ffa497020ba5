import type { types } from '@slack/bolt'
import { writeWords } from '../../grammar/filters.ts'
import { beyondLastText, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  attribution,
  type Block,
  context,
  escapeText,
  header,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { CELL_LENGTHS, tableBlock, tableInShort, tableLines } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { removeRow, type Sharer, shareButtons } from '../../slack/deliver/sharing.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type CallPage, isShort, lastPage, nextPage } from '../../telephony/types.ts'
import { lastDays } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { callsActions, callsMore, exportActions } from './actions.ts'
import { callsTable } from './columns.ts'
import type { FoundCalls } from './number-search.ts'
import { callsGrammar, type ListQuery, SEARCHED_DAYS, withDays } from './query.ts'
import {
  callerNote,
  clockNote,
  describeDays,
  describeList,
  emptyText,
  foundNote,
  pageOfPages,
  position,
  titleOf,
} from './words.ts'

export interface CallsView {
  readonly query: ListQuery
  readonly page: CallPage
  readonly zone: Zone
  readonly now: Date
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
  /** What the account's own numbers are called. */
  readonly lines: LineNames
  /** What the page is of, where a number was looked for. */
  readonly found?: FoundCalls | undefined
  /** Makes block ids fresh. */
  readonly nonce: string
  /** As its button says it; `undefined` where it can't be shared. */
  readonly sharePlace?: string | undefined
}

const foundNotes = ({ found, query }: CallsView): Block[] =>
  found ? [context(escapeText(foundNote(found, query)))] : []

export const rowsOf = ({ query, page, zone, now, recordingsBaseUrl, lines }: CallsView) =>
  callsTable(page.calls, { query, zone, today: localDay(zone, now), recordingsBaseUrl, lines })

const aboutOf = ({ query, page, zone, now }: CallsView) => escapeText(describeList(query, page, zone, now))

/** What the page says above and below its rows, and what comes below that. */
function aroundRows(view: CallsView, rows: readonly Block[], below: readonly Block[]): Block[] {
  const { query, page, zone, now, lines } = view
  const notes = [clockNote(query, zone, now, page.calls), callerNote(query)].filter(
    (one) => one !== undefined,
  )
  return [
    header(titleOf(query, lines)),
    context(aboutOf(view)),
    ...rows,
    context(position(page)),
    ...notes.map((note) => context(escapeText(note))),
    ...foundNotes(view),
    ...below,
  ]
}

function pageWith(view: CallsView, below: readonly Block[]): Answer {
  const summary = `${escapeText(titleOf(view.query, view.lines))}. ${aboutOf(view)}`
  const rows = rowsOf(view)
  const text = textOfLines([summary, ...tableInShort(rows)])
  const blockId = `calls.table|${view.nonce}`
  const withTable = (form: Omit<Parameters<typeof tableBlock>[1], 'blockId'>) =>
    aroundRows(view, [tableBlock(rows, { blockId, ...form })], below)
  const withLines = (cellLength?: number) => aroundRows(view, sections(tableLines(rows, cellLength)), below)
  const { short, shortest } = CELL_LENGTHS
  return {
    message: { text, blocks: withTable({ isRich: true }) },
    otherwise: [
      () => ({ text, blocks: withTable({}) }),
      () => ({ text, blocks: withTable({ cellLength: short }) }),
      () => ({ text: summary, blocks: withTable({ cellLength: shortest }) }),
      () => ({ text, blocks: withLines() }),
      () => ({ text, blocks: withLines(short) }),
      () => ({ text: summary, blocks: withLines(shortest) }),
    ],
  }
}

/** Why a page has no calls: there are none at all, it lies behind those that there are, or the service left its calls out. */
function whyEmpty({ page }: CallsView): 'no-calls' | 'beyond-end' | 'left-out' {
  if (isShort(page)) return 'left-out'
  // Where the total is unknown, only the first page says that there are none.
  return page.page > 1 && page.total !== 0 ? 'beyond-end' : 'no-calls'
}

function nothingText(view: CallsView): string {
  const { query, page, lines } = view
  const last = lastPage(page)
  switch (whyEmpty(view)) {
    case 'no-calls':
      return emptyText(query, lines)
    case 'beyond-end':
      return last === undefined ? `This list ends before page ${page.page}.` : beyondLastText(last)
    case 'left-out':
      return `The phone service returned no calls for ${pageOfPages(page)}, although there are some.`
  }
}

/** A page without calls: why, and what may have some. */
function emptyBlocks(view: CallsView, below: readonly Block[]): Block[] {
  const { query, zone, now, lines } = view
  const about = context(escapeText(describeDays(query, zone, now)))
  return [
    header(titleOf(query, lines)),
    section(escapeText(nothingText(view))),
    about,
    ...foundNotes(view),
    ...below,
  ]
}

function pagingOf(view: CallsView): Block[] {
  const { query, page, nonce } = view
  if (page.calls.length === 0 && whyEmpty(view) === 'no-calls') return []
  return pagingRow({
    action: callsActions.page,
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => ({ ...query, page: number }),
    nonce,
  })
}

/** Where the service left out all calls of the page, it may give them another time. */
const retryButtons = ({ query, page }: CallsView): types.Button[] =>
  page.calls.length === 0 && isShort(page) ? [callsActions.retry.button('Try again', query, 'primary')] : []

/** None for a list of both directions: Filter… narrows it. */
const directionButtons = (query: ListQuery) => {
  if (query.direction === 'both') return []
  const direction = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const text = direction === 'incoming' ? 'Incoming calls' : 'Outgoing calls'
  return [callsActions.direction.button(text, { ...query, direction, page: 1 })]
}

/** Days that are searched next for a number, where there may be more calls further back. */
const longerSearches = new Map([
  [SEARCHED_DAYS, 90],
  [90, 366],
])

/** What may find more calls of a number that was looked for. */
function numberButtons({ found, query, zone, now }: CallsView): types.Button[] {
  if (!found) return []
  const today = localDay(zone, now)
  const searched = withDays(query, today)
  if (found.isCut) {
    const command = `/calls export ${writeWords(callsGrammar.filters, { ...searched, page: 1 })}`
    return [commandButton('export', 'Export all', command)]
  }
  const isOfLast = (days: number) => searched.from === lastDays(days, today).from && searched.to === today
  const [, longer] = [...longerSearches].find(([days]) => isOfLast(days)) ?? []
  if (longer === undefined) return []
  const value = { ...query, ...lastDays(longer, today), page: 1 }
  return [callsActions.show.named('more-days').button(`Last ${longer} days`, value)]
}

/** The same without what may have emptied a list. */
function widerButtons(query: ListQuery): types.Button[] {
  const { from, to, status, ...rest } = query
  const hasDates = from !== undefined || to !== undefined
  const show = (name: string, text: string, other: ListQuery) =>
    callsActions.show.named(name).button(text, { ...other, page: 1 })
  return [
    ...(hasDates && query.number === undefined ? [show('any-date', 'All dates', { ...rest, status })] : []),
    ...(status === undefined ? [] : [show('all', 'All calls', { ...rest, from, to })]),
  ]
}

/** Below a list: a row for paging, and one for the rest. */
function buttonsBelow(view: CallsView): Block[] {
  const { query, page, sharePlace, nonce } = view
  const count = page.calls.length
  const refresh = [callsActions.refresh, 'Refresh'] as const
  const elements = [
    ...(query.openedFrom === 'agents' ? [commandButton('agents', '← Agents', '/agents')] : []),
    ...retryButtons(view),
    ...numberButtons(view),
    ...(count === 0 && !isShort(page) ? widerButtons(query) : []),
    callsActions.filter.button('Filter…', query),
    ...directionButtons(query),
    ...(count === 0
      ? [overflow(refresh)]
      : [
          ...shareButtons((text) => callsActions.share.button(text, query), {
            noun: 'call',
            count,
            sharePlace,
          }),
          overflow(refresh, [exportActions.list, 'Export CSV']),
        ]),
  ]
  return [...pagingOf(view), { type: 'actions', block_id: callsMore.blockId(query, nonce), elements }]
}

/** @param below what can be clicked */
export const callsPage = (view: CallsView, below: readonly Block[]): Answer =>
  view.page.calls.length > 0
    ? pageWith(view, below)
    : { message: { text: escapeText(nothingText(view)), blocks: emptyBlocks(view, below) } }

/** The `/calls` message. Pure. */
export const callsMessage = (view: CallsView): Answer => callsPage(view, buttonsBelow(view))

/**
 * The page, for everyone in the channel; links to recordings and buttons are the asking person's. Pure.
 * @param by who shares it
 */
export const sharedCalls = (view: CallsView, by: Sharer): Answer =>
  callsPage({ ...view, recordingsBaseUrl: undefined }, [attribution(by.name, 'Shared'), removeRow(by.id)])
