import { cut } from '../../slack/blocks/blocks.ts'
import { isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatNumber } from '../../util/text.ts'

export const MAX_LABEL_LENGTH = 80

/** Not escaped. */
export const nameLine = (line: string, lines: LineNames): string =>
  line === '' ? 'an unknown line' : cut(lines.getLabel(line), MAX_LABEL_LENGTH)

const nameText = (name: string) => cut(name, MAX_LABEL_LENGTH)

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

/** `Ben Okoro has it`, `Ben Okoro has 12 · 3 done by Ada Marsh · 5 waiting`; empty if all wait. Not escaped. */
export function describeCounts(counts: StateCounts, formatTime: (at: number) => string): string {
  const { waiting, released, taken, done } = counts
  const parts: string[] = []
  const isWhole = taken.size + done.size + (waiting > 0 ? 1 : 0) === 1
  for (const { name, count } of taken.values()) {
    const what = isWhole ? (count === 1 ? 'it' : 'them') : formatNumber(count)
    parts.push(`${name} has ${what}`)
  }
  for (const { name, count } of done.values())
    parts.push(isWhole ? `done by ${name}` : `${formatNumber(count)} done by ${name}`)
  if (waiting > 0 && !isWhole) parts.push(`${formatNumber(waiting)} waiting`)
  if (waiting > 0 && isWhole && released) {
    const before = `(${nameText(released.before.name)} had ${waiting === 1 ? 'it' : 'them'})`
    parts.push(`released by ${nameText(released.name)} at ${formatTime(released.at)} ${before}`)
  }
  return parts.join(' · ')
}
