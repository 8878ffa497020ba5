import { cut } from '../../../slack/blocks/blocks.ts'
import type { MissedCallRecord } from '../../../store/missed-calls.ts'
import { formatNumber } from '../../../util/text.ts'
import { MAX_LABEL_LENGTH } from '../words.ts'
import type { Handled } from './handling.ts'

// Answers to the person who clicked, below the message that everyone sees. Not escaped.

export const goneText = "It's too old: alerts are kept for 100 days."

/** Answers in lists of open calls; a message shows itself what changed. */
const changedTexts = {
  take: ['You took it.', 'You took'],
  finish: ['Done.', 'You finished'],
  release: ['You released it.', 'You released'],
} as const
export type ListChangeName = keyof typeof changedTexts
export type CallChangeName = ListChangeName | 'assign' | 'reopen' | 'undo'

const MAX_OWNERS = 3

interface CallOwner {
  readonly name: string
  readonly isDone: boolean
  /** The first time. */
  since: number
  count: number
}

/** Returns who has or finished the calls, those with the most calls first. */
function listOwners(calls: readonly MissedCallRecord[]): readonly CallOwner[] {
  const owners = new Map<string, CallOwner>()
  for (const { taken, done } of calls) {
    const by = done ?? taken
    if (!by) continue
    const isDone = done !== undefined
    const key = `${isDone} ${by.person}`
    const owner = owners.get(key) ?? { name: by.name, isDone, since: by.at, count: 0 }
    owner.count += 1
    owner.since = Math.min(owner.since, by.at)
    owners.set(key, owner)
  }
  return [...owners.values()].toSorted((one, other) => other.count - one.count)
}

type FormatSince = (at: number) => string

/** `Ada Marsh has 12 since 11:08.` */
function describeOwner({ name, isDone, since, count }: CallOwner, formatTime: FormatSince): string {
  const label = cut(name, MAX_LABEL_LENGTH)
  const number = formatNumber(count)
  return isDone
    ? `${label} finished ${number} at ${formatTime(since)}.`
    : `${label} has ${number} since ${formatTime(since)}.`
}

function describeUnchanged(kept: readonly MissedCallRecord[], formatTime: FormatSince): string {
  const [owner, ...others] = listOwners(kept)
  if (!owner) return 'Someone has released or reopened it since.'
  if (others.length > 0) return describeOwners(kept, formatTime)
  const { name, isDone, since } = owner
  return `Already ${isDone ? 'done' : 'taken'} by ${cut(name, MAX_LABEL_LENGTH)} at ${formatTime(since)}.`
}

const describeOwners = (calls: readonly MissedCallRecord[], formatTime: FormatSince): string =>
  listOwners(calls)
    .slice(0, MAX_OWNERS)
    .map((owner) => describeOwner(owner, formatTime))
    .join(' ')

function describeChanged(name: ListChangeName, count: number, total: number): string {
  const [one, several] = changedTexts[name]
  return total === 1 ? one : `${several} ${formatNumber(count)}.`
}

/** Returns undefined if the message shows everything. */
export function describeProblem(
  name: CallChangeName,
  { changed, kept, shown }: Handled,
  formatTime: FormatSince,
): string | undefined {
  if (changed.length === 0) return describeUnchanged(kept, formatTime)
  const texts: string[] = []
  // Taking is partial if others were faster; the other changes only concern some calls anyway.
  if (name === 'take' && kept.length > 0) {
    const others = describeOwners(kept, formatTime)
    texts.push(describeChanged(name, changed.length, changed.length + kept.length), others)
  }
  if (shown === 'unchangeable')
    texts.push("Saved, but Slack doesn't let Callboard change this message any more.")
  if (shown === 'later') texts.push('Saved. Slack will show it with the next update.')
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** Returns what happened, for lists that show the result of a click. */
export function describeResult(name: ListChangeName, handled: Handled, formatTime: FormatSince): string {
  const { changed } = handled
  const problem = describeProblem(name, handled, formatTime)
  return problem ?? describeChanged(name, changed.length, changed.length)
}
