import { type Call, isRaw } from '../telephony/types.ts'
import { addDays, dayLabel, type LocalDay, shortDayLabel } from '../time/days.ts'
import { rangeClockChanges } from '../time/ranges.ts'
import { type ClockChange, localDay, offsetMinutes, type Zone } from '../time/zones.ts'
import { countNoun } from '../util/text.ts'
import type { ListQuery } from './query.ts'

/** `1 hour`, `30 minutes` */
function formatShift(minutes: number): string {
  const size = Math.abs(minutes)
  return size % 60 === 0 ? countNoun(size / 60, 'hour') : countNoun(size, 'minute')
}

const getShift = ({ before, after }: ClockChange): number => offsetMinutes(after) - offsetMinutes(before)

/**
 * A range is sent with the offset at its start. Ranges that end in the future use the current offset and need no note.
 * @param calls of the page, which must have calls before and after a change
 */
export function clockNote(
  { from, to }: ListQuery,
  zone: Zone,
  now: Date,
  calls?: readonly Pick<Call, 'at'>[],
): string | undefined {
  const today = localDay(zone, now)
  if (to && to > today) return undefined
  const inRange = rangeClockChanges(zone, { from, to }, now)
  const isOnPage = ({ at: change }: ClockChange) =>
    new Set(calls?.flatMap(({ at }) => (isRaw(at) ? [] : [at < change]))).size > 1
  const changes = calls ? inRange.filter(isOnPage) : inRange
  if (changes.length === 0) return undefined
  const when = changes.map((change) => {
    const minutes = getShift(change)
    return `${minutes > 0 ? 'forward' : 'back'} ${formatShift(minutes)} on ${dayLabel(localDay(zone, change.at))}`
  })
  const shift = inRange.reduce((sum, change) => sum + getShift(change), 0)
  return `The clocks went ${when.join(' and ')}. Each call shows its local time.${edgeText(to, shift, today)}`
}

/** Says what the offset at the start of the range removes from its end or adds to it, unless it ends today. */
function edgeText(to: LocalDay | undefined, shift: number, today: LocalDay): string {
  if (to === undefined || to === today || shift === 0) return ''
  const length = formatShift(shift).replace(/^1 /, '')
  return shift < 0
    ? ` The last ${length} of ${shortDayLabel(to, today)} isn't included.`
    : ` The first ${length} of ${shortDayLabel(addDays(to, 1), today)} is included.`
}
