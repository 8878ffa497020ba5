import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchOf, countOf, firstOf, mergeBatches, without } from '../../src/alerts/call-batch.ts'
import { digestOfIds, lastPacked, PackedIds, packedCount, packIds } from '../../src/alerts/call-ids.ts'
import { areOpen, nextOpening } from '../../src/alerts/hours.ts'
import { nextLook, paceOf, turnAfter } from '../../src/alerts/pace.ts'
import { LookRanges } from '../../src/alerts/ranges.ts'
import { overThreshold } from '../../src/alerts/threshold.ts'
import type { MissedCall } from '../../src/store/missed-calls.ts'
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

describe('a batch of calls', () => {
  it('counts all of them, and has the latest twenty, however they come together', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 0, max: 60 }), (all, cut) => {
        const isOutside = (at: number) => at % 3 === 0
        const batch = (some: readonly MissedCall[]) => batchOf(some, isOutside)
        const merged = mergeBatches(batch(all.slice(0, cut)), batch(all.slice(cut)))
        expect(merged).toEqual(batch(all))
        if (!merged) return
        expect(countOf(merged)).toBe(all.length)
        const outside = merged.hours.filter((one) => one.isOutside)
        expect(countOf({ calls: [], hours: outside })).toBe(all.filter(({ at }) => isOutside(at)).length)
        expect(firstOf(merged)).toBe(Math.min(...all.map(({ at }) => at)))
        const latest = all
          .map(({ at }) => at)
          .toSorted((a, b) => b - a)
          .slice(0, 20)
        expect(merged.calls.map(({ at }) => at)).toEqual(latest)
      }),
    )
  })

  it('leaves out what is too old, to the hour, and says how many', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 0, max: 3 * day }), (all, ms) => {
        const batch = batchOf(all)
        if (!batch) return
        const before = start + ms
        const { left, tooOld } = without(batch, ({ hour: from }) => from + hour <= before)
        expect(tooOld + (left ? countOf(left) : 0)).toBe(all.length)
        const kept = left ? countOf(left) : 0
        expect(kept).toBeGreaterThanOrEqual(all.filter(({ at }) => at >= before).length)
        expect(kept).toBeLessThanOrEqual(all.filter(({ at }) => at >= before - hour).length)
        for (const { at } of left?.calls ?? []) expect(at).toBeGreaterThan(before - hour)
      }),
    )
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
        expect(new Set(once.told)).toEqual(new Set(expected))
        let below: readonly MissedCall[] = []
        const told: MissedCall[] = []
        const rest = [...all].sort((a, b) => a.at - b.at)
        for (const size of [...sizes, rest.length]) {
          const some = rest.splice(0, size)
          const step = overThreshold([...below, ...some], threshold, some.at(-1)?.at ?? start)
          told.push(...step.told)
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
        expect(overThreshold(all, undefined, start)).toEqual({ told: all, below: [] })
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

describe('the pace of looks', () => {
  const tenants = Array.from({ length: 1000 }, (_, index) => tenantKey({ teamId: `T${index}` }))
  const fine = { tookMs: 50, failures: 0, isIdle: false }

  it('spreads accounts over the interval, each on the same turn', () => {
    const turns = tenants.map((tenant) => turnAfter(tenant, minute, start))
    for (const turn of turns) expect(turn > start && turn <= start + minute).toBe(true)
    const tenths = Array.from({ length: 10 }, (_, n) =>
      turns.filter((at) => Math.floor((at - start) / 6001) === n),
    )
    for (const tenth of tenths) expect(tenth.length).toBeGreaterThan(60)
    const [tenant = tenantKey({ teamId: 'T1' })] = tenants
    const first = turnAfter(tenant, minute, start)
    expect(nextLook(tenant, minute, fine, first)).toBe(first + minute)
    expect(nextLook(tenant, minute, fine, first + 700)).toBe(first + minute)
  })

  it('is slower where the service fails, is slow or asks to wait, ten minutes at most unless it asks for more', () => {
    expect(paceOf(minute, fine)).toBe(minute)
    expect(paceOf(minute, { ...fine, failures: 1 })).toBe(minute)
    expect(paceOf(minute, { ...fine, failures: 2 })).toBe(2 * minute)
    expect(paceOf(minute, { ...fine, failures: 9 })).toBe(10 * minute)
    expect(paceOf(minute, { ...fine, tookMs: 12_000 })).toBe(2 * minute)
    expect(paceOf(minute, { ...fine, failures: 1, tookMs: 12_000 })).toBe(minute)
    expect(paceOf(minute, { ...fine, isIdle: true })).toBe(10 * minute)
    expect(paceOf(minute, { ...fine, failures: 1, retryAfterMs: 20 * minute })).toBe(20 * minute)
    expect(paceOf(minute, { ...fine, failures: 1, retryAfterMs: 100 * hour })).toBe(hour)
  })

  it('is never sooner than the service asked for', () => {
    const course = { ...fine, failures: 1, retryAfterMs: 90_000 }
    for (const tenant of tenants)
      expect(nextLook(tenant, minute, course, start)).toBeGreaterThanOrEqual(start + 90_000)
  })
})

describe('the days that are asked for', () => {
  const berlin = zoneOf('Europe/Berlin')
  const since = Date.parse('2026-01-01')
  // One for all: what it remembers of a day is no other day's.
  const ranges = new LookRanges()
  const rangeAt = (text: string, lookedAt?: string, from = since) =>
    ranges.of(berlin, Date.parse(text), {
      lookedAt: lookedAt === undefined ? undefined : Date.parse(lookedAt),
      since: from,
    })

  it("are today's, and yesterday's until it is safely over and was looked at then", () => {
    const both = { offset: '+01:00', from: '2026-11-19', to: '2026-11-20' }
    const today = { ...both, from: '2026-11-20' }
    expect(rangeAt('2026-11-20T02:59:00Z', '2026-11-20T02:58:00Z')).toEqual(both)
    expect(rangeAt('2026-11-20T03:01:00Z', '2026-11-20T02:58:00Z')).toEqual(both)
    expect(rangeAt('2026-11-20T03:02:00Z', '2026-11-20T03:01:00Z')).toEqual(today)
    expect(rangeAt('2026-11-20T15:00:00Z')).toEqual(both)
    // Nothing of yesterday is to be told.
    expect(rangeAt('2026-11-20T00:10:00Z', undefined, Date.parse('2026-11-20T00:05:00Z'))).toEqual(today)
  })

  it('hold now, in the offset of now, and everything of the last day until it was looked at', () => {
    const instant = fc.integer({ min: Date.parse('2026-01-02'), max: Date.parse('2029-01-01') })
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'America/St_Johns')
    fc.assert(
      fc.property(instant, zones, (now, name) => {
        const zone = zoneOf(name)
        const { offset, from, to } = ranges.of(zone, now, { lookedAt: undefined, since: 0 })
        const at = (text: string) => Date.parse(`${text}T00:00:00${offset}`)
        expect(at(to) <= now && now < at(to) + day).toBe(true)
        expect(at(from)).toBeLessThanOrEqual(now - day)
      }),
    )
  })
})

describe('ids of calls', () => {
  it('are found again, and no other', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (kept, others) => {
        const packed = packIds(kept)
        const ids = new PackedIds(packed, '')
        expect(packedCount(packed)).toBe(kept.length)
        expect(kept.every((id) => ids.has(id))).toBe(true)
        for (const id of others) expect(ids.has(id)).toBe(kept.includes(id))
        const last = new PackedIds(lastPacked(packed, 2))
        expect(kept.filter((id) => last.has(id))).toEqual(kept.slice(-2))
      }),
    )
  })

  it('have the same digest in any order, and another one with another id', () => {
    expect(digestOfIds(['a', 'b', 'c'])).toBe(digestOfIds(['c', 'a', 'b']))
    expect(digestOfIds(['a', 'b'])).not.toBe(digestOfIds(['a', 'c']))
  })
})
