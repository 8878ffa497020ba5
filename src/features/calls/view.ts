import type { types } from '@slack/bolt'
import { isSearch, usedFilters, writeWords } from '../../query/filters/call-filters.ts'
import { countDaysToToday, type ListQuery } from '../../query/query.ts'
import { callsText, noCallsText } from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/buttons.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import * as tables from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { countCallPages } from '../../telephony/types.ts'
import { lastDays } from '../../time/days.ts'
import { positionText } from '../../util/paging.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { exportActions } from '../export/actions.ts'
import { callsActions } from './actions.ts'
import { type CallsView, fillCallTable } from './columns.ts'
import { type Sharer, shareButtons, sharedFooter } from './sharing.ts'
import * as words from './words.ts'

interface ListParts {
  readonly title: string
  /** Days and time zone. */
  readonly about: string
  /** A sentence above the table, or in place of it. */
  readonly lead?: string | undefined
  readonly table?: tables.Table
  readonly blockId: string
  readonly notes: readonly (string | undefined)[]
  readonly footer: readonly blocks.Block[]
}

/** If Slack refuses the table, the message has shorter values, then lines of text. */
export function listAnswer({ title, about, lead, table, blockId, notes, footer }: ListParts): Answer {
  const head = [blocks.header(title), blocks.plainContext(about)]
  if (lead !== undefined) head.push(blocks.section(blocks.escapeText(lead)))
  const below = notes.filter((note) => note !== undefined).map(blocks.plainContext)
  const withRows = (rows: readonly blocks.Block[]) => [...head, ...rows, ...below, ...footer]
  if (!table) return { message: { text: blocks.escapeText(lead ?? title), blocks: withRows([]) } }
  const sentences = lead === undefined ? [title, about] : [title, about, lead]
  const summary = blocks.escapeText(sentences.join('. '))
  const text = blocks.textOfLines([summary, ...tables.shortTableLines(table)])
  const cellLength = tables.CELL_LENGTHS.short
  return {
    message: { text, blocks: withRows([tables.tableBlock(table, { blockId, isRich: true })]) },
    fallbacks: [
      () => ({ text, blocks: withRows([tables.tableBlock(table, { blockId, cellLength })]) }),
      () => ({ text: summary, blocks: withRows(blocks.sections(tables.tableLines(table, cellLength))) }),
    ],
  }
}

/** Without a total, this is only known on page 1. */
const isEmptyList = ({ page }: CallsView): boolean =>
  page.calls.length === 0 && (page.page === 1 || page.total === 0)

function explainEmptyPage(view: CallsView): string {
  const { query, page, today, lines, found } = view
  // Without a total, the page before is the last one.
  if (!isEmptyList(view))
    return `This list ends at page ${formatNumber(countCallPages(page).last ?? page.page - 1)}.`
  // Around a clock change, calls of other days are read as well, so the number of read calls would be wrong.
  const searched = isSearch(query) ? found : undefined
  return noCallsText(query, today, { lines, found: searched })
}

/** @param footer buttons, or the attribution in a channel */
export function renderCalls(view: CallsView, footer: readonly blocks.Block[]): Answer {
  const { query, page, zone, now, found, nonce } = view
  const title = words.formatTitle(view)
  const about = words.describeDays(query, zone, now)
  const blockId = `calls.table|${nonce}`
  const timeoutNote = found && words.timeoutText(found)
  if (page.calls.length === 0)
    return listAnswer({ title, about, lead: explainEmptyPage(view), blockId, notes: [timeoutNote], footer })
  const { table, sameText } = fillCallTable(view)
  const lead = page.page === 1 ? words.describeLastCall(view) : undefined
  const notes = [positionText(countCallPages(page)), sameText, timeoutNote]
  return listAnswer({ title, about, lead, table, blockId, notes, footer })
}

const showButton = (name: string, text: string, query: ListQuery): types.Button =>
  callsActions.show.named(name).button(text, { ...query, page: 1 })

/** A list of both directions has no button: people choose one in its filter form. Only incoming calls have a line or an alert. */
function directionButtons(query: ListQuery): readonly types.Button[] {
  if (query.direction === 'both') return []
  const direction = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const otherQuery = { ...query, direction, line: undefined, alert: undefined, page: 1 } as const
  return [callsActions.direction.button(capitalize(callsText({ direction })), otherQuery)]
}

/** A search may leave out calls that it had no time for, or those before its first day; they are searched for up to a year. */
function searchButtons({ found, query, today }: CallsView): readonly types.Button[] {
  if (!found) return []
  if (found.timedOutAfterMs !== undefined) {
    const command = `/calls export ${writeWords({ ...query, page: 1 })}`
    return [commandButton('export', 'Export all', command)]
  }
  const searchedDays = countDaysToToday(query, today)
  if (searchedDays === undefined) return []
  const moreDays = [90, 366].find((days) => days > searchedDays)
  if (moreDays === undefined) return []
  return [showButton('more-days', `Last ${moreDays} days`, { ...query, ...lastDays(moreDays, today) })]
}

/** A search keeps its dates, because without them it covers only 30 days. */
function widerButtons(query: ListQuery): readonly types.Button[] {
  const { from, to, ...withoutDates } = query
  const buttons: types.Button[] = []
  if (!isSearch(query) && (from ?? to) !== undefined)
    buttons.push(showButton('any-date', 'All dates', withoutDates))
  for (const { name, leaveOut } of usedFilters(query))
    if (leaveOut) buttons.push(showButton(leaveOut.id, leaveOut.text, { ...query, [name]: undefined }))
  return buttons
}

function threadButton(query: ListQuery): types.Button {
  const consequence =
    'Everyone there, guests included, will see when this number was last called. The audit log records who shared it.'
  const confirm = blocks.confirmation('Answer in the thread?', consequence, 'Answer')
  return { ...callsActions.answerInThread.button('Answer in the thread', query), confirm }
}

function buildFooter(view: CallsView): readonly blocks.Block[] {
  const { query, page, shareLabel, nonce } = view
  const count = page.calls.length
  const pages = countCallPages(page)
  const valueFor = (pageNumber: number) => ({ ...query, page: pageNumber })
  const paging = isEmptyList(view) ? [] : pagingRow({ action: callsActions.page, ...pages, valueFor, nonce })
  const elements: types.Button[] = []
  if (query.openedFrom === 'agents') elements.push(commandButton('agents', '← Agents', '/agents'))
  if (query.thread !== undefined && words.describeForThread(view) !== undefined)
    elements.push(threadButton(query))
  elements.push(...searchButtons(view))
  if (count === 0) elements.push(...widerButtons(query))
  elements.push(callsActions.filter.button('Filter…', query), ...directionButtons(query))
  if (count > 0) {
    elements.push(...shareButtons(callsActions.share.button('Share…', query), shareLabel))
    // An export can't be limited to the calls of an alert.
    if (query.alert === undefined) elements.push(exportActions.list.button('Export…', query))
  }
  return [...paging, { type: 'actions', block_id: `calls.more|${nonce}`, elements }]
}

export const renderPrivateList = (view: CallsView): Answer => renderCalls(view, buildFooter(view))

/** Not everyone in a channel may listen to recordings. */
export const renderSharedList = (view: CallsView, sharer: Sharer): Answer =>
  renderCalls({ ...view, recordingsBaseUrl: undefined }, sharedFooter(sharer))

export function renderThreadAnswer(view: CallsView, sharer: Sharer): Answer {
  // Empty if the calls were read again since the button was shown, and time ran out.
  const text = blocks.escapeText(words.describeForThread(view) ?? '')
  const title = blocks.escapeText(words.formatTitle(view))
  const days = blocks.plainContext(words.describeDays(view.query, view.zone, view.now))
  const content = [blocks.section(`*${title}*\n${text}`), days, ...sharedFooter(sharer)]
  return { message: { text: `${title}. ${text}`, blocks: content } }
}
