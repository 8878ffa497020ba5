import { describe, expect, it } from 'vitest'
import { addDays } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { findClockChanges, localDay } from '../../../src/time/zones.ts'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { createCall, exportRows, formatLength, readColumn } from './calls.ts'

const app = useApp({ connected: true })

/** Calls at every half hour of three days before and after the change, recognized by their durations. */
const callsAround = (change: Date) =>
  Array.from({ length: 288 }, (_, index) => {
    const at = new Date(change.getTime() + (index - 144) * (hourMs / 2))
    return createCall('+390699990042', at, { direction: 'incoming', seconds: index + 1 })
  })

/** Prepares the zone, its next clock changes, and calls around them; other calls are removed. */
async function prepare(zoneName: string, at: number) {
  const zone = parseZone(zoneName)!
  const { lively } = app.sandbox.accounts
  const from = new Date()
  const changes = findClockChanges(zone, from, new Date(from.getTime() + 400 * dayMs))
  const change = new Date(changes[at]?.at ?? from)
  app.clock.ahead = change.getTime() + 20 * dayMs - Date.now()
  for (const call of lively.calls('incoming')) lively.removeCall(call)
  const calls = callsAround(change)
  lively.addCalls(...calls)
  await app.member.command(`/calls timezone ${zoneName}`)
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zoneName, dateStyle: 'short' })
  const ofDays = (first: string, last: string) =>
    calls
      .filter((call) => clock.format(call.at) >= first && clock.format(call.at) <= last)
      .toReversed()
      .map(formatLength)
  return { day: localDay(zone, change), ofDays }
}

const zones = ['Europe/Berlin', 'Africa/Cairo', 'America/Nuuk', 'Australia/Lord_Howe', 'America/Santiago']

describe.each(zones)('days around a clock change in %s', (zoneName) => {
  it.each([0, 1])('have their calls in lists, searches, reports and exports (change %i)', async (at) => {
    const { member } = app
    const { day, ofDays } = await prepare(zoneName, at)
    for (const [first, last] of [
      [-1, -1],
      [0, 0],
      [1, 1],
      [-2, 2],
    ] as const) {
      const days = [addDays(day, first), addDays(day, last)] as const
      const range = days.join('..')
      const expected = ofDays(...days)
      const list = await member.command(`/calls ${range}`)
      expect(await readColumn(member, list, 'Length'), range).toEqual(expected)
      expect(list).toShow(`Page 1 of ${Math.ceil(expected.length / 20)} · 1–20 of ${expected.length}`)
      const found = await member.command(`/calls number:99990042 incoming ${range}`)
      expect(await readColumn(member, found, 'Length')).toEqual(expected)
      expect(await member.command(`/calls report ${range}`)).toShow(`Incoming: ${expected.length}`)
    }
    const range = [addDays(day, -2), addDays(day, 2)] as const
    const { length } = ofDays(...range)
    expect(await exportRows(app, range.join('..'), `Here are ${length} incoming calls`)).toHaveLength(length)
  })
})

it("doesn't count calls of the days before and after if a day with a clock change has none", async () => {
  const { lively } = app.sandbox.accounts
  const { day } = await prepare('Europe/Berlin', 0)
  for (const call of lively.calls('incoming')) {
    if (localDay(parseZone('Europe/Berlin')!, call.at) === day) lively.removeCall(call)
  }
  expect((await app.member.command(`/calls ${day}`)).text).toMatch(/^No incoming calls on [^.]+\.$/)
})
