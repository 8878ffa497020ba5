import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AlertContext,
  addFound,
  addToMessage,
  dropStale,
  getDueCalls,
  isWithinHours,
  MAX_LISTED,
  removeShown,
  selectReached,
} from '../../../src/features/alerts/waiting.ts'
import {
  type AlertRecord,
  type AlertState,
  type CallList,
  type MissedCall,
  noCalls,
} from '../../../src/store/alerts.ts'
import { missedCallId } from '../../../src/store/missed-calls.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const zone = parseZone('UTC')!
const nothing: AlertState = { waiting: noCalls }

const plan: AlertRecord = {
  id: 'a',
  workspace: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  owner: 'U1',
  since: 0,
  lines: [],
}
const at = (now: number, alert = plan): AlertContext => ({ alert, zone, now })
const call = (id: number, time: number): MissedCall => ({ id: `c${id}`, at: time, line: '+4930' })
const ids = ({ calls }: CallList) => calls.map(({ id }) => id)

describe('waiting calls', () => {
  const outcome = fc.constantFrom('confirmed', 'refused', 'lost', 'killed')
  const event = fc.oneof(
    fc.record({ kind: fc.constant('calls' as const), count: fc.integer({ min: 1, max: 90 }) }),
    // More calls arrive before Slack has answered.
    fc.record({ kind: fc.constant('send' as const), outcome, meanwhile: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3 * hourMs }) }),
  )

  it('are each shown once despite failures', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = nothing
        let [now, made] = [start, 0]
        const messages: ReturnType<typeof addToMessage>[] = []
        const find = (count: number) => {
          const calls = Array.from({ length: count }, (_, index) => call(made + index, now))
          made += count
          state = addFound(state, calls, at(now))
        }
        for (const one of events) {
          if (one.kind === 'pass') now += one.ms
          if (one.kind === 'calls') find(one.count)
          const due = one.kind === 'send' ? getDueCalls(state, at(now)) : noCalls
          if (one.kind !== 'send' || due.calls.length === 0) continue
          find(one.meanwhile)
          if (one.outcome !== 'confirmed') continue
          // Every other message joins the one before it.
          const isFull = (messages.at(-1)?.calls.length ?? 0) + due.calls.length > MAX_LISTED
          const open = isFull || messages.length % 2 === 0 ? undefined : messages.pop()
          messages.push(addToMessage(open, due, now))
          const { calls, older } = state.waiting
          state = { waiting: { calls: removeShown(calls, due.calls), older: older - due.older } }
        }
        const shown = messages.reduce((sum, { count }) => sum + count, 0)
        expect(shown + state.waiting.calls.length + state.waiting.older).toBe(made)
        const ids = messages.flatMap(({ calls }) => calls)
        expect(new Set(ids).size).toBe(ids.length)
        for (const { count, calls } of messages)
          expect(calls.length <= MAX_LISTED && calls.length <= count).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('are shown newest first; those of the same second by id', () => {
    const state = addFound(nothing, [call(1, start), call(3, start), call(2, start)], at(start))
    expect(ids(getDueCalls(state, at(start)))).toEqual(['c3', 'c2', 'c1'])
  })

  it('are counted once if their message is updated again', () => {
    const [one, two, three] = [call(1, start), call(2, start + 1), call(3, start + 2)] as const
    const first = addToMessage(undefined, { calls: [two, one], older: 4 }, start + 1)
    const again = addToMessage(first, { calls: [three, two], older: 0 }, start + 2)
    expect(again).toMatchObject({ count: 7, firstAt: start })
    expect(again.calls).toEqual([three, two, one].map(missedCallId))
  })

  it('that are too many are the latest, and the rest is counted', () => {
    const calls = Array.from({ length: MAX_LISTED + 10 }, (_, n) => call(n, start + n * 1000))
    const { waiting } = addFound(nothing, calls, at(start + hourMs))
    expect([waiting.calls.length, waiting.calls[0], waiting.older]).toEqual([MAX_LISTED, calls.at(-1), 10])
    const more = addFound({ waiting }, [call(-1, start + 2 * hourMs)], at(start + 2 * hourMs))
    expect([more.waiting.calls.length, more.waiting.older]).toEqual([MAX_LISTED, 11])
  })

  it('that share an id are different calls if the time or the line differs', () => {
    const twin = call(1, start)
    const found = [twin, { ...twin, line: '+4440' }, { ...twin, at: start + 1000 }]
    const { waiting } = addFound(addFound(nothing, found, at(start + 1000)), found, at(start + 1000))
    expect(waiting.calls).toHaveLength(3)
    expect(addToMessage(undefined, waiting, start).calls).toHaveLength(3)
  })

  it('count if they were missed since the alert was saved, on its lines, and not while it was muted', () => {
    const calls = [call(1, start - 1000), call(2, start), { ...call(3, start), line: '+4440' }]
    const countFor = (alert: Partial<AlertRecord>) =>
      addFound(nothing, calls, at(start + hourMs, { ...plan, ...alert })).waiting.calls.length
    expect(countFor({})).toBe(3)
    expect(countFor({ since: start + 999 })).toBe(2)
    expect(countFor({ lines: ['004440'] })).toBe(1)
    expect(countFor({ since: start + 1000 })).toBe(0)
    expect(countFor({ muted: { by: 'U1', until: start + 1 } })).toBe(0)
    // A clock that jumped ahead has stored the time.
    expect(countFor({ since: start + 1000 * hourMs })).toBe(0)
  })

  it('are dropped when the alert is muted or turned on again', () => {
    const waiting = addFound(nothing, [call(1, start)], at(start))
    const later = start + 2 * minuteMs
    const changes = [{ since: start + minuteMs }, { muted: { by: 'U1', until: start + minuteMs } }]
    for (const change of changes) {
      const changed = at(later, { ...plan, ...change })
      const left = dropStale(waiting, changed.alert, later)
      expect(getDueCalls(left, changed)).toEqual(noCalls)
      expect(ids(getDueCalls(addFound(left, [call(2, later)], changed), changed))).toEqual(['c2'])
    }
    expect(getDueCalls(waiting, at(later, { ...plan, muted: { by: 'U1' } }))).toEqual(noCalls)
    expect(ids(getDueCalls(waiting, at(later)))).toEqual(['c1'])
  })

  it('and those that were missed during a mute or a long gap are counted, not those before the alert', () => {
    const found = [call(3, start + 3 * hourMs), call(2, start + hourMs), call(1, start - hourMs)]
    const split = (alert: Partial<AlertRecord>, now = start + 4 * hourMs) => {
      const { waiting, skipped = noCalls } = addFound(nothing, found, at(now, { ...plan, ...alert }))
      return [ids(waiting), ids(skipped)]
    }
    const muted = { by: 'U1', from: start, until: start + 2 * hourMs }
    expect(split({ muted, since: 0 })).toEqual([['c3'], ['c2']])
    expect(split({ muted: { by: 'U1', from: start } })).toEqual([[], ['c3', 'c2']])
    expect(split({ since: start + 2 * hourMs, mutedFrom: start })).toEqual([['c3'], ['c2']])
    expect(split({ since: start + 2 * hourMs })).toEqual([['c3'], []])
    expect(split({}, start + 26 * hourMs)).toEqual([['c3'], ['c2', 'c1']])
    const waiting = addFound(nothing, [call(1, start)], at(start))
    const later = { ...plan, muted: { by: 'U1', from: start + 1, until: start + hourMs } }
    const { waiting: left, skipped = noCalls } = dropStale(waiting, later, start + 2 * hourMs)
    expect([ids(left), ids(skipped)]).toEqual([[], ['c1']])
  })

  it('that were missed just before the end of the hours wait for the next ones', () => {
    const office = { ...plan, hours: { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' } }
    const friday = Date.parse('2026-11-20T17:00:00Z')
    const monday = Date.parse('2026-11-23T09:00:00Z')
    const state = addFound(nothing, [call(1, friday - 20_000)], at(friday + 20_000, office))
    expect(getDueCalls(state, at(friday + 20_000, office))).toEqual(noCalls)
    expect(ids(getDueCalls(state, at(monday, office)))).toEqual(['c1'])
  })

  it('wait while a message is sent or retried, but not for a clock that jumped ahead', () => {
    const waiting = addFound(nothing, [call(1, start)], at(start))
    const sending = (until: number) => ({ ...waiting, sendingUntil: until })
    const failing = (retryAt: number) => {
      const failed = { since: start, count: 1, why: '', isPermanent: false, retryAt }
      return { ...waiting, failing: failed }
    }
    for (const state of [sending, failing]) {
      expect(getDueCalls(state(start + 30_000), at(start))).toEqual(noCalls)
      expect(ids(getDueCalls(state(start + 30_000), at(start + 30_000)))).toHaveLength(1)
      expect(ids(getDueCalls(state(start + 1000 * hourMs), at(start)))).toHaveLength(1)
    }
  })
})

describe('a threshold', () => {
  const threshold = { calls: 3, minutes: 10 }
  const three = { ...plan, threshold }

  it('is reached by enough calls within its minutes, in any order', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 24 * hourMs }), { maxLength: 60 })
    fc.assert(
      fc.property(times, (offsets) => {
        const all = offsets.map((ms, index) => call(index, start + ms))
        const expected = all.filter(({ at: time }) =>
          all.some(({ at: first }) => {
            const inWindow = all.filter((one) => one.at >= first && one.at <= first + 10 * minuteMs)
            return inWindow.length >= 3 && time >= first && time <= first + 10 * minuteMs
          }),
        )
        expect(selectReached(all, threshold)).toEqual(new Set(expected))
        expect(selectReached(all, undefined).size).toBe(all.length)
      }),
    )
  })

  it('counts calls that the service lists late', () => {
    const first = addFound(nothing, [call(1, start - 20 * minuteMs)], at(start, three))
    const both = addFound(first, [call(2, start - 18 * minuteMs), call(3, start - 15 * minuteMs)], {
      alert: three,
      now: start + minuteMs,
    })
    expect(getDueCalls(first, at(start, three))).toEqual(noCalls)
    expect(ids(getDueCalls(both, at(start + minuteMs, three)))).toEqual(['c3', 'c2', 'c1'])
  })

  it("doesn't apply to calls that are added to an open message", () => {
    const state = addFound(nothing, [call(4, start + minuteMs)], at(start + minuteMs, three))
    expect(getDueCalls(state, at(start + minuteMs, three))).toEqual(noCalls)
    expect(ids(getDueCalls(state, at(start + minuteMs, three), { firstAt: start }))).toEqual(['c4'])
    expect(getDueCalls(state, at(start + minuteMs, three), { firstAt: start + 2 * minuteMs })).toEqual(
      noCalls,
    )
  })

  it('forgets calls that can no longer reach it', () => {
    const old = addFound(nothing, [call(1, start)], at(start, three))
    const later = start + 2 * hourMs
    expect(addFound(old, [call(2, later)], at(later, three)).waiting.calls).toEqual([call(2, later)])
  })
})

it('hours begin and end in the zone, also past midnight', () => {
  const berlin = parseZone('Europe/Berlin')!
  const office = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' }
  const nights = { weekdays: [5], from: '22:00', to: '06:00' }
  const isOpenAt = (hours: typeof office, text: string) => isWithinHours(hours, berlin, Date.parse(text))
  expect(isOpenAt(office, '2026-11-20T07:59:59Z')).toBe(false)
  expect(isOpenAt(office, '2026-11-20T08:00:00Z')).toBe(true)
  expect(isOpenAt(office, '2026-11-20T16:29:59Z')).toBe(true)
  expect(isOpenAt(office, '2026-11-20T16:30:00Z')).toBe(false)
  expect(isOpenAt(office, '2026-11-21T10:00:00Z')).toBe(false)
  expect(isOpenAt(nights, '2026-11-20T20:59:00Z')).toBe(false)
  expect(isOpenAt(nights, '2026-11-20T21:00:00Z')).toBe(true)
  expect(isOpenAt(nights, '2026-11-21T04:59:00Z')).toBe(true)
  expect(isOpenAt(nights, '2026-11-21T05:00:00Z')).toBe(false)
  expect(isWithinHours(undefined, berlin, start)).toBe(true)
  // All day, from nine to nine.
  const saturdays = { weekdays: [6], from: '09:00', to: '09:00' }
  expect(isOpenAt(saturdays, '2026-11-21T07:59:00Z')).toBe(false)
  expect(isOpenAt(saturdays, '2026-11-21T12:00:00Z')).toBe(true)
  expect(isOpenAt(saturdays, '2026-11-22T07:59:00Z')).toBe(true)
  expect(isOpenAt(saturdays, '2026-11-22T08:00:00Z')).toBe(false)
  // From Sunday to Monday.
  const sundays = { weekdays: [7], from: '22:00', to: '06:00' }
  expect(isOpenAt(sundays, '2026-11-22T21:30:00Z')).toBe(true)
  expect(isOpenAt(sundays, '2026-11-23T00:30:00Z')).toBe(true)
  expect(isOpenAt(sundays, '2026-11-23T05:00:00Z')).toBe(false)
  expect(isOpenAt(sundays, '2026-11-24T00:30:00Z')).toBe(false)
})
