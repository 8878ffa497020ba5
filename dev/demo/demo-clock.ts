import { Cron } from 'croner'
import type { Zone } from '../../src/time/zones.ts'
import type { EpochMs, Milliseconds } from '../../src/util/units.ts'

/** Returns 9:00 on the next day from Monday to Friday. */
export function nextWeekdayMorning(zone: Zone, after: EpochMs): EpochMs {
  const next = new Cron('0 9 * * 1-5', { timezone: zone, mode: '5-part' }).nextRun(new Date(after))
  if (!next) throw new RangeError('there is always a next morning')
  return next.getTime()
}

/** Clock of the app, the phone service and the local Slack. It only moves forward. */
export class DemoClock {
  #aheadMs: Milliseconds

  constructor(aheadMs: Milliseconds) {
    this.#aheadMs = aheadMs
  }

  get aheadMs(): Milliseconds {
    return this.#aheadMs
  }

  readonly now = (): EpochMs => Date.now() + this.#aheadMs

  moveBy(ms: Milliseconds): void {
    this.#aheadMs += ms
  }

  moveToMorning(zone: Zone): void {
    const now = this.now()
    this.moveBy(nextWeekdayMorning(zone, now) - now)
  }
}
