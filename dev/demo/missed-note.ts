import type { LineNames } from '../../src/telephony/line-names.ts'
import type { SandboxCall } from '../service/types.ts'

/** On which lines calls were missed: an alert may be for some lines only. */
export function missedNote(calls: readonly Pick<SandboxCall, 'number'>[], names: LineNames): string {
  const byLine = Map.groupBy(calls, ({ number }) => names.labelOf(number))
  const counts = [...byLine]
    .map(([line, { length }]) => ({ line, length }))
    .sort((a, b) => b.length - a.length)
  const [first = { line: '', length: 0 }, ...others] = counts
  if (others.length > 0)
    return `${calls.length} calls were missed now: ${counts.map(({ line, length }) => `${length} on ${line}`).join(', ')}.`
  return first.length === 1
    ? `A call was missed now, on ${first.line}.`
    : `${first.length} calls were missed now, on ${first.line}.`
}
