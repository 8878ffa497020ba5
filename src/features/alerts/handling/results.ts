import { cut, escapeText } from '../../../slack/blocks/blocks.ts'
import type { MissedCallRecord } from '../../../store/missed-calls.ts'
import { formatNumber } from '../../../util/text.ts'
import { type CallOwner, type FormatStateTime, listOwners, MAX_LABEL_LENGTH } from '../words.ts'
import type { CallChange } from './changes.ts'
import type { Handled } from './handling.ts'

// Answers to the person who clicked, below the message that everyone sees. mrkdwn.

export const goneText = "It's too old: alerts are kept for 100 days."

const MAX_OWNERS = 3

const formatHolder = (name: string): string => escapeText(cut(name, MAX_LABEL_LENGTH))

/** `Ada Marsh has had 12 since 11:08.` */
function describeOwner({ name, isDone, since, count }: CallOwner, formatTime: FormatStateTime): string {
  const label = formatHolder(name)
  if (isDone) return `${label} finished ${formatNumber(count)} at ${formatTime(since)}.`
  return `${label} has had ${formatNumber(count)} since ${formatTime(since)}.`
}

function describeOwners(owners: readonly CallOwner[], formatTime: FormatStateTime): string {
  const texts = owners.slice(0, MAX_OWNERS).map((owner) => describeOwner(owner, formatTime))
  return texts.join(' ')
}

function describeKept(kept: readonly MissedCallRecord[], formatTime: FormatStateTime): string {
  const owners = listOwners(kept)
  const [owner, ...others] = owners
  if (!owner) return 'Someone has released or reopened it since.'
  if (others.length > 0) return describeOwners(owners, formatTime)
  const { name, isDone, since } = owner
  return `Already ${isDone ? 'done' : 'taken'} by ${formatHolder(name)} at ${formatTime(since)}.`
}

/** Returns undefined if the message shows everything. */
export function describeProblem(
  { name }: CallChange,
  { changed, kept, shown }: Handled,
  formatTime: FormatStateTime,
): string | undefined {
  if (changed.length === 0) return describeKept(kept, formatTime)
  const texts: string[] = []
  // Taking is partial if others were faster; the other changes only concern some calls anyway.
  if (name === 'take' && kept.length > 0)
    texts.push(`You took ${formatNumber(changed.length)}.`, describeOwners(listOwners(kept), formatTime))
  if (shown === 'unchangeable')
    texts.push("Saved, but Slack doesn't let Callboard change this message any more.")
  if (shown === 'later') texts.push('Saved. Slack will show it with the next update.')
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** Returns what happened, for lists of open calls. */
export function describeResult(change: CallChange, handled: Handled, formatTime: FormatStateTime): string {
  const problem = describeProblem(change, handled, formatTime)
  if (problem !== undefined) return problem
  const isOne = handled.changed.length === 1
  const count = formatNumber(handled.changed.length)
  if (change.name === 'take') return isOne ? 'You took it.' : `You took ${count}.`
  if (change.name === 'finish') return isOne ? 'Done.' : `You finished ${count}.`
  return isOne ? 'You released it.' : `You released ${count}.`
}
