import { cut } from '../../slack/blocks/blocks.ts'
import { isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatNumber } from '../../util/text.ts'

export const MAX_LABEL_LENGTH = 80

/** Not escaped. */
export const nameLine = (line: string, lines: LineNames): string =>
  line === '' ? 'an unknown line' : cut(lines.getLabel(line), MAX_LABEL_LENGTH)

/** Ten rows of a message may each name several people, and a message holds 12,000 bytes. */
const MAX_OWNER_LENGTH = 40
const MAX_NAMED_OWNERS = 3

const nameText = (name: string) => cut(name, MAX_OWNER_LENGTH)

interface OwnedCalls {
  readonly name: string
  count: number
}

interface StateCounts {
  waiting: number
  /** The call that was released last. */
  released: MissedCallRecord['released']
  /** By person. */
  readonly taken: Map<string, OwnedCalls>
  readonly done: Map<string, OwnedCalls>
}

function countOwner(owners: Map<string, OwnedCalls>, { person, name }: { person: string; name: string }) {
  const owned = owners.get(person)
  if (owned) owned.count += 1
  else owners.set(person, { name: nameText(name), count: 1 })
}

export function countStates(calls: readonly MissedCallRecord[]): StateCounts {
  const counts: StateCounts = { waiting: 0, released: undefined, taken: new Map(), done: new Map() }
  for (const call of calls) {
    const { taken, done, released } = call
    if (done) countOwner(counts.done, done)
    else if (taken) countOwner(counts.taken, taken)
    if (!isWaiting(call)) continue
    counts.waiting += 1
    if (released && released.at > (counts.released?.at ?? 0)) counts.released = released
  }
  return counts
}

/** Names those with the most calls, and counts the calls of all others. */
function nameOwners(owners: ReadonlyMap<string, OwnedCalls>) {
  const sorted = [...owners.values()].toSorted((one, other) => other.count - one.count)
  let others = 0
  for (const { count } of sorted.slice(MAX_NAMED_OWNERS)) others += count
  return { named: sorted.slice(0, MAX_NAMED_OWNERS), others }
}

/** `Ben Okoro has it`, `Ben Okoro has 12 · 3 done by Ada Marsh · 5 waiting`; empty if all wait. Not escaped. */
export function describeCounts(counts: StateCounts, formatTime: (at: number) => string): string {
  const { waiting, released, taken, done } = counts
  const parts: string[] = []
  const isWhole = taken.size + done.size + (waiting > 0 ? 1 : 0) === 1
  const takers = nameOwners(taken)
  for (const { name, count } of takers.named) {
    const whole = count === 1 ? 'it' : 'them'
    parts.push(`${name} has ${isWhole ? whole : formatNumber(count)}`)
  }
  if (takers.others > 0) parts.push(`others have ${formatNumber(takers.others)}`)
  const finishers = nameOwners(done)
  for (const { name, count } of finishers.named)
    parts.push(isWhole ? `done by ${name}` : `${formatNumber(count)} done by ${name}`)
  if (finishers.others > 0) parts.push(`${formatNumber(finishers.others)} done by others`)
  if (waiting > 0 && !isWhole) parts.push(`${formatNumber(waiting)} waiting`)
  if (waiting > 0 && isWhole && released) {
    const before = `(${nameText(released.before.name)} had ${waiting === 1 ? 'it' : 'them'})`
    parts.push(`released by ${nameText(released.name)} at ${formatTime(released.at)} ${before}`)
  }
  return parts.join(' · ')
}
