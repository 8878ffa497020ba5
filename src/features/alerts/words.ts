import { cut } from '../../slack/blocks/blocks.ts'
import { isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatNumber } from '../../util/text.ts'

export const MAX_LABEL_LENGTH = 80

/** Not escaped. */
export const nameLine = (line: string, lines: LineNames): string =>
  line === '' ? 'an unknown line' : cut(lines.getLabel(line), MAX_LABEL_LENGTH)

/** `the missed call at 09:05 on Sales Paris`, `12 missed calls since 09:05 on Sales Paris`. Not escaped. */
export function labelCalls(count: number, firstAt: string, line: string): string {
  if (count === 1) return `the missed call at ${firstAt} on ${line}`
  return `${formatNumber(count)} missed calls since ${firstAt} on ${line}`
}

/** Ten rows of a message may each name several people, and a message holds 12,000 bytes. */
const MAX_OWNER_LENGTH = 40
const MAX_NAMED_OWNERS = 3

const nameOwner = ({ name }: { readonly name: string }) => cut(name, MAX_OWNER_LENGTH)

export interface CallOwner {
  readonly name: string
  readonly isDone: boolean
  /** When the first of the calls was taken or done. */
  since: number
  count: number
}

/** Returns who has or finished calls, those with the most calls first. */
export function listOwners(calls: readonly MissedCallRecord[]): readonly CallOwner[] {
  const owners = new Map<string, CallOwner>()
  for (const { taken, done } of calls) {
    const latest = done ?? taken
    if (!latest) continue
    const isDone = done !== undefined
    const key = `${isDone} ${latest.person}`
    const owner = owners.get(key) ?? { name: latest.name, isDone, since: latest.at, count: 0 }
    owner.count += 1
    owner.since = Math.min(owner.since, latest.at)
    owners.set(key, owner)
  }
  return [...owners.values()].toSorted((one, other) => other.count - one.count)
}

export type FormatStateTime = (at: number) => string

function describeReleased(
  waiting: readonly MissedCallRecord[],
  formatTime: FormatStateTime,
): string | undefined {
  let latest: MissedCallRecord['released']
  for (const { released } of waiting) if (released && released.at > (latest?.at ?? 0)) latest = released
  if (!latest) return undefined
  const calls = waiting.length === 1 ? 'it' : 'them'
  return `released by ${nameOwner(latest)} at ${formatTime(latest.at)} (${nameOwner(latest.before)} had ${calls})`
}

/** Names those with the most calls, and counts the calls of all others. */
function splitOwners(owners: readonly CallOwner[]) {
  let others = 0
  for (const { count } of owners.slice(MAX_NAMED_OWNERS)) others += count
  return { named: owners.slice(0, MAX_NAMED_OWNERS), others: others === 0 ? undefined : formatNumber(others) }
}

/** `Ben Okoro has it`, `Ben Okoro has 12 · 3 done by Ada Marsh · 5 waiting`; empty if all wait. Not escaped. */
export function describeStates(calls: readonly MissedCallRecord[], formatTime: FormatStateTime): string {
  const owners = listOwners(calls)
  const waiting = calls.filter(isWaiting)
  if (owners.length === 0) return describeReleased(waiting, formatTime) ?? ''
  const [owner, ...more] = owners
  if (owner && more.length === 0 && waiting.length === 0) {
    if (owner.isDone) return `done by ${nameOwner(owner)}`
    return `${nameOwner(owner)} has ${owner.count === 1 ? 'it' : 'them'}`
  }
  const parts: string[] = []
  const takers = splitOwners(owners.filter(({ isDone }) => !isDone))
  for (const taker of takers.named) parts.push(`${nameOwner(taker)} has ${formatNumber(taker.count)}`)
  if (takers.others) parts.push(`others have ${takers.others}`)
  const finishers = splitOwners(owners.filter(({ isDone }) => isDone))
  for (const finisher of finishers.named)
    parts.push(`${formatNumber(finisher.count)} done by ${nameOwner(finisher)}`)
  if (finishers.others) parts.push(`${finishers.others} done by others`)
  if (waiting.length > 0) parts.push(`${formatNumber(waiting.length)} waiting`)
  return parts.join(' · ')
}
