import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../src/time/days.ts'
import { parseZone, zoneNames } from '../../src/time/zone-names.ts'
import * as zones from '../../src/time/zones.ts'
import { hourMs } from '../../src/util/units.ts'
import { forRuns, runs } from '../support/properties.ts'
import { createOracle, type Oracle, type OracleChange } from './zone-oracle.ts'

const FROM = Date.UTC(2020, 0, 1)
const TO = Date.UTC(runs(2024, 2031), 0, 1)

interface Known {
  readonly zone: zones.Zone
  readonly oracle: Oracle
  /** All changes from 2020 to 2030; in a short run, to 2023. */
  readonly changes: readonly OracleChange[]
}

let knownZones: readonly Known[] = []

beforeAll(() => {
  knownZones = zoneNames.map((name) => {
    const oracle = createOracle(name)
    return { zone: parseZone(name)!, oracle, changes: oracle.changes(FROM, TO) }
  })
})

const everyChange = () => knownZones.flatMap((known) => known.changes.map((change) => ({ ...known, change })))

describe('in every zone that the runtime knows', () => {
  it('there are zones and changes', () => {
    expect(knownZones.length).toBeGreaterThan(400)
    expect(everyChange().length).toBeGreaterThan(runs(700, 2000))
  })

  it('finds exactly the existing clock changes', () => {
    for (const [index, { zone, changes }] of knownZones.entries()) {
      // One or three years per zone, to save time; the years differ between zones.
      const [from, to] = [0, runs(1, 3)].map(
        (years) => new Date(Date.UTC(2020 + (index % runs(3, 9)) + years, 0, 1)),
      )
      const plain = zones.findClockChanges(zone, from!, to!).map(({ at, before, after }) => ({
        at,
        before: zones.toUtcOffset(before),
        after: zones.toUtcOffset(after),
      }))
      expect(plain, zone).toEqual(changes.filter(({ at }) => at > from!.getTime() && at <= to!.getTime()))
    }
  })

  it('offset and wall time are exact to the second around every change', () => {
    for (const { zone, oracle, change } of everyChange()) {
      for (const time of [change.at - 1000, change.at - 1, change.at, change.at + 1000]) {
        const instant = new Date(time)
        const expected = time < change.at ? change.before : change.after
        if (zones.offsetAt(zone, instant) !== expected) expect.fail(`${zone} ${instant.toISOString()}`)
        if (zones.localDateTime(zone, instant) !== oracle.wall(time))
          expect.fail(`${zone} ${instant.toISOString()}`)
      }
    }
  })

  it('offset, wall time and day agree with Intl at any instant from 2000 to 2040', () => {
    const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 11, 31) })
    forRuns(runs(200, 600), fc.constantFrom(...knownZones), times, ({ zone, oracle }, time) => {
      const instant = new Date(time)
      expect(zones.offsetAt(zone, instant)).toBe(oracle.offset(time))
      expect(zones.localDateTime(zone, instant)).toBe(oracle.wall(time))
      expect(zones.localDay(zone, instant)).toBe(oracle.wall(time).slice(0, 10))
    })
  })

  it('a day starts at its first instant, also around clock changes', () => {
    for (const { zone, oracle, changes, change } of everyChange()) {
      const around = zones.localDay(zone, new Date(change.at))
      for (const day of [addDays(around, -1), around, addDays(around, 1)]) {
        const start = zones.startOfDay(zone, day).getTime()
        if (!oracle.wall(start).startsWith(day)) expect.fail(`${zone} ${day} does not hold its start`)
        // Between changes, clocks run forward evenly, so the instants just before each change and the start are enough.
        const lastOnes = changes.map(({ at }) => at).filter((at) => at <= start && at > start - 48 * hourMs)
        for (const end of [start, ...lastOnes]) {
          if (oracle.wall(end - 1) >= day) expect.fail(`${zone} ${day} has begun before its start`)
        }
      }
    }
  })

  it('a day starts at midnight if that occurs exactly once', () => {
    const times = fc.integer({ min: FROM, max: TO })
    forRuns(runs(100, 300), fc.constantFrom(...knownZones), times, ({ zone, changes }, time) => {
      fc.pre(changes.every(({ at }) => Math.abs(at - time) > 48 * hourMs))
      const day = zones.localDay(zone, new Date(time))
      const offset = zones.parseOffset(zones.offsetAt(zone, new Date(time)))
      expect(zones.startOfDay(zone, day).getTime()).toBe(Date.parse(day) - offset * 60_000)
    })
  })
})
