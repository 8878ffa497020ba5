import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { type Block, button, context, escapeText, header, section } from '../../slack/blocks/blocks.ts'
import { moreMenu, pagingRow } from '../../slack/blocks/list-buttons.ts'
import { textOfLines } from '../../slack/blocks/message-size.ts'
import { removeRow, type Sharer, shareButton } from '../../slack/blocks/share-buttons.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import { lastPage, nextPage } from '../../telephony/paging.ts'
import type { CallPage } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import type { ClockChange } from '../../time/zones.ts'
import { type ListQuery, writeMenuQuery, writeQuery } from './query.ts'
import { clockNote, describeQuery, emptyText, position, titleOf } from './summary.ts'
import { CELL_LENGTHS, callsInShort, callsLines, callsTable, rowsOf } from './table.ts'

export interface CallsView {
  readonly query: ListQuery
  readonly page: CallPage
  readonly zone: Zone
  readonly now: Date
  readonly clockChanges: readonly ClockChange[]
  /** What relative recording paths are resolved against; without it a recording shows as present. */
  readonly recordingsBaseUrl: string | undefined
  /** Makes block ids fresh. */
  readonly nonce: string
}

/** What the page says, with whatever comes below it. */
function pageWith(view: CallsView, below: readonly Block[]): Answer {
  const { query, page, zone, now, recordingsBaseUrl, nonce } = view
  const title = titleOf(query)
  const filters = escapeText(describeQuery(query, zone, now))
  const note = clockNote(view.clockChanges, zone)
  const head = [header(title), context(filters)]
  const foot = [...(note === undefined ? [] : [context(escapeText(note))]), ...below]
  if (page.calls.length === 0) {
    const nothing = emptyText(query, page)
    return { message: { text: `${title}: ${nothing}`, blocks: [...head, section(nothing), ...foot] } }
  }

  const place = position(page)
  const summary = `${title}. ${filters}. ${place}`
  const rows = rowsOf(page.calls, { zone, recordingsBaseUrl })
  const text = textOfLines([summary, ...callsInShort(rows)])
  const around = (list: readonly Block[]) => [...head, ...list, context(place), ...foot]
  const withTable = (form: Parameters<typeof callsTable>[2]) => around([callsTable(rows, nonce, form)])
  const { short, shortest } = CELL_LENGTHS
  return {
    message: { text, blocks: withTable({ withLinks: true }) },
    shorter: [
      () => ({ text, blocks: withTable({}) }),
      () => ({ text, blocks: withTable({ cellLength: short }) }),
      () => ({ text: summary, blocks: withTable({ cellLength: shortest }) }),
    ],
    withoutTable: () => ({
      message: { text, blocks: around(callsLines(rows)) },
      shorter: [
        () => ({ text, blocks: around(callsLines(rows, short)) }),
        () => ({ text: summary, blocks: around(callsLines(rows, shortest)) }),
      ],
    }),
  }
}

/** Below a list: a row for paging, and one for the rest. */
function listButtons({ query, page, nonce }: CallsView): Block[] {
  const paging = pagingRow({
    action: ACTIONS.callsPage,
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => writeQuery({ ...query, page: number }),
    nonce,
  })
  const otherDirection = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const other: ListQuery = { ...query, direction: otherDirection, page: 1 }
  const elements = [
    button(ACTIONS.callsFilter, 'Filter…', writeQuery(query)),
    button(ACTIONS.callsDirection, titleOf(other), writeQuery(other)),
    shareButton(ACTIONS.callsShare, writeQuery(query)),
    moreMenu(ACTIONS.callsMore),
  ]
  return [...paging, { type: 'actions', block_id: writeMenuQuery(query, nonce), elements }]
}

/** The `/calls` message. Pure. */
export const callsMessage = (view: CallsView): Answer => pageWith(view, listButtons(view))

/**
 * The page, for everyone in the channel; links to recordings and buttons are the asking person's. Pure.
 * @param by who shares it
 */
export const sharedCalls = (view: CallsView, by: Sharer): Answer =>
  pageWith({ ...view, recordingsBaseUrl: undefined }, [attribution(by.name, 'Shared'), removeRow(by.id)])
