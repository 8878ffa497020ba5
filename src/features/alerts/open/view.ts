import { randomUUID } from 'node:crypto'
import * as blocks from '../../../slack/blocks/blocks.ts'
import { type LinkedPages, pagingRow } from '../../../slack/blocks/paging.ts'
import type { LineNames } from '../../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../../time/zones.ts'
import { pageText, paginate } from '../../../util/paging.ts'
import { countNoun, formatNumber } from '../../../util/text.ts'
import { type OpenPage, type OpenView, openActions } from '../actions.ts'
import { labelCalls, MAX_LABEL_LENGTH, nameLine } from '../words.ts'
import { countCalls, MAX_OPEN_DAYS, type OpenCallGroup, type OpenCallList } from './calls.ts'

const PER_PAGE = 10

export interface OpenListView {
  readonly list: OpenCallList
  readonly person: string
  readonly lines: LineNames
  readonly zone: Zone
  readonly now: Date
  /** Links to messages by id. */
  readonly links: ReadonlyMap<string, string>
  /** Result of a click, in mrkdwn. */
  readonly note?: string | undefined
  /** Set for a tool's answer, which has no buttons. */
  readonly toolPaging?: ((pages: LinkedPages) => readonly blocks.Block[]) | undefined
}

type Clock = Pick<OpenListView, 'zone' | 'now'>
type ListedCalls = Clock & Pick<OpenListView, 'list' | 'person'>

const formatRecent = ({ zone, now }: Clock, at: number): string => recentLabel(zone, new Date(at), now)

export const listOwn = ({ taken }: OpenCallList, person: string): readonly OpenCallGroup[] =>
  taken.filter(({ owner }) => owner?.person === person)

/** `3 missed calls are waiting, the oldest since 07:05`; undefined if none is. */
export function describeWaiting({ waiting }: OpenCallList, clock: Clock): string | undefined {
  const [oldest] = waiting
  if (!oldest) return undefined
  const since = formatRecent(clock, oldest.since)
  const count = countCalls(waiting)
  if (count === 1) return `A missed call has been waiting since ${since}`
  return `${formatNumber(count)} missed calls are waiting, the oldest since ${since}`
}

/** `You have 2 calls to finish. 3 are waiting, the oldest since 07:05.`; undefined if there is nothing to do. */
export function describeForPerson(list: OpenCallList, person: string, clock: Clock): string | undefined {
  const ownCount = countCalls(listOwn(list, person))
  const waiting = describeWaiting(list, clock)
  if (ownCount === 0) return waiting && `${waiting}.`
  const ownText = `You have ${countNoun(ownCount, 'call')} to finish.`
  const [oldest] = list.waiting
  if (!oldest) return ownText
  const count = countCalls(list.waiting)
  const since = formatRecent(clock, oldest.since)
  if (count === 1) return `${ownText} One has been waiting since ${since}.`
  return `${ownText} ${formatNumber(count)} are waiting, the oldest since ${since}.`
}

/** `Missed call at 07:05 on Sales Berlin · waiting 2 h 10 min`. Not escaped. */
function describeGroup({ line, owner, count, firstAt, since }: OpenCallGroup, view: OpenListView): string {
  const name = nameLine(line, view.lines)
  if (owner) {
    const what = `${countNoun(count, 'call')} on ${name}`
    return `${blocks.cut(owner.name, MAX_LABEL_LENGTH)} · ${what} · since ${formatRecent(view, since)}`
  }
  const at = formatRecent(view, firstAt)
  const title = count === 1 ? `Missed call at ${at}` : `${formatNumber(count)} missed calls since ${at}`
  return `${title} on ${name} · waiting ${durationText(Math.max(0, view.now.getTime() - since))}`
}

function buildGroup(group: OpenCallGroup, page: OpenPage, view: OpenListView): blocks.Block[] {
  const { message, channel, line, owner } = group
  const place = blocks.isPersonId(channel) ? 'Your direct messages' : `<#${channel}>`
  const link = view.links.get(message)
  const where = link === undefined ? place : `${place} · <${blocks.escapeText(link)}|View message>`
  const text = blocks.section(`*${blocks.escapeText(describeGroup(group, view))}*\n${where}`)
  // A direct message has one reader, so there is nothing to take.
  if (view.toolPaging || (!owner && blocks.isPersonId(channel))) return [text]
  const value = { ...page, id: message, line }
  const calls = labelCalls(group.count, formatRecent(view, group.firstAt), nameLine(line, view.lines))
  if (!owner) {
    const take = openActions.take.button('Take', value, 'primary')
    return [{ ...text, accessory: blocks.withLabel(take, `Take ${calls}`) }]
  }
  const ownValue = { ...value, person: owner.person }
  const done = openActions.done.button('Done', ownValue)
  const release = openActions.release.button('Release', ownValue)
  const buttons = [blocks.withLabel(done, `Done: ${calls}`), blocks.withLabel(release, `Release ${calls}`)]
  return [text, ...blocks.actionRow(buttons)]
}

interface SelectedView {
  readonly groups: readonly OpenCallGroup[]
  readonly title: string
  /** Shown if there are no groups. */
  readonly empty: string
}

function selectView(view: OpenView, { list, person, ...clock }: ListedCalls): SelectedView {
  const days = `the last ${MAX_OPEN_DAYS} days`
  if (view === 'mine') {
    const groups = listOwn(list, person)
    const title = `You have ${groups.length === 0 ? 'no calls' : countNoun(countCalls(groups), 'call')} to finish`
    return { groups, title, empty: `You have finished every call that you took in ${days}.` }
  }
  if (view === 'taken') {
    const groups = list.taken
    const title =
      groups.length === 0 ? 'No taken calls' : `${countNoun(countCalls(groups), 'call')} taken, not done`
    return { groups, title, empty: `Every call that was taken in ${days} in your channels is done.` }
  }
  return {
    groups: [...list.waiting, ...list.taken],
    title: describeWaiting(list, clock) ?? 'No missed calls are waiting',
    empty: `Every missed call from ${days} in your channels has been taken or finished.`,
  }
}

export const paginateOpen = (view: OpenView, requestedPage: number, content: ListedCalls) =>
  paginate(selectView(view, content).groups, requestedPage, PER_PAGE)

export function renderOpenList(view: OpenView, requestedPage: number, content: OpenListView): blocks.Message {
  const { zone, now, note, toolPaging } = content
  const { groups, title, empty } = selectView(view, content)
  const { items, ...pages } = paginate(groups, requestedPage, PER_PAGE)
  const position = pages.last === 1 ? '' : ` · ${pageText(pages)}`
  const about = items.length === 0 ? empty : `Last ${MAX_OPEN_DAYS} days · ${zoneLabel(zone, now)}${position}`
  const notes = note === undefined ? [] : [note]
  const rows: blocks.Block[] = []
  const lines: string[] = []
  for (const [index, group] of items.entries()) {
    const isFirstTaken = group.owner !== undefined && items[index - 1]?.owner === undefined
    if (isFirstTaken && view === 'open') {
      rows.push(blocks.section('*Taken, not done*'))
      lines.push('Taken, not done:')
    }
    rows.push(...buildGroup(group, { page: pages.page, view }, content))
    lines.push(blocks.escapeText(describeGroup(group, content)))
  }
  const valueFor = (page: number) => ({ page, view })
  const nonce = randomUUID().slice(0, 8)
  const paging = toolPaging?.(pages) ?? pagingRow({ action: openActions.page, ...pages, valueFor, nonce })
  return {
    text: blocks.textOfLines([...notes, `${title}.`, ...lines]),
    blocks: [blocks.header(title), ...notes.map(blocks.section), blocks.noteBlock(about), ...rows, ...paging],
  }
}
