import {
  type Block,
  button,
  cell,
  context,
  cut,
  escapeText,
  header,
  LIMITS,
  linkCell,
  type Message,
  plain,
  section,
  type TableCell,
} from '../slack/blocks.ts'
import { PAGE_SIZE } from '../telephony/paging.ts'
import type { Call, CallPage, Raw } from '../telephony/types.ts'
import { dayLabel } from '../time/days.ts'
import type { Zone } from '../time/types.ts'
import { type ClockChange, localDay, wallTime, zoneLabel } from '../time/zones.ts'
import { type ListQuery, writeMenuBlockId, writeQuery } from './query.ts'

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

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && 'raw' in value
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const titleOf = (query: ListQuery) => `${capital(query.direction)} calls`

/** `HH:MM:SS` */
function duration(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** One row, as plain text. */
function texts(call: Call, zone: Zone): readonly string[] {
  return [
    isRaw(call.at) ? call.at.raw : wallTime(zone, call.at),
    call.number,
    isRaw(call.seconds) ? call.seconds.raw : duration(call.seconds),
    isRaw(call.status) ? call.status.raw : capital(call.status),
    isRaw(call.cost) ? call.cost.raw : call.cost,
    call.recording === undefined ? '' : isRaw(call.recording) ? call.recording.raw : 'Yes',
  ]
}

const columns = ['Time', 'Number', 'Duration', 'Status', 'Cost', 'Recording']

function recordingUrl(call: Call, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || typeof call.recording !== 'string') return undefined
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const url = `${base}download_file.php?filename=${encodeURIComponent(call.recording)}&filetype=callrecording`
  return url.length <= 3000 ? url : undefined
}

function table({ page, zone, recordingsBaseUrl }: CallsView, nonce: string, withLinks: boolean): Block {
  const row = (call: Call): TableCell[] => {
    const cells = texts(call, zone).map((text) => cell(text, 40))
    const url = withLinks ? recordingUrl(call, recordingsBaseUrl) : undefined
    return url === undefined ? cells : [...cells.slice(0, -1), linkCell('Listen', url)]
  }
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: [
      { align: 'left' },
      { align: 'left' },
      { align: 'right' },
      { align: 'left' },
      { align: 'right' },
    ],
    rows: [columns.map((name) => cell(name)), ...page.calls.map(row)],
  }
}

/** The same rows where Slack refuses the table. */
function lines({ page, zone }: CallsView): Block[] {
  const line = (call: Call) =>
    escapeText(
      texts(call, zone)
        .filter((text) => text !== '')
        .map((text) => cut(text, 40))
        .join(' · '),
    )
  const half = Math.ceil(page.calls.length / 2)
  return [page.calls.slice(0, half), page.calls.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map(line).join('\n')))
}

function asked({ query, zone, now }: CallsView): string {
  const { from, to } = query
  const days =
    from && to
      ? from === to
        ? dayLabel(from)
        : `${dayLabel(from)} – ${dayLabel(to)}`
      : from
        ? `from ${dayLabel(from)}`
        : to
          ? `until ${dayLabel(to)}`
          : 'any day'
  const agent = query.agentId === undefined ? [] : [`agent ${query.agentName ?? query.agentId}`]
  const parts = [query.status ? capital(query.status) : 'Every status', days, ...agent, zoneLabel(zone, now)]
  return parts.join(' · ')
}

function position({ page, query }: CallsView): { readonly text: string; readonly last: number | undefined } {
  const last = page.total === undefined ? undefined : Math.max(1, Math.ceil(page.total / PAGE_SIZE))
  const first = (query.page - 1) * PAGE_SIZE + 1
  const rows = `${first}–${first + page.calls.length - 1}`
  const text =
    last === undefined
      ? `Page ${query.page} · ${rows}`
      : `Page ${query.page} of ${last} · ${rows} of ${page.total}`
  return { text, last }
}

function pagingButtons(view: CallsView, last: number | undefined): Block[] {
  const { query, page } = view
  const to = (name: string, text: string, number: number) =>
    button(`calls.page.${name}`, text, writeQuery({ ...query, page: number }))
  const hasNext = last === undefined ? page.calls.length === PAGE_SIZE : query.page < last
  const previous = last === undefined ? query.page - 1 : Math.min(query.page - 1, last)
  const elements = [
    ...(query.page > 1 ? [to('first', 'First', 1)] : []),
    ...(query.page > 1 ? [to('previous', 'Previous', previous)] : []),
    ...(hasNext ? [to('next', 'Next', query.page + 1)] : []),
    ...(hasNext && last !== undefined ? [to('last', 'Last', last)] : []),
  ]
  return elements.length > 0 ? [{ type: 'actions', block_id: `calls.paging|${view.nonce}`, elements }] : []
}

function moreButtons({ query, nonce }: CallsView): Block {
  const other = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  return {
    type: 'actions',
    block_id: writeMenuBlockId(query, nonce),
    elements: [
      button('calls.filter', 'Filter…', writeQuery(query)),
      button(
        'calls.direction',
        `${capital(other)} calls`,
        writeQuery({ ...query, direction: other, page: 1 }),
      ),
      {
        type: 'overflow',
        action_id: 'calls.more',
        options: [{ text: plain('Refresh', LIMITS.optionText), value: 'refresh' }],
      },
    ],
  }
}

function clockNote({ clockChanges, zone }: CallsView): Block[] {
  const [change] = clockChanges
  if (!change) return []
  const when = clockChanges.map(({ at, before, after }) => {
    return `on ${dayLabel(localDay(zone, at))} from UTC${before} to UTC${after}`
  })
  const text = `The clocks changed ${when.join(' and ')}. Each time is the one that clocks showed at that call; days after the change are counted at UTC${change.before}.`
  return [context(escapeText(text))]
}

function emptyText({ query, page }: CallsView, last: number | undefined): string {
  if (page.total !== undefined && page.total > 0 && last !== undefined) {
    return `There is no page ${query.page}: the list has ${last === 1 ? 'one page' : `${last} pages`}.`
  }
  const isFiltered = query.status || query.from || query.to || query.agentId
  return isFiltered
    ? 'No calls match. Change the filters, or look at the other direction.'
    : `There are no ${query.direction} calls yet. Look at the other direction, or refresh in a while.`
}

/**
 * The `/calls` message. Pure. `withoutTable` is the same for where Slack refuses tables; without rows there is no table
 * and only `message`.
 */
export function callsMessage(view: CallsView): {
  readonly message: Message
  readonly withoutTable?: Message
} {
  const { text: place, last } = position(view)
  const title = titleOf(view.query)
  const isEmpty = view.page.calls.length === 0
  const head = [header(title), context(escapeText(asked(view)))]
  const foot = [
    ...(isEmpty ? [] : [context(place)]),
    ...clockNote(view),
    ...pagingButtons(view, last),
    moreButtons(view),
  ]
  if (isEmpty) {
    const nothing = emptyText(view, last)
    return {
      message: { text: escapeText(`${title}: ${nothing}`), blocks: [...head, section(nothing), ...foot] },
    }
  }
  const text = escapeText(`${title}. ${asked(view)}. ${place}`)
  const withTable = (withLinks: boolean): Message => ({
    text,
    blocks: [...head, table(view, view.nonce, withLinks), ...foot],
  })
  const linked = withTable(true)
  // Links make a long message; over Slack's limit a recording only shows as present.
  const message = JSON.stringify(linked).length <= LIMITS.messageJson - 200 ? linked : withTable(false)
  return { message, withoutTable: { text, blocks: [...head, ...lines(view), ...foot] } }
}
