import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import { getAgentText, titleDaysText } from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import * as tables from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type Call, formatOrRaw } from '../../telephony/types.ts'
import { type LocalDay, lastDays } from '../../time/days.ts'
import { recentLabel, type Zone } from '../../time/zones.ts'
import { paginate, positionText } from '../../util/paging.ts'
import { countNoun } from '../../util/text.ts'
import { callsActions, unreachedActions } from './actions.ts'
import { describeDays, timeoutNote } from './words.ts'

const NUMBERS_PER_PAGE = 20

export interface UnreachedNumber {
  readonly number: string
  readonly lastAt: Call['at']
  readonly tries: number
}

export interface UnreachedView {
  readonly query: ListQuery
  readonly numbers: readonly UnreachedNumber[]
  /** All outgoing calls of the days and since then. */
  readonly found: FoundCalls
  readonly zone: Zone
  readonly now: Date
  readonly today: LocalDay
  readonly lines: LineNames
  /** Makes block ids unique. */
  readonly nonce: string
}

const columns: readonly tables.Column<UnreachedNumber, UnreachedView>[] = [
  { title: 'Number', isEssential: true, text: ({ number }, { lines }) => lines.format(number) },
  {
    title: 'Last try',
    isEssential: true,
    text: ({ lastAt }, { zone, now }) => formatOrRaw(lastAt, (at) => recentLabel(zone, at, now)),
  },
  { title: 'Tries', isEssential: true, align: 'right', text: ({ tries }) => String(tries) },
]

/** `5 unreached numbers today`, `Anna Smith: 1 unreached number yesterday` */
function describeNumbers({ query, numbers, today }: UnreachedView): string {
  const agentName = getAgentText(query)
  const count = numbers.length === 0 ? 'No unreached numbers' : countNoun(numbers.length, 'unreached number')
  const title = `${count}${titleDaysText(query, today)}`
  return agentName === undefined ? title : `${agentName}: ${title}`
}

function explainNone({ found, query, today }: UnreachedView): string {
  if (found.timedOutAfterMs !== undefined) return 'Every number in the calls that I checked has been reached.'
  const when = titleDaysText(query, today)
  if (found.calls.length === 0) return `There were no outgoing calls${when}.`
  return `Every number that was dialed${when} has been reached.`
}

export const paginateUnreached = ({ numbers, query }: UnreachedView) =>
  paginate(numbers, query.page, NUMBERS_PER_PAGE)

export function buildUnreachedFooter(view: UnreachedView): readonly blocks.Block[] {
  const { query, today, nonce } = view
  const valueFor = (page: number): ListQuery => ({ ...query, page })
  const paging = pagingRow({ action: unreachedActions.page, ...paginateUnreached(view), valueFor, nonce })
  const unanswered: ListQuery = { ...valueFor(1), status: 'missed' }
  const buttons = [callsActions.show.named('unanswered').button('Show calls', unanswered)]
  if (query.from === today) {
    const week = { ...valueFor(1), ...lastDays(7, today) }
    buttons.push(unreachedActions.show.named('week').button('Last 7 days', week))
  }
  if (query.agentId !== undefined) buttons.push(commandButton('unreached', 'All agents', '/calls unreached'))
  return [...paging, ...blocks.actionRow(buttons)]
}

/** @param footer buttons */
export function renderUnreached(view: UnreachedView, footer: readonly blocks.Block[]): Answer {
  const { query, found, zone, now, nonce } = view
  const title = describeNumbers(view)
  const about = describeDays(query, zone, now)
  const { items, ...pages } = paginateUnreached(view)
  const head = [blocks.header(title), blocks.noteBlock(about)]
  const below: blocks.Block[] = []
  const position = positionText(pages)
  if (position !== undefined) below.push(blocks.noteBlock(position))
  if (found.timedOutAfterMs !== undefined)
    below.push(blocks.noteBlock(timeoutNote(found, found.timedOutAfterMs)))
  below.push(...footer)
  if (items.length === 0) {
    const text = blocks.escapeText(explainNone(view))
    return { message: { text, blocks: [...head, blocks.section(text), ...below] } }
  }
  const table = tables.fillTable(columns, items, view)
  const summary = blocks.escapeText(`${title}. ${about}`)
  const text = blocks.textOfLines([summary, ...tables.tableInShort(table)])
  const tableBlock = tables.tableBlock(table, { blockId: `calls.unreached|${nonce}` })
  const lines = () => blocks.sections(tables.tableLines(table))
  return {
    message: { text, blocks: [...head, tableBlock, ...below] },
    otherwise: [() => ({ text: summary, blocks: [...head, ...lines(), ...below] })],
  }
}
