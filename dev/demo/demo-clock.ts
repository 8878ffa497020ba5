import { Cron } from 'croner'
import type { Zone } from '../../src/time/types.ts'
import type { EpochMs, Milliseconds } from '../../src/util/units.ts'
import type { DemoFile } from './demo-file.ts'

/** 9:00 on the first day from Monday to Friday that comes next. */
export function nextWeekdayMorning(zone: Zone, after: EpochMs): EpochMs {
  const next = new Cron('0 9 * * 1-5', { timezone: zone, mode: '5-part' }).nextRun(new Date(after))
  if (!next) throw new RangeError('there is always a next morning')
  return next.getTime()
}

/**
 * What the app, the phone service and the stand-in for Slack go by: the machine's clock, ahead of it by as much as people have
 * moved it. Only forward, and for good: what was planned and noted by it would make no sense before it.
 */
export class DemoClock {
  readonly #file: DemoFile
  #behindMs: Milliseconds

  /** @param behindMs by how much it is late until it catches up, for what went before the demo opens */
  constructor(file: DemoFile, behindMs = 0) {
    this.#file = file
    this.#behindMs = behindMs
  }

  get aheadMs(): Milliseconds {
    return this.#file.contents.aheadMs
  }

  get behindMs(): Milliseconds {
    return this.#behindMs
  }

  readonly now = (): EpochMs => Date.now() + this.aheadMs - this.#behindMs

  /** By as much, or by all that it is late. */
  catchUp(ms = this.#behindMs): void {
    this.#behindMs -= ms
  }

  moveBy(ms: Milliseconds): void {
    this.#file.write({ aheadMs: this.aheadMs + ms })
  }

  moveToMorning(zone: Zone): void {
    const now = this.now()
    this.moveBy(nextWeekdayMorning(zone, now) - now)
  }
}
