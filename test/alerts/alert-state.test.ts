import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AlertNow, note } from '../../src/alerts/alert-state.ts'
import {
  addToMessage,
  beginMessage,
  giveUpMessage,
  nextStep,
  shown,
  takeBack,
} from '../../src/alerts/alert-steps.ts'
import { countOf } from '../../src/alerts/call-batch.ts'
import type { AlertRecord, AlertStateRecord } from '../../src/store/alerts.ts'
import type { MissedCall } from '../../src/store/missed-calls.ts'
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

/** What each step of the one who tells may come to. */
const outcome = fc.constantFrom('sent', 'refused', 'unknown', 'killed')
const event = fc.oneof(
  fc.record({ kind: fc.constant('calls' as const), count: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant('again' as const) }),
  fc.record({ kind: fc.constant('tell' as const), outcome }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 * minute }) }),
)

describe('the calls of an alert', () => {
  it('are each in one message, still to be told, or in one that may have been lost, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state: AlertStateRecord = { alertId: 'a' }
        let now = start
        let made = 0
        let latest: MissedCall[] = []
        const messages = new Map<string, number>()
        let lost = 0
        let tooOld = 0
        const tell = (how: string) => {
          const step = nextStep(state, at(now), false)
          if (step.kind === 'lost') {
            lost += step.open.count
            state = giveUpMessage(state, step.open.id)
          }
          if (step.kind === 'post') {
            state = beginMessage(state, at(now))
            const { open } = state
            tooOld += open?.tooOld ?? 0
            if (!open || how === 'killed') return
            if (how === 'refused') {
              tooOld -= open.tooOld ?? 0
              lost += open.tooOld ?? 0
              state = takeBack(state, open.id)
            } else if (how === 'unknown') {
              lost += open.count
              state = giveUpMessage(state, open.id)
            } else {
              messages.set(open.id, open.count)
              state = shown(state, { id: open.id, count: open.count, ts: '1.2', now })
            }
          }
          if (step.kind === 'show') {
            state = addToMessage(state, at(now), false)
            const { open } = state
            if (!open || how === 'killed' || how === 'unknown') return
            if (how === 'refused') state = takeBack(state, open.id)
            else {
              messages.set(open.id, open.count)
              state = shown(state, { id: open.id, count: open.count, ts: '1.2', now })
            }
          }
        }
        for (const one of events) {
          if (one.kind === 'pass') now += one.ms
          if (one.kind === 'calls') {
            latest = Array.from({ length: one.count }, (_, index) => call(made + index, now))
            made += one.count
            state = note(state, at(now), { calls: latest, since })
          }
          // A process was killed before it noted them as seen.
          if (one.kind === 'again' && latest.length > 0)
            state = note(state, at(now), { calls: latest, since })
          if (one.kind === 'tell') tell(one.outcome)
        }
        const waiting = state.untold ? countOf(state.untold) : 0
        const { open } = state
        const sending = open?.ts === undefined ? (open?.count ?? 0) : open.unshown ? countOf(open.unshown) : 0
        const told = [...messages.values()].reduce((sum, one) => sum + one, 0)
        expect(told + waiting + sending + lost + tooOld).toBe(made)
      }),
      { numRuns: 400 },
    )
  })

  it('that were noted before are not noted again, unless others came between', () => {
    const calls = [call(1, start), call(2, start)]
    const once = note({ alertId: 'a' }, at(start), { calls, since })
    const more = [...calls, call(3, start)]
    const twice = note(once, at(start), { calls: more, since })
    expect(countOf(twice.untold!)).toBe(3)
    expect(countOf(note(twice, at(start), { calls: more, since }).untold!)).toBe(3)
  })

  it('that were noted before and not seen since are not noted again, though a look missed them', () => {
    const [first, second] = [call(1, start), call(2, start)]
    const noted = note({ alertId: 'a' }, at(start), { calls: [first, second], since })
    const partly = note(noted, at(start), { calls: [first], since, unseen: noted.noted! })
    const whole = note(partly, at(start), { calls: [second], since, unseen: partly.noted! })
    expect(countOf(whole.untold!)).toBe(2)
    expect(whole.noted).toHaveLength(noted.noted!.length)
  })

  it('count from the second in which the alert was made, of its lines alone, and not while it is muted', () => {
    const calls = [call(1, start - 1000), call(2, start), { ...call(3, start), line: '+4440' }]
    const countFor = (alert: Partial<AlertRecord>, from = since) => {
      const { untold } = note({ alertId: 'a' }, at(start + hour, { ...plan, ...alert }), {
        calls,
        since: from,
      })
      return untold ? countOf(untold) : 0
    }
    expect(countFor({ since: start + 999 })).toBe(2)
    expect(countFor({ lines: ['004440'] })).toBe(1)
    expect(countFor({}, start + 1000)).toBe(0)
    expect(countFor({ mutedUntil: start + 1 })).toBe(0)
    expect(countFor({ mutedUntil: start + 2 * hour })).toBe(0)
  })

  it('that were noted for what the alert was before count no more', () => {
    const noted = note({ alertId: 'a' }, at(start), { calls: [call(1, start)], since })
    const resumed = { ...plan, since: start + minute }
    expect(nextStep(noted, at(start + minute, resumed), false)).toEqual({ kind: 'nothing' })
    expect(nextStep(noted, at(start + minute), false)).toEqual({ kind: 'post' })
  })

  it('that wait are not told once the alert was muted, also after that', () => {
    const noted = note({ alertId: 'a' }, at(start), { calls: [call(1, start)], since })
    const unmuted = { ...plan, mutedUntil: start + minute }
    expect(nextStep(noted, at(start + minute, unmuted), false)).toEqual({ kind: 'nothing' })
    const later = start + 2 * minute
    const more = note(noted, at(later, unmuted), { calls: [call(2, later)], since })
    expect(countOf(more.untold!)).toBe(1)
  })

  it('that were missed a day before are left out, and counted', () => {
    const old = note({ alertId: 'a' }, at(start), { calls: [call(1, start), call(2, start + 1)], since })
    const later = start + 26 * hour
    const both = note(old, at(later), { calls: [call(3, later)], since })
    expect(beginMessage(both, at(later)).open).toMatchObject({ count: 1, tooOld: 2, firstAt: later })
    expect(beginMessage(old, at(later)).open).toBeUndefined()
  })

  it('that were missed outside the hours wait for them, however long that is', () => {
    const monday = { weekdays: [1], from: '09:00', to: '17:00' }
    const weekly = { ...plan, hours: monday }
    const [evening, opening] = [Date.parse('2026-11-23T17:30:00Z'), Date.parse('2026-11-30T09:00:00Z')]
    let state: AlertStateRecord = { alertId: 'a' }
    for (let day = 0; day < 6; day += 1) {
      const now = evening + day * 24 * hour
      state = note(state, at(now, weekly), { calls: [call(day, now)], since })
    }
    expect(nextStep(state, at(opening - 1, weekly), false)).toEqual({ kind: 'wait', until: opening })
    const { open } = beginMessage(state, at(opening, weekly))
    expect(open).toMatchObject({ count: 6, firstAt: evening, late: 'hours' })
    expect(open?.tooOld).toBeUndefined()
    // Nobody could be told for a day after the hours had begun.
    const daily = { ...plan, hours: { ...monday, weekdays: [1, 2, 3, 4, 5, 6, 7] } }
    const told = (days: number) => beginMessage(state, at(opening + days * 24 * hour, daily)).open
    expect(told(-2)).toMatchObject({ count: 2, tooOld: 4 })
    expect(told(2)).toBeUndefined()
  })

  it('come late for what held when each was missed, also where they are added to a message', () => {
    const office = { ...plan, hours: { weekdays: [1, 2, 3, 4, 5], from: '10:00', to: '17:00' } }
    const before = call(1, start - hour)
    const inside = call(2, start + minute)
    const now = start + 20 * minute
    const lateOf = (first: MissedCall, ...later: MissedCall[]) => {
      const one = at(now, { ...office, since: 0 })
      const begun = beginMessage(note({ alertId: 'a' }, one, { calls: [first], since }), one)
      if (later.length === 0) return begun.open?.late
      const { id } = begun.open!
      const sent = shown(begun, { id, count: 1, ts: '1.2', now })
      return addToMessage(note(sent, one, { calls: later, since }), one, false).open?.late
    }
    expect(lateOf(before)).toBe('hours')
    expect(lateOf(inside)).toBe('away')
    expect(lateOf(call(3, now))).toBeUndefined()
    expect(lateOf(call(3, now), before)).toBe('hours')
    expect(lateOf(before, call(3, now))).toBe('hours')
    expect(lateOf(before, inside)).toBe('both')
    expect(lateOf(inside, before)).toBe('both')
    expect(lateOf(call(3, now), before, inside)).toBe('both')
  })

  it('that were missed just before the hours ended wait for the next ones', () => {
    const office = { ...plan, hours: { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' } }
    const friday = Date.parse('2026-11-20T17:00:00Z')
    const monday = Date.parse('2026-11-23T09:00:00Z')
    const calls = [call(1, friday - 20_000)]
    const noted = note({ alertId: 'a' }, at(friday + 20_000, office), { calls, since })
    expect(nextStep(noted, at(friday + 20_000, office), false)).toEqual({ kind: 'wait', until: monday })
    expect(beginMessage(noted, at(monday, office)).open).toMatchObject({ count: 1, late: 'away' })
    expect(beginMessage(noted, at(monday + 2 * hour, office)).open).toBeUndefined()
  })

  it('wait while somebody else sends them, and are given up where that one was killed', () => {
    const noted = note({ alertId: 'a' }, at(start), { calls: [call(1, start)], since })
    const begun = beginMessage(noted, at(start))
    const until = start + 30_000
    expect(nextStep(begun, at(start + 1000), false)).toEqual({ kind: 'wait', until })
    expect(nextStep(begun, at(until), false).kind).toBe('lost')
  })

  it('are added to a message for ten minutes, at most every five seconds, unless somebody has closed it', () => {
    const noted = note({ alertId: 'a' }, at(start), { calls: [call(1, start)], since })
    const { open } = beginMessage(noted, at(start))
    const sent = shown(
      { ...noted, untold: undefined, open },
      { id: open!.id, count: 1, ts: '1.2', now: start },
    )
    const follows = note(sent, at(start + 2000), { calls: [call(2, start + 2000)], since })
    expect(nextStep(follows, at(start + 2000), false)).toEqual({ kind: 'wait', until: start + 5000 })
    expect(nextStep(follows, at(start + 5000), false).kind).toBe('show')
    expect(nextStep(follows, at(start + 5000), true).kind).toBe('post')
    expect(nextStep(follows, at(start + 10 * minute), false).kind).toBe('post')
    expect(addToMessage(follows, at(start + 5000), false).open).toMatchObject({ count: 2, firstAt: start })
  })
})
