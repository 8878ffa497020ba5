import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepOf, listOf, mergeLists, overThreshold } from '../../src/alerts/alert-state.ts'
import { createAlerts } from '../../src/alerts/alerts.ts'
import { areOpen, nextOpening } from '../../src/alerts/hours.ts'
import { markSeen, PollRanges, wasSeen } from '../../src/alerts/poll.ts'
import { isAhead, nextTick, pollInterval } from '../../src/alerts/poll-times.ts'
import { type MissedCall, MOST_KEPT_CALLS } from '../../src/store/alerts.ts'
import { SHARDS, shardOf } from '../../src/store/engine/rows.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { parseZone } from '../../src/time/zone-names.ts'
import { wallTime } from '../../src/time/zones.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-11-20T10:00:00Z')
const zoneOf = (name: string) => parseZone(name)!

const calls = fc
  .uniqueArray(fc.integer({ min: 0, max: 3 * day }), { maxLength: 60 })
  .map((times) => times.map((ms, index): MissedCall => ({ id: `c${index}`, at: start + ms, line: '1' })))

describe('a list of calls', () => {
  it('counts each call once, and has the latest, however they come together', () => {
    fc.assert(
      fc.property(calls, fc.nat(60), fc.nat(60), (all, cut, again) => {
        const merged = mergeLists(listOf(all.slice(0, cut)), listOf(all.slice(Math.max(0, cut - again))))
        expect(merged).toEqual(listOf(all))
        if (!merged) return
        expect(merged.count).toBe(all.length)
        expect(merged.firstAt).toBe(Math.min(...all.map(({ at }) => at)))
        expect(merged.calls.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a))
      }),
    )
  })

  it('counts those that are too many to be kept', () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ id: `c${n}`, at: start + n, line: '1' }))
    const list = mergeLists(listOf(many.slice(0, 100)), listOf(many.slice(100)))
    expect(list).toMatchObject({ count: 500, firstAt: start })
    expect(list?.calls).toEqual(many.toReversed().slice(0, MOST_KEPT_CALLS))
    expect(keepOf(list, () => false)).toBeUndefined()
    expect(keepOf(list, () => true)).toBe(list)
    expect(keepOf(list, ({ at }) => at >= start + 490)).toEqual(listOf(many.slice(490)))
  })
})

describe('a threshold', () => {
  const threshold = { calls: 3, minutes: 10 }

  it('is reached by those that are so many within so many minutes, however they come', () => {
    fc.assert(
      fc.property(calls, fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }), (all, sizes) => {
        const expected = all.filter(({ at }) =>
          all.some(({ at: first }) => {
            const within = all.filter((one) => one.at >= first && one.at <= first + 10 * minute)
            return within.length >= 3 && at >= first && at <= first + 10 * minute
          }),
        )
        // All at once, since what was told counts no more.
        const once = overThreshold(all, threshold, start)
        expect(new Set(once.reached)).toEqual(new Set(expected))
        let below: readonly MissedCall[] = []
        const told: MissedCall[] = []
        const rest = [...all].sort((a, b) => a.at - b.at)
        for (const size of [...sizes, rest.length]) {
          const some = rest.splice(0, size)
          const step = overThreshold([...below, ...some], threshold, some.at(-1)?.at ?? start)
          told.push(...step.reached)
          below = step.below
        }
        // In parts they never come to more, and none is told twice.
        expect(new Set(told).size).toBe(told.length)
        for (const call of told) expect(expected).toContain(call)
      }),
    )
  })

  it('without one, every call is told', () => {
    fc.assert(
      fc.property(calls, (all) => {
        expect(overThreshold(all, undefined, start)).toEqual({ reached: all, below: [] })
      }),
    )
  })
})

describe('the hours of an alert', () => {
  const berlin = zoneOf('Europe/Berlin')
  const office = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' }
  const nights = { weekdays: [5], from: '22:00', to: '06:00' }
  const isOpenAt = (hours: typeof office, text: string) => areOpen(hours, berlin, Date.parse(text))

  it('begin and end in the zone, and go on past midnight', () => {
    expect(isOpenAt(office, '2026-11-20T07:59:59Z')).toBe(false)
    expect(isOpenAt(office, '2026-11-20T08:00:00Z')).toBe(true)
    expect(isOpenAt(office, '2026-11-20T16:29:59Z')).toBe(true)
    expect(isOpenAt(office, '2026-11-20T16:30:00Z')).toBe(false)
    expect(isOpenAt(office, '2026-11-21T10:00:00Z')).toBe(false)
    expect(isOpenAt(nights, '2026-11-20T20:59:00Z')).toBe(false)
    expect(isOpenAt(nights, '2026-11-20T21:00:00Z')).toBe(true)
    expect(isOpenAt(nights, '2026-11-21T04:59:00Z')).toBe(true)
    expect(isOpenAt(nights, '2026-11-21T05:00:00Z')).toBe(false)
    expect(areOpen(undefined, berlin, start)).toBe(true)
  })

  it('begin later where the clocks skip their beginning, and once where they show it twice', () => {
    const every = { weekdays: [7], from: '02:30', to: '12:00' }
    expect(new Date(nextOpening(every, berlin, Date.parse('2027-03-27T12:00:00Z'))).toISOString()).toBe(
      '2027-03-28T01:00:00.000Z',
    )
    expect(new Date(nextOpening(every, berlin, Date.parse('2027-10-30T12:00:00Z'))).toISOString()).toBe(
      '2027-10-31T00:30:00.000Z',
    )
  })

  it('begin when clocks show it, and hold from then on, whatever the zone', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', '+05:45')
    const instant = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') })
    fc.assert(
      fc.property(weekdays, time, time, zones, instant, (days, from, to, name, now) => {
        const [hours, zone] = [{ weekdays: days, from, to }, zoneOf(name)]
        const opening = nextOpening(hours, zone, now)
        expect(opening).toBeGreaterThan(now)
        expect(opening - now).toBeLessThanOrEqual(8 * day + 2 * hour)
        expect(wallTime(zone, new Date(opening)).slice(11, 16) >= from).toBe(true)
        const isShort =
          to > from && Date.parse(`2026-01-01T${to}Z`) - Date.parse(`2026-01-01T${from}Z`) <= 2 * hour
        // Clocks that skip all of it leave nothing of it.
        if (!isShort) expect(areOpen(hours, zone, opening)).toBe(true)
      }),
    )
  })
})

describe('the times of polls', () => {
  const fine = { tookMs: 50, failures: 0 }

  it('spread the shards over the interval, each with one tick in it', () => {
    for (const everyMs of [30_000, minute, 10 * minute]) {
      const ticks = Array.from({ length: SHARDS }, (_, shard) => nextTick(shard, everyMs, start))
      for (const [shard, tick] of ticks.entries()) {
        expect(tick > start && tick <= start + everyMs).toBe(true)
        expect(nextTick(shard, everyMs, tick)).toBe(tick + everyMs)
        expect(nextTick(shard, everyMs, tick + 700)).toBe(tick + everyMs)
      }
      const sorted = ticks.toSorted((a, b) => a - b)
      for (const [index, tick] of sorted.slice(1).entries())
        expect(tick - (sorted[index] ?? 0)).toBeLessThanOrEqual(everyMs / SHARDS + 1)
    }
  })

  it('spread tenants over the shards, each in the same one for ever', () => {
    const counts = new Map<number, number>()
    for (let n = 0; n < 6400; n += 1) {
      const shard = shardOf(tenantKey({ teamId: `T${n}` }))
      counts.set(shard, (counts.get(shard) ?? 0) + 1)
    }
    expect(counts.size).toBe(SHARDS)
    for (const count of counts.values()) expect(count > 50 && count < 160).toBe(true)
    expect(['T1', 'T0TEAM1', 'E/1'].map((teamId) => shardOf(tenantKey({ teamId })))).toEqual([29, 46, 31])
  })

  it('are further apart where the service fails, is slow or asks to wait, ten minutes at most unless it asks for more', () => {
    expect(pollInterval(minute, fine)).toBe(minute)
    expect(pollInterval(minute, { ...fine, failures: 1 })).toBe(minute)
    expect(pollInterval(minute, { ...fine, failures: 2 })).toBe(2 * minute)
    expect(pollInterval(minute, { ...fine, failures: 9 })).toBe(10 * minute)
    expect(pollInterval(minute, { ...fine, tookMs: 12_000 })).toBe(2 * minute)
    expect(pollInterval(minute, { ...fine, failures: 1, tookMs: 12_000 })).toBe(minute)
    expect(pollInterval(minute, { ...fine, failures: 1, retryAfterMs: 20 * minute })).toBe(20 * minute)
    expect(pollInterval(minute, { ...fine, failures: 1, retryAfterMs: 100 * hour })).toBe(hour)
  })

  it('of a clock that has jumped are not waited for', () => {
    expect(isAhead(start + minute, start)).toBe(true)
    expect(isAhead(start, start)).toBe(false)
    expect(isAhead(start + 365 * day, start)).toBe(false)
    expect(isAhead(undefined, start)).toBe(false)
  })
})

it('goes on at the tick after, where a database whose clock is ahead starts a shard before its time', async () => {
  const ticks: number[] = []
  const jobs = {
    inFlight: 0,
    enqueue: async (_queue: object, _id: string, _data: object, at: Date) => void ticks.push(at.getTime()),
    work() {},
    deleteOf: async () => {},
    stop: async () => {},
  }
  const tick = nextTick(7, minute, start)
  const at = async (now: number, polled: number) => {
    const unused = {} as never
    const alerts = createAlerts({ store: unused, workspaces: unused, jobs, everyMs: minute, now: () => now })
    await alerts.enqueueShard(7, polled)
  }
  await at(tick - 300, tick)
  await at(tick + 300, tick)
  // A clock that has jumped back: the tick of before says nothing.
  await at(tick - 10 * minute - 300, tick)
  expect(ticks).toEqual([tick + minute, tick + minute, tick - 10 * minute])
})

describe('the days that are asked for', () => {
  const berlin = zoneOf('Europe/Berlin')
  const since = Date.parse('2026-01-01')
  // One for all: what it remembers of a day is no other day's.
  const ranges = new PollRanges()
  const rangeAt = (text: string, polledAt?: string, from = since) =>
    ranges.of(berlin, Date.parse(text), {
      polledAt: polledAt === undefined ? undefined : Date.parse(polledAt),
      since: from,
    })

  it("are today's, and yesterday's until it is safely over and was polled then", () => {
    const both = { offset: '+01:00', from: '2026-11-19', to: '2026-11-20' }
    const today = { ...both, from: '2026-11-20' }
    expect(rangeAt('2026-11-20T02:59:00Z', '2026-11-20T02:58:00Z')).toEqual(both)
    expect(rangeAt('2026-11-20T03:01:00Z', '2026-11-20T02:58:00Z')).toEqual(both)
    expect(rangeAt('2026-11-20T03:02:00Z', '2026-11-20T03:01:00Z')).toEqual(today)
    expect(rangeAt('2026-11-20T15:00:00Z')).toEqual(both)
    // Nothing of yesterday is to be told.
    expect(rangeAt('2026-11-20T00:10:00Z', undefined, Date.parse('2026-11-20T00:05:00Z'))).toEqual(today)
  })

  it('hold now, in the offset of now, and everything of the last day until it was polled', () => {
    const instant = fc.integer({ min: Date.parse('2026-01-02'), max: Date.parse('2029-01-01') })
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'America/St_Johns')
    fc.assert(
      fc.property(instant, zones, (now, name) => {
        const zone = zoneOf(name)
        const { offset, from, to } = ranges.of(zone, now, { polledAt: undefined, since: 0 })
        const at = (text: string) => Date.parse(`${text}T00:00:00${offset}`)
        expect(at(to) <= now && now < at(to) + day).toBe(true)
        expect(at(from)).toBeLessThanOrEqual(now - day)
      }),
    )
  })
})

describe('the ledger of what was seen', () => {
  const list = { range: '', seen: {} }

  it('has what was seen in the last days, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (kept, others) => {
        const half = markSeen(list, kept.slice(0, 5), start - day)
        const whole = markSeen(half, kept, start)
        expect(kept.every((id) => wasSeen(whole, id))).toBe(true)
        for (const id of others) expect(wasSeen(whole, id)).toBe(kept.includes(id))
      }),
    )
  })

  it('lets go of what is asked for no more, and of what a clock that jumped has written', () => {
    const old = markSeen(list, ['old'], start - 3 * day)
    const far = markSeen(markSeen(old, ['recent'], start - day), ['now'], start)
    expect(['old', 'recent', 'now'].map((id) => wasSeen(far, id))).toEqual([false, true, true])
    const back = markSeen(markSeen(list, ['future'], start + 4000 * day), ['now'], start)
    expect(Object.keys(back.seen)).toEqual(['2026-11-20'])
  })

  it('keeps so many ids at most, and then says since when', () => {
    const ids = Array.from({ length: 40_001 }, (_, n) => `id${n}`)
    const full = markSeen(list, ids, start)
    expect(full.since).toBe(start)
    expect(full.seen['2026-11-20']?.length).toBeLessThan(240_000)
    expect(wasSeen(full, 'id40000')).toBe(true)
  })
})
