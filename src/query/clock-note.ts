import { type Call, isRaw } from '../telephony/types.ts'
import { dayLabel } from '../time/days.ts'
import { type OpenRange, rangeClockChanges } from '../time/ranges.ts'
import { type ClockChange, localDay, offsetMinutes, type Zone } from '../time/zones.ts'
import { countNoun } from '../util/text.ts'

/** `1 hour`, `30 minutes` */
function formatShift(minutes: number): string {
  const size = Math.abs(minutes)
  return size % 60 === 0 ? countNoun(size / 60, 'hour') : countNoun(size, 'minute')
}

/** @param calls of the page, which must have calls before and after a change */
export function clockNote(
  range: OpenRange,
  zone: Zone,
  now: Date,
  calls?: readonly Pick<Call, 'at'>[],
): string | undefined {
  const isOnPage = ({ at: change }: ClockChange) =>
    new Set(calls?.flatMap(({ at }) => (isRaw(at) ? [] : [at < change]))).size > 1
  const past = rangeClockChanges(zone, range, now).filter(({ at }) => at <= now)
  const changes = calls ? past.filter(isOnPage) : past
  if (changes.length === 0) return undefined
  const when = changes.map((change) => {
    const minutes = offsetMinutes(change.after) - offsetMinutes(change.before)
    return `${minutes > 0 ? 'forward' : 'back'} ${formatShift(minutes)} on ${dayLabel(localDay(zone, change.at))}`
  })
  return `The clocks went ${when.join(' and ')}. Each call shows its local time.`
}
