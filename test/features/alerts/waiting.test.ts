import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as waiting from '../../../src/features/alerts/waiting.ts'
import * as records from '../../../src/store/alerts.ts'
import { toMissedCallId } from '../../../src/store/missed-calls.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { forAll, forRuns } from '../../support/properties.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const zone = parseZone('UTC')!
const nothing = records.idleState

const alert: records.AlertRecord = {
  id: 'a',
  workspace: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  owner: 'U1',
  since: 0,
  lines: [],
  state: records.idleState,
}
type Changes = Partial<records.AlertRecord>

const at = (now: number, changes: Changes = {}) => ({ alert: { ...alert, ...changes }, zone, now })
const call = (id: number, time: number) => ({ id: `c${id}`, at: time, line: '+4930' })
const ids = ({ calls }: records.CallList) => calls.map(({ id }) => id)
const oneWaits = waiting.addFound(nothing, [call(1, start)], at(start))

describe('waiting calls', () => {
  const outcome = fc.constantFrom('confirmed', 'refused', 'lost', 'killed')
  const event = fc.oneof(
    fc.record({ kind: fc.constant('calls' as const), count: fc.integer({ min: 1, max: 90 }) }),
    // More calls arrive before Slack has answered.
    fc.record({ kind: fc.constant('send' as const), outcome, meanwhile: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3 * hourMs }) }),
  )

  it('are each shown once despite failures', () => {
    forRuns(400, fc.array(event, { maxLength: 40 }), (events) => {
      let state = nothing
      let now = start
      let made = 0
      const messages: ReturnType<typeof waiting.addToMessage>[] = []
      const find = (count: number) => {
        const calls = Array.from({ length: count }, (_, index) => call(made + index, now))
        made += count
        state = waiting.addFound(state, calls, at(now))
      }
      for (const one of events) {
        if (one.kind === 'pass') now += one.ms
        if (one.kind === 'calls') find(one.count)
        const due = one.kind === 'send' ? waiting.getDueCalls(state, at(now)) : records.noCalls
        if (one.kind !== 'send' || due.calls.length === 0) continue
        find(one.meanwhile)
        if (one.outcome !== 'confirmed') continue
        // Every other message joins the one before it.
        const isFull = (messages.at(-1)?.calls.length ?? 0) + due.calls.length > waiting.MAX_LISTED
        const open = isFull || messages.length % 2 === 0 ? undefined : messages.pop()
        messages.push(waiting.addToMessage(due, open))
        state = { waiting: waiting.removeShown(state.waiting, due) }
      }
      const shown = messages.reduce((sum, { count }) => sum + count, 0)
      expect(shown + state.waiting.calls.length + state.waiting.older).toBe(made)
      const shownIds = messages.flatMap(({ calls }) => calls)
      expect(new Set(shownIds).size).toBe(shownIds.length)
      for (const { count, calls } of messages)
        expect(calls.length <= waiting.MAX_LISTED && calls.length <= count).toBe(true)
    })
  })

  it('are shown newest first; those of the same second by id', () => {
    const state = waiting.addFound(nothing, [call(1, start), call(3, start), call(2, start)], at(start))
    expect(ids(waiting.getDueCalls(state, at(start)))).toEqual(['c3', 'c2', 'c1'])
  })

  it('are counted once if their message is updated again', () => {
    const [one, two, three] = [call(1, start), call(2, start + 1), call(3, start + 2)] as const
    const first = waiting.addToMessage({ calls: [two, one], older: 4 })
    const late = call(0, start - 1)
    const again = waiting.addToMessage({ calls: [three, two, late], older: 0 }, first)
    expect(again).toMatchObject({ count: 8, firstAt: start - 1 })
    expect(again.calls).toEqual([three, two, one, late].map(toMissedCallId))
  })

  it.each([{}, { muted: { by: 'U1', from: 0 } }])('that are too many are counted: %j', (changes) => {
    const max = waiting.MAX_LISTED
    const calls = Array.from({ length: max + 10 }, (_, n) => call(n, start + n * 1000))
    const many = waiting.addFound(nothing, calls, at(start + hourMs, changes))
    const { calls: latest, older } = many.skipped ?? many.waiting
    expect([latest.length, latest[0], older]).toEqual([max, calls.at(-1), 10])
    const more = waiting.addFound(many, [call(-1, start + 2 * hourMs)], at(start + 2 * hourMs, changes))
    const list = more.skipped ?? more.waiting
    expect([list.calls.length, list.older]).toEqual([max, 11])
  })

  const mute = { by: 'U1', from: start + hourMs + 999, until: start + 3 * hourMs + 999 }
  it.each<readonly [string, Changes, number, string[], string[]]>([
    ['all', {}, 4, ['c3', 'c2', 'c1'], []],
    ['those since the alert was saved', { since: start }, 4, ['c3', 'c2'], []],
    ['those of the same second', { since: start + hourMs + 999 }, 4, ['c3', 'c2'], []],
    ['none if a clock that jumped ahead stored the time', { since: start + 1000 * hourMs }, 4, [], []],
    ['those outside a mute', { muted: mute }, 4, ['c3', 'c1'], ['c2']],
    ['those before a mute without an end', { muted: { by: 'U1', from: start } }, 4, ['c1'], ['c3', 'c2']],
    ['those of the last day', { since: start }, 26, ['c3'], ['c2']],
  ])('are %s; others may be counted', (_, changes, hours, posted, counted) => {
    const found = [call(3, start + 3 * hourMs), call(2, start + hourMs), call(1, start - hourMs)]
    const state = waiting.addFound(nothing, found, at(start + hours * hourMs, changes))
    expect([ids(state.waiting), ids(state.skipped ?? records.noCalls)]).toEqual([posted, counted])
  })

  it('are only those on the lines of the alert', () => {
    const found = [call(1, start), { ...call(2, start), line: '+4440' }]
    expect(ids(waiting.addFound(nothing, found, at(start, { lines: ['004440'] })).waiting)).toEqual(['c2'])
  })

  it('from before a mute are posted after it', () => {
    const until = start + minuteMs
    const muted = { by: 'U1', from: start, until }
    expect(waiting.getDueCalls(oneWaits, at(start, { muted }))).toEqual(records.noCalls)
    expect(ids(waiting.getDueCalls(oneWaits, at(until, { muted })))).toEqual(['c1'])
  })

  it('that were missed just before the end of the hours wait for the next ones', () => {
    const office = { hours: { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' } }
    const friday = Date.parse('2026-11-20T17:00:00Z')
    const state = waiting.addFound(nothing, [call(1, friday - 20_000)], at(friday + 20_000, office))
    expect(waiting.getDueCalls(state, at(friday + 20_000, office))).toEqual(records.noCalls)
    const monday = Date.parse('2026-11-23T09:00:00Z')
    expect(ids(waiting.getDueCalls(state, at(monday, office)))).toEqual(['c1'])
  })

  const failure = { since: start, count: 1, why: '', isPermanent: false }
  it.each([
    ['sent', (until: number) => ({ sendingUntil: until })],
    ['retried', (retryAt: number) => ({ failing: { ...failure, retryAt } })],
  ])('wait while a message is %s, but not for a clock that jumped ahead', (_, toState) => {
    const state = { ...oneWaits, ...toState(start + 30_000) }
    expect(waiting.getDueCalls(state, at(start))).toEqual(records.noCalls)
    expect(waiting.getDueCalls(state, at(start + 30_000)).calls).toHaveLength(1)
    const jumped = { ...oneWaits, ...toState(start + 1000 * hourMs) }
    expect(waiting.getDueCalls(jumped, at(start)).calls).toHaveLength(1)
  })
})

describe('a threshold', () => {
  const threshold = { calls: 3, minutes: 10 }
  const dueAt = (state: records.AlertState, now: number, open?: { firstAt: number }) =>
    ids(waiting.getDueCalls(state, at(now, { threshold }), open))

  it('is reached by enough calls within its minutes, in any order', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 24 * hourMs }), { maxLength: 60 })
    forAll(times, (offsets) => {
      const all = offsets.map((ms, index) => call(index, start + ms))
      const expected = all.filter(({ at: time }) =>
        all.some(({ at: first }) => {
          const end = first + 10 * minuteMs
          const inWindow = all.filter((one) => one.at >= first && one.at <= end)
          return inWindow.length >= 3 && time >= first && time <= end
        }),
      )
      expect(waiting.selectReaching(all, threshold)).toEqual(new Set(expected))
      expect(waiting.selectReaching(all, undefined).size).toBe(all.length)
    })
  })

  it('counts calls that the service lists late', () => {
    const first = waiting.addFound(nothing, [call(1, start - 65 * minuteMs)], at(start, { threshold }))
    expect(dueAt(first, start)).toEqual([])
    const late = [call(2, start - 63 * minuteMs), call(3, start - hourMs)]
    const both = waiting.addFound(first, late, at(start + minuteMs, { threshold }))
    expect(dueAt(both, start + minuteMs)).toEqual(['c3', 'c2', 'c1'])
  })

  it("doesn't apply to calls that are added to an open message", () => {
    const now = start + minuteMs
    const state = waiting.addFound(nothing, [call(4, now)], at(now, { threshold }))
    expect(dueAt(state, now)).toEqual([])
    expect(dueAt(state, now, { firstAt: start })).toEqual(['c4'])
    expect(dueAt(state, now, { firstAt: start + 2 * minuteMs })).toEqual([])
  })

  it('forgets calls that can no longer reach it', () => {
    const old = waiting.addFound(nothing, [call(1, start)], at(start, { threshold }))
    const later = start + 2 * hourMs
    expect(ids(waiting.addFound(old, [call(2, later)], at(later, { threshold })).waiting)).toEqual(['c2'])
  })
})

const office = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' }
const fridayNights = { weekdays: [5], from: '22:00', to: '06:00' }
/** All day, from nine to nine. */
const saturdays = { weekdays: [6], from: '09:00', to: '09:00' }
const sundayNights = { weekdays: [7], from: '22:00', to: '06:00' }

it.each([
  [office, '2026-11-20T07:59:59Z', false],
  [office, '2026-11-20T08:00:00Z', true],
  [office, '2026-11-20T16:29:59Z', true],
  [office, '2026-11-20T16:30:00Z', false],
  [office, '2026-11-21T10:00:00Z', false],
  [fridayNights, '2026-11-20T20:59:00Z', false],
  [fridayNights, '2026-11-20T21:00:00Z', true],
  [fridayNights, '2026-11-21T04:59:00Z', true],
  [fridayNights, '2026-11-21T05:00:00Z', false],
  [undefined, '2026-11-20T10:00:00Z', true],
  [saturdays, '2026-11-21T07:59:00Z', false],
  [saturdays, '2026-11-21T12:00:00Z', true],
  [saturdays, '2026-11-22T07:59:00Z', true],
  [saturdays, '2026-11-22T08:00:00Z', false],
  [sundayNights, '2026-11-22T21:30:00Z', true],
  [sundayNights, '2026-11-23T00:30:00Z', true],
  [sundayNights, '2026-11-23T05:00:00Z', false],
  [sundayNights, '2026-11-24T00:30:00Z', false],
])('hours %j begin and end in the zone, also past midnight: %s is %s', (hours, time, isWithin) => {
  expect(waiting.isWithinHours(hours, parseZone('Europe/Berlin')!, Date.parse(time))).toBe(isWithin)
})
