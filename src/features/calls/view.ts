import { beyondLastText, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  attribution,
  type Block,
  context,
  escapeText,
  header,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { removeRow, type Sharer, shareButtons } from '../../slack/blocks/share-buttons.ts'
import { CELL_LENGTHS, tableBlock, tableInShort } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { lastPage, nextPage } from '../../telephony/paging.ts'
import type { CallPage } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { type ClockChange, localDay } from '../../time/zones.ts'
import { callsActions, callsMore, exportActions } from './actions.ts'
import { callsLines, callsTable } from './columns.ts'
import type { FoundCalls } from './found-calls.ts'
import { foundNote, moreOfNumber } from './found-calls.ts'
import type { ListQuery } from './query.ts'
import { clockNote, describeDays, describeList, emptyText, position, titleOf } from './summary.ts'

export interface CallsView {
  readonly query: ListQuery
  readonly page: CallPage
  readonly zone: Zone
  readonly now: Date
  readonly clockChanges: readonly ClockChange[]
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
  /** What the account's own numbers are called. */
  readonly lines: LineNames
  /** What the page is of, where a number was looked for. */
  readonly found?: FoundCalls | undefined
  /** Makes block ids fresh. */
  readonly nonce: string
  /** As Slack's payload names the channel. */
  readonly channelName?: string | undefined
}

const foundNotes = ({ found, query }: CallsView): Block[] =>
  found ? [context(escapeText(foundNote(found, query)))] : []

/** What the page says, with whatever comes below it. */
function pageWith(view: CallsView, below: readonly Block[]): Answer {
  const { query, page, zone, now, recordingsBaseUrl, lines, nonce } = view
  const title = titleOf(query)
  const about = escapeText(describeList(query, page, zone, now))
  const note = clockNote(view.clockChanges, query, zone, now)
  const head = [header(title), context(about)]
  const foot = [...(note === undefined ? [] : [context(escapeText(note))]), ...foundNotes(view), ...below]
  const place = position(page)
  const summary = `${escapeText(title)}. ${about}`
  const rows = callsTable(page.calls, { query, zone, today: localDay(zone, now), recordingsBaseUrl, lines })
  const text = textOfLines([summary, ...tableInShort(rows)])
  const around = (list: readonly Block[]) => [...head, ...list, context(place), ...foot]
  const blockId = `calls.table|${nonce}`
  const withTable = (form: Omit<Parameters<typeof tableBlock>[1], 'blockId'>) =>
    around([tableBlock(rows, { blockId, ...form })])
  const { short, shortest } = CELL_LENGTHS
  return {
    message: { text, blocks: withTable({ isRich: true }) },
    otherwise: [
      () => ({ text, blocks: withTable({}) }),
      () => ({ text, blocks: withTable({ cellLength: short }) }),
      () => ({ text: summary, blocks: withTable({ cellLength: shortest }) }),
      () => ({ text, blocks: around(callsLines(rows)) }),
      () => ({ text, blocks: around(callsLines(rows, short)) }),
      () => ({ text: summary, blocks: around(callsLines(rows, shortest)) }),
    ],
  }
}

/** Whether a page without calls lies behind those that have some; where the total is unknown there is no telling how far. */
const isBeyondEnd = ({ query, page }: CallsView): boolean => query.page > 1 && page.total !== 0

function nothingText(view: CallsView): string {
  if (!isBeyondEnd(view)) return emptyText(view.query)
  const last = lastPage(view.page)
  return last === undefined ? `This list ends before page ${view.query.page}.` : beyondLastText(last)
}

/** A page without calls: why, and what may have some. */
function emptyPage(view: CallsView, below: readonly Block[]): Answer {
  const { query, zone, now } = view
  const nothing = escapeText(nothingText(view))
  const about = context(escapeText(describeDays(query, zone, now)))
  const blocks = [header(titleOf(query)), section(nothing), about, ...foundNotes(view), ...below]
  return { message: { text: nothing, blocks } }
}

const pagingOf = ({ query, page, nonce }: Pick<CallsView, 'query' | 'page' | 'nonce'>): Block[] =>
  pagingRow({
    action: callsActions.page,
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => ({ ...query, page: number }),
    nonce,
  })

const backButton = ({ openedFrom }: ListQuery) =>
  openedFrom === 'agents' ? [commandButton('agents', '← Agents', '/agents')] : []

/** None for a list of both directions: Filter… narrows it. */
const directionButtons = (query: ListQuery) => {
  if (query.direction === 'both') return []
  const direction = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const text = direction === 'incoming' ? 'Incoming calls' : 'Outgoing calls'
  return [callsActions.direction.button(text, { ...query, direction, page: 1 })]
}

const numberButtons = ({ found, query, zone, now }: CallsView) =>
  found ? moreOfNumber(found, query, localDay(zone, now)) : []

const filterButton = (query: ListQuery) => callsActions.filter.button('Filter…', query)

/** Below a list: a row for paging, and one for the rest. */
function listButtons(view: CallsView): Block[] {
  const { query, nonce } = view
  const elements = [
    ...backButton(query),
    ...numberButtons(view),
    filterButton(query),
    ...directionButtons(query),
    ...shareButtons((text) => callsActions.share.button(text, query), {
      noun: 'call',
      count: view.page.calls.length,
      channelName: view.channelName,
    }),
    overflow([callsActions.refresh, 'Refresh'], [exportActions.list, 'Export…']),
  ]
  return [...pagingOf(view), { type: 'actions', block_id: callsMore.blockId(query, nonce), elements }]
}

/** Below an empty list: the same without what may have emptied it. */
function waysOn(view: CallsView): Block[] {
  const { query, nonce } = view
  const { from, to, status, ...rest } = query
  const hasDates = from !== undefined || to !== undefined
  const show = (name: string, text: string, other: ListQuery) =>
    callsActions.show.named(name).button(text, { ...other, page: 1 })
  const elements = [
    ...backButton(query),
    ...numberButtons(view),
    ...(hasDates && query.number === undefined ? [show('any-date', 'Any date', { ...rest, status })] : []),
    ...(status === undefined ? [] : [show('all', 'All calls', { ...rest, from, to })]),
    ...directionButtons(query),
    filterButton(query),
    overflow([callsActions.refresh, 'Refresh']),
  ]
  const paging = isBeyondEnd(view) ? pagingOf(view) : []
  return [...paging, { type: 'actions', block_id: callsMore.blockId(query, nonce), elements }]
}

/** The `/calls` message. Pure. */
export const callsMessage = (view: CallsView): Answer =>
  view.page.calls.length === 0 ? emptyPage(view, waysOn(view)) : pageWith(view, listButtons(view))

/**
 * The page, for everyone in the channel; links to recordings and buttons are the asking person's. Pure.
 * @param by who shares it
 */
export function sharedCalls(view: CallsView, by: Sharer): Answer {
  const below = [attribution(by.name, 'Shared'), removeRow(by.id)]
  if (view.page.calls.length === 0) return emptyPage(view, below)
  return pageWith({ ...view, recordingsBaseUrl: undefined }, below)
}
