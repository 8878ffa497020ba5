import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { parseZone } from '../../src/time/zone-names.ts'
import type { Zone } from '../../src/time/zones.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../src/util/units.ts'

function readZone(name: string): Zone {
  const zone = parseZone(name)
  if (!zone) throw new RangeError(`this runtime has no time zone ${name}`)
  return zone
}

/** Time zone of the demo's first team. */
export const teamZone = readZone('Europe/Berlin')

/** `MM HH`, as in a cron expression. */
const OPENING_TIME = '30 9'
const MORNING_TIME = '0 9'
/** Enough for alerts that are due to poll and post. */
const ALERTS_MS: Milliseconds = 1000

function nextWeekdayAt(time: string, zone: Zone, after: EpochMs): EpochMs {
  const next = new Cron(`${time} * * 1-5`, { timezone: zone, mode: '5-part' }).nextRun(new Date(after))
  if (!next) throw new RangeError('there is always a next weekday')
  return next.getTime()
}

/** Returns the next 9:30 from Monday to Friday in the team's zone, when the demo opens. */
export const nextOpening = (after: EpochMs): EpochMs => nextWeekdayAt(OPENING_TIME, teamZone, after)

/** Clock of the app, the phone service and the simulated Slack. It only moves forward. */
export class DemoClock {
  readonly #machineNow: () => EpochMs
  #aheadMs: Milliseconds

  constructor(machineNow: () => EpochMs, startsAt: EpochMs) {
    this.#machineNow = machineNow
    this.#aheadMs = startsAt - machineNow()
  }

  readonly now = (): EpochMs => this.#machineNow() + this.#aheadMs

  moveBy(ms: Milliseconds): void {
    this.#aheadMs += ms
  }

  /**
   * Moves to the next 9:00 from Monday to Friday. Stops a minute before, so that alerts post the night's calls and the reports
   * at 9:00 count them.
   */
  async moveToMorning(zone: Zone): Promise<void> {
    const morning = nextWeekdayAt(MORNING_TIME, zone, this.now())
    this.#moveTo(morning - minuteMs)
    await sleep(ALERTS_MS)
    this.#moveTo(morning)
  }

  #moveTo(instant: EpochMs): void {
    this.moveBy(Math.max(0, instant - this.now()))
  }
}
