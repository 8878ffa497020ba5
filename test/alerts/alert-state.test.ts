import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AlertNow,
  addCalls,
  confirmed,
  current,
  isDue,
  lateness,
  listOf,
  mergeLists,
  openMessage,
  presentable,
  withFollowing,
} from '../../src/alerts/alert-state.ts'
import type { AlertRecord, AlertState, CallList, MissedCall } from '../../src/store/alerts.ts'
import { parseZone } from '../../src/time/zone-names.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-11-20T10:00:00Z')
const zone = parseZone('UTC')!

const plan: AlertRecord = {
  id: 'a',
  tenant: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  owner: 'U1',
  since: start,
  lines: [],
  agents: [],
  isPaused: false,
}
const at = (now: number, alert = plan): AlertNow => ({ alert, zone, now })
const call = (id: number, time: number): MissedCall => ({ id: `c${id}`, at: time, line: '+4930' })
const since = 0

/** What becomes of each attempt to send. */
const outcome = fc.constantFrom('confirmed', 'refused', 'lost', 'killed')
const event = fc.oneof(
  fc.record({ kind: fc.constant('calls' as const), count: fc.integer({ min: 1, max: 300 }) }),
  // With so many that are found before Slack has answered.
  fc.record({ kind: fc.constant('send' as const), outcome, meanwhile: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 * minute }) }),
)

it('lists of a burst within one second those first that the service counted last', () => {
  const calls = [call(1, start), call(3, start), call(2, start)]
  expect(listOf(calls)?.calls.map(({ id }) => id)).toEqual(
    [call(3, start), call(2, start), call(1, start)].map(({ id }) => id),
  )
})

describe('the calls of an alert', () => {
  it('are each in a message that was confirmed, or pending still, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state: AlertState = {}
        let [now, made, old] = [start, 0, 0]
        const messages = new Map<string, CallList>()
        const find = (count: number) => {
          const calls = Array.from({ length: count }, (_, index) => call(made + index, now))
          made += count
          state = addCalls(state, at(now), { calls, since })
        }
        for (const one of events) {
          if (one.kind === 'pass') now += one.ms
          if (one.kind === 'calls') find(one.count)
          if (one.kind !== 'send' || !isDue(state, at(now)) || !state.pending) continue
          const handled = state.pending
          const { list, tooOld } = presentable(handled, at(now))
          if (!list) {
            old += tooOld
            state = { ...state, pending: undefined }
            continue
          }
          const id = openMessage(state, now) ?? `m${now}`
          state = { ...state, sendingUntil: now + 1 }
          now += 1
          find(one.meanwhile)
          if (one.outcome !== 'confirmed') continue
          old += tooOld
          messages.set(id, mergeLists(messages.get(id), list) ?? list)
          state = confirmed(state, { id, handled, now })
        }
        const shown = [...messages.values()].reduce((sum, { count }) => sum + count, 0)
        expect(shown + (state.pending?.count ?? 0) + old).toBe(made)
      }),
      { numRuns: 400 },
    )
  })

  it('stay pending where they come while others are sent', () => {
    const first = addCalls({}, at(start), { calls: [call(1, start)], since })
    const more = addCalls(first, at(start), { calls: [call(2, start)], since })
    const { pending, message } = confirmed(more, { id: 'm', handled: first.pending!, now: start })
    expect(pending).toEqual(listOf([call(2, start)]))
    expect(message).toEqual({ id: 'm', postedAt: start })
  })

  it('count from the second in which the alert was made, of its lines alone, and not while it is muted', () => {
    const calls = [call(1, start - 1000), call(2, start), { ...call(3, start), line: '+4440' }]
    const countFor = (alert: Partial<AlertRecord>, from = since) =>
      addCalls({}, at(start + hour, { ...plan, ...alert }), { calls, since: from }).pending?.count ?? 0
    expect(countFor({ since: start + 999 })).toBe(2)
    expect(countFor({ lines: ['004440'] })).toBe(1)
    expect(countFor({}, start + 1000)).toBe(0)
    expect(countFor({ mutedUntil: start + 1 })).toBe(0)
    expect(countFor({ mutedUntil: start + 2 * hour })).toBe(0)
  })

  it('that waited for what the alert was before count no more', () => {
    const waiting = addCalls({}, at(start), { calls: [call(1, start)], since })
    const resumed = { ...plan, since: start + minute }
    expect(isDue(waiting, at(start + minute, resumed))).toBe(false)
    expect(isDue(waiting, at(start + minute))).toBe(true)
  })

  it('that wait are not posted once the alert was muted, also after that', () => {
    const waiting = addCalls({}, at(start), { calls: [call(1, start)], since })
    const unmuted = { ...plan, mutedUntil: start + minute }
    expect(isDue(waiting, at(start + minute, unmuted))).toBe(false)
    const later = start + 2 * minute
    const more = addCalls(waiting, at(later, unmuted), { calls: [call(2, later)], since })
    expect(more.pending?.count).toBe(1)
  })

  it('that were missed more than a day before are left out, and counted', () => {
    const old = addCalls({}, at(start), { calls: [call(1, start), call(2, start + 1)], since })
    const later = start + 26 * hour
    const both = addCalls(old, at(later), { calls: [call(3, later)], since })
    expect(presentable(both.pending!, at(later))).toEqual({ list: listOf([call(3, later)]), tooOld: 2 })
    expect(presentable(old.pending!, at(later))).toEqual({ list: undefined, tooOld: 2 })
  })

  it('that were missed outside the hours wait for them, however long that is', () => {
    const monday = { weekdays: [1], from: '09:00', to: '17:00' }
    const weekly = { ...plan, hours: monday }
    const [evening, opening] = [Date.parse('2026-11-23T17:30:00Z'), Date.parse('2026-11-30T09:00:00Z')]
    let state: AlertState = {}
    for (let day = 0; day < 6; day += 1) {
      const now = evening + day * 24 * hour
      state = addCalls(state, at(now, weekly), { calls: [call(day, now)], since })
    }
    expect([opening - 1, opening].map((time) => isDue(state, at(time, weekly)))).toEqual([false, true])
    const { list, tooOld } = presentable(state.pending!, at(opening, weekly))
    expect(list).toMatchObject({ count: 6, firstAt: evening })
    expect(tooOld).toBe(0)
    // Nothing could be posted for a day after the hours had begun.
    const daily = { ...plan, hours: { ...monday, weekdays: [1, 2, 3, 4, 5, 6, 7] } }
    const later = (days: number) => presentable(state.pending!, at(opening + days * 24 * hour, daily))
    expect(later(-2)).toMatchObject({ list: { count: 2 }, tooOld: 4 })
    expect(later(2)).toEqual({ list: undefined, tooOld: 6 })
  })

  it('are late after five minutes, by the earliest of them', () => {
    const list = listOf([call(1, start), call(2, start + minute)])!
    expect(lateness(list, start + 5 * minute)).toBeUndefined()
    expect(lateness(list, start + 6 * minute)).toBe(6 * minute)
  })

  it('that were missed just before the hours ended wait for the next ones', () => {
    const office = { ...plan, hours: { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' } }
    const friday = Date.parse('2026-11-20T17:00:00Z')
    const monday = Date.parse('2026-11-23T09:00:00Z')
    const calls = [call(1, friday - 20_000)]
    const state = addCalls({}, at(friday + 20_000, office), { calls, since })
    expect(isDue(state, at(friday + 20_000, office))).toBe(false)
    expect(isDue(state, at(monday, office))).toBe(true)
    expect(presentable(state.pending!, at(monday, office)).list?.count).toBe(1)
    expect(presentable(state.pending!, at(monday + 2 * hour, office)).list).toBeUndefined()
  })

  it('wait while somebody else sends them, and not for one who was killed, nor for a clock that has jumped', () => {
    const waiting = addCalls({}, at(start), { calls: [call(1, start)], since })
    const until = start + 30_000
    const sending = { ...waiting, sendingUntil: until }
    expect(isDue(sending, at(start + 1000))).toBe(false)
    expect(isDue(sending, at(until))).toBe(true)
    expect(isDue({ ...waiting, sendingUntil: start + 1000 * hour }, at(start))).toBe(true)
  })

  it('reach the threshold with those that are pending', () => {
    const three = { ...plan, threshold: { calls: 3, minutes: 10 } }
    const find = (state: AlertState, id: number, now: number) =>
      addCalls(state, at(now, three), { calls: [call(id, now)], since })
    const times = [0, 1, 2, 3, 14, 15].map((minutes) => start + minutes * minute)
    const state = times.reduce((before, time, id) => find(before, id, time), {} as AlertState)
    expect(state.pending).toEqual(listOf(times.slice(0, 4).map((time, id) => call(id, time))))
    expect(state.below).toEqual([call(5, times[5]!), call(4, times[4]!)])
    expect(find(state, 6, start + 16 * minute).pending?.count).toBe(7)
    // More than are kept one by one count once.
    const many = Array.from({ length: 300 }, (_, id) => call(id, start + id))
    const burst = addCalls({}, at(start, three), { calls: many, since })
    expect(find(burst, 300, start + minute).pending?.count).toBe(301)
  })

  it('are added to a message for ten minutes, however few follow it', () => {
    const three = { ...plan, threshold: { calls: 3, minutes: 10 } }
    const first = addCalls({}, at(start, three), { calls: [1, 2, 3].map((n) => call(n, start)), since })
    const sent = confirmed(first, { id: 'm', handled: first.pending!, now: start })
    expect(openMessage(sent, start + 10 * minute - 1)).toBe('m')
    expect(openMessage(sent, start + 10 * minute)).toBeUndefined()
    expect(openMessage({ message: { id: 'm' } }, start)).toBeUndefined()
    const follows = addCalls(sent, at(start + minute, three), { calls: [call(4, start + minute)], since })
    expect(isDue(current(follows, three), at(start + minute, three))).toBe(false)
    const added = withFollowing(follows, first.pending)
    expect(added.pending?.count).toBe(1)
    expect(isDue(added, at(start + minute, three))).toBe(true)
  })
})

it('counts what the service lists late with what it lists later still, as it was missed', () => {
  const alert = { ...plan, threshold: { calls: 2, minutes: 5 } }
  const now = start + 30 * minute
  const first = addCalls({}, { alert, now }, { calls: [call(1, now - 20 * minute)], since })
  expect(first.pending).toBeUndefined()
  const next = addCalls(first, { alert, now: now + minute }, { calls: [call(2, now - 18 * minute)], since })
  expect(next.pending?.calls.map(({ id }) => id)).toEqual(['c2', 'c1'])
})
