import type { MissedCallRecord } from '../../../store/missed-calls.ts'
import { formatNumber } from '../../../util/text.ts'
import { type CallOwner, formatLabel, listOwners } from '../words.ts'
import type { CallChange } from './changes.ts'
import type { Handled } from './handling.ts'

// Answers to the person who clicked, below the message that everyone sees. mrkdwn.

export const goneText = "It's too old: alerts are kept for 100 days."

const MAX_OWNERS = 3

type FormatTime = (at: number) => string

/** `Ada Marsh has had 12 since 11:08. Ben Okoro finished 3 at 11:10.` */
function describeOwners(owners: readonly CallOwner[], formatTime: FormatTime): string {
  const texts = owners.slice(0, MAX_OWNERS).map(({ name, isDone, since, count }) => {
    if (isDone) return `${formatLabel(name)} finished ${formatNumber(count)} at ${formatTime(since)}.`
    return `${formatLabel(name)} has had ${formatNumber(count)} since ${formatTime(since)}.`
  })
  return texts.join(' ')
}

/** Says why none of the calls changed. */
function describeKept(kept: readonly MissedCallRecord[], formatTime: FormatTime): string {
  const owners = listOwners(kept)
  const [owner, ...others] = owners
  if (!owner) return 'Someone has released or reopened it since.'
  if (others.length > 0) return describeOwners(owners, formatTime)
  const state = owner.isDone ? 'done' : 'taken'
  return `Already ${state} by ${formatLabel(owner.name)} at ${formatTime(owner.since)}.`
}

/** Returns undefined if the message shows everything. */
export function describeProblem(
  { name }: CallChange,
  { changed, kept, shown }: Handled,
  formatTime: FormatTime,
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
