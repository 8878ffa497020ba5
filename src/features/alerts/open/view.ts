import { randomUUID } from 'node:crypto'
import * as blocks from '../../../slack/blocks/blocks.ts'
import { commandButton } from '../../../slack/blocks/buttons.ts'
import { type LinkedPages, pagingRow } from '../../../slack/blocks/paging.ts'
import type { Attribution } from '../../../store/missed-calls.ts'
import type { LineNames } from '../../../telephony/lines.ts'
import { durationText } from '../../../time/lengths.ts'
import { recentLabel, type Zone, zoneLabel } from '../../../time/zones.ts'
import { pageText, paginate } from '../../../util/paging.ts'
import { capitalize, countNoun, formatNumber } from '../../../util/text.ts'
import type { EpochMs } from '../../../util/units.ts'
import { type OpenPage, openActions } from '../actions.ts'
import { cutLabel, labelCalls, nameLine } from '../words.ts'

const PER_PAGE = 10

export const MAX_OPEN_DAYS = 7

/** Calls of one line in one message: those that wait, or those that one person has. */
export interface OpenCallGroup {
  readonly message: string
  readonly channel: string
  readonly line: string
  /** Undefined for calls that wait. */
  readonly owner: Attribution | undefined
  count: number
  /** Time of the oldest call. */
  firstAt: EpochMs
  /** When the oldest was posted, or taken. */
  since: EpochMs
}

/** Waiting calls first, then the person's own, then those of others; of each, the oldest first. */
export type OpenCallList = readonly OpenCallGroup[]

export interface OpenContent {
  readonly list: OpenCallList
  /** Id of the person who sees the list. */
  readonly person: string
  readonly lines: LineNames
  readonly zone: Zone
  readonly now: Date
  /** Result of a click, in mrkdwn. */
  readonly note?: string | undefined
  /** Set for a tool's answer: replaces the paging row. Its groups have no buttons. */
  readonly toolPaging?: ((pages: LinkedPages) => readonly blocks.Block[]) | undefined
}

type Clock = Pick<OpenContent, 'zone' | 'now'>

const formatRecent = ({ zone, now }: Clock, at: number): string => recentLabel(zone, new Date(at), now)

const listOwn = (list: OpenCallList, person: string): OpenCallList =>
  list.filter(({ owner }) => owner?.person === person)

const countCalls = (groups: OpenCallList): number => groups.reduce((sum, { count }) => sum + count, 0)

/** `3 missed calls are waiting, the oldest since 07:05`; undefined if none is. */
function describeWaiting(list: OpenCallList, clock: Clock): string | undefined {
  const waiting = list.filter(({ owner }) => !owner)
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

/** `Missed call at 07:05 on Sales Berlin · waiting 2 h 10 min`, `Ada · 2 calls on Sales Berlin · since 07:05`. Not escaped. */
function describeGroup({ line, owner, count, firstAt, since }: OpenCallGroup, content: OpenContent): string {
  const name = nameLine(line, content.lines)
  if (owner) {
    const what = `${countNoun(count, 'call')} on ${name}`
    return `${cutLabel(owner.name)} · ${what} · since ${formatRecent(content, since)}`
  }
  const title = capitalize(labelCalls(count, formatRecent(content, firstAt), name))
  return `${title} · waiting ${durationText(Math.max(0, content.now.getTime() - since))}`
}

function buildGroup(group: OpenCallGroup, page: OpenPage, content: OpenContent): blocks.Block[] {
  const { message, channel, line, owner } = group
  const isDirect = blocks.isPersonId(channel)
  const where = isDirect ? 'Your direct messages' : `<#${channel}>`
  const text = blocks.section(`*${blocks.escapeText(describeGroup(group, content))}*\n${where}`)
  // A direct message has one reader, so there is nothing to take.
  if (content.toolPaging || (!owner && isDirect)) return [text]
  const value = { ...page, id: message, line }
  const label = labelCalls(group.count, formatRecent(content, group.firstAt), nameLine(line, content.lines))
  if (!owner) {
    const take = openActions.take.button('Take', value, 'primary')
    return [{ ...text, accessory: blocks.withLabel(take, `Take ${label}`) }]
  }
  const ownValue = { ...value, person: owner.person }
  const done = openActions.done.button('Done', ownValue)
  const release = openActions.release.button('Release', ownValue)
  const buttons = [blocks.withLabel(done, `Done: ${label}`), blocks.withLabel(release, `Release ${label}`)]
  return [text, ...blocks.actionRow(buttons)]
}

function selectGroups(view: OpenPage['view'], { list, person }: OpenContent): OpenCallList {
  if (view === 'mine') return listOwn(list, person)
  if (view === 'taken') return list.filter(({ owner }) => owner)
  return list
}

function formatOpenTitle(view: OpenPage['view'], groups: OpenCallList, clock: Clock): string {
  if (view === 'open') return describeWaiting(groups, clock) ?? 'No missed calls are waiting'
  const calls = countNoun(countCalls(groups), 'call')
  if (view === 'taken') return groups.length === 0 ? 'No taken calls' : `${calls} taken, not done`
  return `You have ${groups.length === 0 ? 'no calls' : calls} to finish`
}

export function renderOpenPage({ view, page }: OpenPage, content: OpenContent): blocks.Message {
  const { zone, now, note, toolPaging } = content
  const groups = selectGroups(view, content)
  const title = formatOpenTitle(view, groups, content)
  const { items, ...pages } = paginate(groups, page, PER_PAGE)
  const position = pages.last === 1 ? '' : ` · ${pageText(pages)}`
  const shownBlocks: blocks.Block[] = [blocks.header(title)]
  const texts = [`${title}.`]
  if (note !== undefined) {
    shownBlocks.push(blocks.section(note))
    texts.unshift(note)
  }
  shownBlocks.push(blocks.plainContext(`Last ${MAX_OPEN_DAYS} days · ${zoneLabel(zone, now)}${position}`))
  for (const [index, group] of items.entries()) {
    // Waiting calls come first. A page that begins with taken ones has the heading, too.
    const isFirstTaken = group.owner !== undefined && items[index - 1]?.owner === undefined
    if (isFirstTaken && view === 'open') {
      shownBlocks.push(blocks.section('*Taken, not done*'))
      texts.push('Taken, not done:')
    }
    shownBlocks.push(...buildGroup(group, { page: pages.page, view }, content))
    texts.push(blocks.escapeText(describeGroup(group, content)))
  }
  // Slackbot's answers have no buttons but those that turn pages.
  if (groups.length === 0 && !toolPaging)
    shownBlocks.push(...blocks.actionRow([commandButton('missed', 'Missed calls', '/calls missed')]))
  const valueFor = (number: number) => ({ page: number, view })
  const nonce = randomUUID().slice(0, 8)
  const paging = toolPaging?.(pages) ?? pagingRow({ action: openActions.page, ...pages, valueFor, nonce })
  shownBlocks.push(...paging)
  return { text: blocks.textOfLines(texts), blocks: shownBlocks }
}
