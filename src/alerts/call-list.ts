import { type CallList, type MissedCall, MOST_KEPT_CALLS } from '../store/alerts.ts'

/** The newest first; of two at the same time, always the same one. */
const newestFirst = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? -1 : 1)

/** `undefined` for none. */
export function listOf(calls: readonly MissedCall[]): CallList | undefined {
  if (calls.length === 0) return undefined
  const sorted = [...calls].sort(newestFirst)
  const firstAt = calls.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY)
  return { count: calls.length, firstAt, calls: sorted.slice(0, MOST_KEPT_CALLS) }
}

/** Both, with what is in either of them once. */
export function mergeLists<T extends CallList>(one: T, other: CallList | undefined): T
export function mergeLists(one: CallList | undefined, other: CallList | undefined): CallList | undefined
export function mergeLists(one: CallList | undefined, other: CallList | undefined): CallList | undefined {
  if (!one || !other) return one ?? other
  const known = new Set(one.calls.map(({ id }) => id))
  const added = other.calls.filter(({ id }) => !known.has(id))
  if (added.length === 0) return one
  const calls = [...one.calls, ...added].sort(newestFirst).slice(0, MOST_KEPT_CALLS)
  const count = one.count + other.count - (other.calls.length - added.length)
  return { ...one, count, firstAt: Math.min(one.firstAt, other.firstAt), calls }
}

/** Without those that aren't wanted; then without what is counted alone, too, which is earlier than all that are listed. */
export function keepOf(
  list: CallList | undefined,
  isKept: (call: MissedCall) => boolean,
): CallList | undefined {
  const kept = list?.calls.filter(isKept) ?? []
  return kept.length === list?.calls.length ? list : listOf(kept)
}

/** What was not handled yet of a list that has only grown since: what is counted alone is known by its number. */
export function restOf({ count, calls }: CallList, handled: CallList): CallList | undefined {
  const known = new Set(handled.calls.map(({ id }) => id))
  const rest = listOf(calls.filter(({ id }) => !known.has(id)))
  return rest && { ...rest, count: Math.max(rest.count, count - handled.count) }
}
