import { randomUUID } from 'node:crypto'
import * as blocks from '../../../slack/blocks/blocks.ts'
import { type LinkedPages, pagingRow } from '../../../slack/blocks/paging.ts'
import type { LineNames } from '../../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../../time/zones.ts'
import { pageText, paginate } from '../../../util/paging.ts'
import { countNoun, formatNumber } from '../../../util/text.ts'
import { type OpenPage, openActions } from '../actions.ts'
import { cutLabel, labelCalls, nameLine } from '../words.ts'
import { countCalls, MAX_OPEN_DAYS, type OpenCallGroup, type OpenCallList } from './calls.ts'

const PER_PAGE = 10

export interface OpenListView {
  readonly list: OpenCallList
  readonly person: string
  readonly lines: LineNames
  readonly zone: Zone
  readonly now: Date
  /** Result of a click, in mrkdwn. */
  readonly note?: string | undefined
  /** Set for a tool's answer, which has no buttons. */
  readonly toolPaging?: ((pages: LinkedPages) => readonly blocks.Block[]) | undefined
}

type Clock = Pick<OpenListView, 'zone' | 'now'>

const formatRecent = ({ zone, now }: Clock, at: number): string => recentLabel(zone, new Date(at), now)

const listOwn = ({ taken }: OpenCallList, person: string): readonly OpenCallGroup[] =>
  taken.filter(({ owner }) => owner?.person === person)

/** `3 missed calls are waiting, the oldest since 07:05`; undefined if none is. */
function describeWaiting({ waiting }: OpenCallList, clock: Clock): string | undefined {
  const [oldest] = waiting
  if (!oldest) return undefined
  const since = formatRecent(clock, oldest.since)
  const count = countCalls(waiting)
  if (count === 1) return `A missed call has been waiting since ${since}`
  return `${formatNumber(count)} missed calls are waiting, the oldest since ${since}`
}

/** `You have 2 calls to finish. 3 missed calls are waiting, the oldest since 07:05.`; undefined if there is nothing to do. */
export function describeForPerson(list: OpenCallList, person: string, clock: Clock): string | undefined {
  const sentences: string[] = []
  const ownCount = countCalls(listOwn(list, person))
  if (ownCount > 0) sentences.push(`You have ${countNoun(ownCount, 'call')} to finish.`)
  const waiting = describeWaiting(list, clock)
  if (waiting !== undefined) sentences.push(`${waiting}.`)
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** `Missed call at 07:05 on Sales Berlin · waiting 2 h 10 min`. Not escaped. */
function describeGroup({ line, owner, count, firstAt, since }: OpenCallGroup, view: OpenListView): string {
  const name = nameLine(line, view.lines)
  if (owner) {
    const what = `${countNoun(count, 'call')} on ${name}`
    return `${cutLabel(owner.name)} · ${what} · since ${formatRecent(view, since)}`
  }
  const at = formatRecent(view, firstAt)
  const title = count === 1 ? `Missed call at ${at}` : `${formatNumber(count)} missed calls since ${at}`
  return `${title} on ${name} · waiting ${durationText(Math.max(0, view.now.getTime() - since))}`
}

/** @param link to the message */
function buildGroup(
  group: OpenCallGroup,
  page: OpenPage,
  view: OpenListView,
  link: string | undefined,
): blocks.Block[] {
  const { message, channel, line, owner } = group
  const isDirect = blocks.isPersonId(channel)
  let where = isDirect ? 'Your direct messages' : `<#${channel}>`
  if (link !== undefined) where += ` · <${blocks.escapeText(link)}|View message>`
  const text = blocks.section(`*${blocks.escapeText(describeGroup(group, view))}*\n${where}`)
  // A direct message has one reader, so there is nothing to take.
  if (view.toolPaging || (!owner && isDirect)) return [text]
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

function selectView(view: OpenPage['view'], { list, person, ...clock }: OpenListView): SelectedView {
  const days = `the last ${MAX_OPEN_DAYS} days`
  if (view === 'mine') {
    const groups = listOwn(list, person)
    const calls = groups.length === 0 ? 'no calls' : countNoun(countCalls(groups), 'call')
    const empty = `You have finished every call that you took in ${days}.`
    return { groups, title: `You have ${calls} to finish`, empty }
  }
  if (view === 'taken') {
    const calls = countNoun(countCalls(list.taken), 'call')
    const title = list.taken.length === 0 ? 'No taken calls' : `${calls} taken, not done`
    const empty = `Every call that was taken in ${days} in your channels is done.`
    return { groups: list.taken, title, empty }
  }
  return {
    groups: [...list.waiting, ...list.taken],
    title: describeWaiting(list, clock) ?? 'No missed calls are waiting',
    empty: `Every missed call from ${days} in your channels has been taken or finished.`,
  }
}

/** Returns the calls of a page, and the texts above them. */
export function selectOpenPage({ view, page: requestedPage }: OpenPage, content: OpenListView) {
  const { groups, title, empty } = selectView(view, content)
  const { items, ...pages } = paginate(groups, requestedPage, PER_PAGE)
  return { view, title, empty, items, pages }
}

/** @param links to messages by id */
export function renderOpenPage(
  { view, title, empty, items, pages }: ReturnType<typeof selectOpenPage>,
  content: OpenListView,
  links: ReadonlyMap<string, string>,
): blocks.Message {
  const { zone, now, note, toolPaging } = content
  const position = pages.last === 1 ? '' : ` · ${pageText(pages)}`
  const about = items.length === 0 ? empty : `Last ${MAX_OPEN_DAYS} days · ${zoneLabel(zone, now)}${position}`
  const shown: blocks.Block[] = [blocks.header(title)]
  const texts = [`${title}.`]
  if (note !== undefined) {
    shown.push(blocks.section(note))
    texts.unshift(note)
  }
  shown.push(blocks.noteBlock(about))
  for (const [index, group] of items.entries()) {
    const isFirstTaken = group.owner !== undefined && items[index - 1]?.owner === undefined
    if (isFirstTaken && view === 'open') {
      shown.push(blocks.section('*Taken, not done*'))
      texts.push('Taken, not done:')
    }
    shown.push(...buildGroup(group, { page: pages.page, view }, content, links.get(group.message)))
    texts.push(blocks.escapeText(describeGroup(group, content)))
  }
  const valueFor = (page: number) => ({ page, view })
  const nonce = randomUUID().slice(0, 8)
  shown.push(...(toolPaging?.(pages) ?? pagingRow({ action: openActions.page, ...pages, valueFor, nonce })))
  return { text: blocks.textOfLines(texts), blocks: shown }
}
