import type { AlertRecord, AlertStateRecord } from '../store/alerts.ts'
import type { MissedCall } from '../store/missed-calls.ts'
import { isOfLine } from '../telephony/line-names.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs } from '../util/units.ts'
import { batchOf, mergeBatches } from './call-batch.ts'
import { PackedIds, packIds } from './call-ids.ts'
import { areOpen } from './hours.ts'
import { overThreshold } from './threshold.ts'

// What an alert has noted of its calls, until they are told. Pure.

/** An alert, now, in its channel's zone. */
export interface AlertNow {
  readonly alert: AlertRecord
  readonly zone: Zone
  readonly now: EpochMs
}

/** Whether it tells anything of what is missed from now on. */
export const isWatching = ({ isPaused }: AlertRecord): boolean => !isPaused

/** What was noted before the alert began anew counts no more, nor does what was missed until a mute ends or ended. */
export function current(
  state: AlertStateRecord,
  { alert: { since, mutedUntil = 0 } }: AlertNow,
): AlertStateRecord {
  const { alertId, postedAt, trouble, noted, retryAt } = state
  const own = state.since === since ? state : { alertId, postedAt, trouble, noted, retryAt, since }
  const below = own.below?.filter(({ at }) => at >= mutedUntil)
  // What is noted after the mute is of after it, so that the latest call tells of all of them.
  const isSilenced = (own.untold?.calls[0]?.at ?? mutedUntil) < mutedUntil
  return { ...own, below, ...(isSilenced ? { untold: undefined } : {}) }
}

/** Whether a call came outside the alert's hours. */
export const isOutsideOf =
  ({ alert, zone }: AlertNow) =>
  (at: EpochMs): boolean =>
    !areOpen(alert.hours, zone, at)

/** Whether the alert is to tell of a call. @param since of the account */
function concerns(
  { lines, mutedUntil = 0, since: own }: AlertRecord,
  call: MissedCall,
  since: EpochMs,
): boolean {
  // The service tells seconds.
  const from = Math.floor(Math.max(own, since) / 1000) * 1000
  const isOfLines = lines.length === 0 || lines.some((line) => isOfLine(call.line, line))
  return call.at >= from && call.at >= mutedUntil && isOfLines
}

/**
 * Notes calls that were not seen before.
 * @param calls of the alert's agents, each once @param since nothing that was missed before, in this account, is told
 * @param unseen which of those that were noted before are not known to be seen by now: a look may miss some of them
 */
export function note(
  state: AlertStateRecord,
  one: AlertNow,
  {
    calls,
    since,
    unseen = '',
  }: { readonly calls: readonly MissedCall[]; readonly since: EpochMs; readonly unseen?: string },
): AlertStateRecord {
  const own = current(state, one)
  const { alert, now } = one
  const before = new PackedIds(own.noted ?? '')
  const fresh = calls.filter((call) => concerns(alert, call, since) && !before.has(call.id))
  const latest = packIds(calls.map(({ id }) => id))
  const { told, below } = overThreshold([...fresh, ...(own.below ?? [])], alert.threshold, now)
  return {
    ...own,
    noted: latest + new PackedIds(latest).missing(unseen),
    below: below.length === 0 ? undefined : below,
    untold: mergeBatches(own.untold, batchOf(told, isOutsideOf(one))),
  }
}
