import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatNumber } from '../../util/text.ts'

const MAX_LABEL_LENGTH = 80

export const cutLabel = (name: string): string => cut(name, MAX_LABEL_LENGTH)

/** Returns mrkdwn. */
export const formatLabel = (name: string): string => escapeText(cutLabel(name))

/** Not escaped. */
export const nameLine = (line: string, lines: LineNames): string =>
  line === '' ? 'an unknown line' : cutLabel(lines.getLabel(line))

/** `missed call at 09:05 on Sales Paris`, `12 missed calls since 09:05 on Sales Paris`. Not escaped. */
export function labelCalls(count: number, firstTime: string, lineName: string): string {
  if (count === 1) return `missed call at ${firstTime} on ${lineName}`
  return `${formatNumber(count)} missed calls since ${firstTime} on ${lineName}`
}

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
    const act = done ?? taken
    if (!act) continue
    const isDone = done !== undefined
    // A person may have some calls and have finished others.
    const key = `${isDone} ${act.person}`
    const owner = owners.get(key) ?? { name: act.name, isDone, since: act.at, count: 0 }
    owner.count += 1
    owner.since = Math.min(owner.since, act.at)
    owners.set(key, owner)
  }
  return [...owners.values()].toSorted((a, b) => b.count - a.count)
}

/** Ten rows of a message may each name several people, and a message holds 12,000 bytes. */
const MAX_OWNER_LENGTH = 40
export const MAX_NAMED_OWNERS = 3
const cutOwnerName = (name: string): string => cut(name, MAX_OWNER_LENGTH)

/** `Ada has it`, `Ada has 12 · 3 done by Ben · 5 waiting`, `released by Ben`; empty if all just wait. Not escaped. */
export function describeStates(calls: readonly MissedCallRecord[]): string {
  const owners = listOwners(calls)
  const [firstOwner, ...otherOwners] = owners
  if (!firstOwner) {
    const released = calls.find((call) => call.released)?.released
    return released ? `released by ${cutOwnerName(released.name)}` : ''
  }
  const waitingCount = calls.filter(isWaiting).length
  if (otherOwners.length === 0 && waitingCount === 0) {
    if (firstOwner.isDone) return `done by ${cutOwnerName(firstOwner.name)}`
    return `${cutOwnerName(firstOwner.name)} has ${calls.length === 1 ? 'it' : 'them'}`
  }
  const parts = owners.slice(0, MAX_NAMED_OWNERS).map(describeShare)
  let unnamedCount = 0
  for (const { count } of owners.slice(MAX_NAMED_OWNERS)) unnamedCount += count
  if (unnamedCount > 0) parts.push(`${formatNumber(unnamedCount)} with others`)
  if (waitingCount > 0) parts.push(`${formatNumber(waitingCount)} waiting`)
  return parts.join(' · ')
}

function describeShare({ name, isDone, count }: CallOwner): string {
  if (isDone) return `${formatNumber(count)} done by ${cutOwnerName(name)}`
  return `${cutOwnerName(name)} has ${formatNumber(count)}`
}
