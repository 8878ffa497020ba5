import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPoll } from '../../../src/features/alerts/account-polls.ts'
import { readMissedCalls, toPollRange } from '../../../src/features/alerts/reading.ts'
import type { PollRecord } from '../../../src/store/alerts.ts'
import type { TelephonyClient } from '../../../src/telephony/client.ts'
import { ReadLimitError } from '../../../src/telephony/types.ts'
import { parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { toUtcOffset } from '../../../src/time/zones.ts'
import { dayMs } from '../../../src/util/units.ts'
import { forAll } from '../../support/properties.ts'
import {
  createAccount,
  createClient,
  json,
  type Reply,
  startStub,
  status,
} from '../../support/stub-service.ts'
import { seeded } from './watched.ts'

const today = parseDay('2026-11-20')!
const nextDay = parseDay('2026-11-21')!
const range = { offset: toUtcOffset(0), from: today, to: today }
const now = Date.parse('2026-11-20T12:00:00Z')
const tenant = { enterpriseId: undefined, teamId: 'T1' }

/** A list with new calls in any position, as the service may return. */
class Listing {
  readonly ids: string[] = []
  time = '2026-11-20 10:00:00 AM'
  hasTotal = true

  add(count: number, random: () => number) {
    for (let n = 0; n < count; n += 1)
      this.ids.splice(Math.floor(random() * (this.ids.length + 1)), 0, `call-${this.ids.length}-${n}`)
  }

  readonly reply: Reply = (response, request) => {
    const page = Number(request.params.get('page'))
    const result = this.ids.slice((page - 1) * 20, page * 20).map((id) => ({
      id,
      'DID number': `+4930${id.replaceAll(/\D/g, '')}`,
      'Date Time': this.time,
      Duration: '00:00:00',
      Status: 'NOTANSWERED',
    }))
    const total = this.hasTotal ? { total_record: String(this.ids.length) } : {}
    json({ status: '200', message: 'Success', ...total, result })(response, request)
  }
}

/** Polls one account when the test says so. */
async function startScene() {
  const stub = await startStub()
  const listing = new Listing()
  stub.always(listing.reply)
  const client = createClient(stub.baseUrl, { backoffMs: 1 })
  const { signal } = new AbortController()
  let watch: PollRecord = { workspace: tenant, since: 0 }
  return {
    listing,
    watch: () => watch,
    /** Serves only the first page until `mend` is called. */
    cut: () => {
      stub.next(listing.reply)
      stub.always(status(503))
    },
    mend: () => stub.always(listing.reply),
    // Pages that were requested ahead may arrive later.
    requests: () => stub.requests.filter(({ params }) => params.get('page') === '1').length,
    /** @returns the ids of new calls */
    async poll(asked = range, at = now): Promise<readonly string[]> {
      const asks = { range: asked, before: watch.list }
      const reading = await readMissedCalls(client, createAccount(), asks, signal)
      const applied = applyPoll(watch, { startedAt: at, reading, error: reading?.error }, now)
      watch = applied.poll
      return applied.calls.map(({ id }) => id).toSorted()
    },
  }
}

describe('a poll', () => {
  it.each([1, 2, 3, 4, 5])('finds each new call once, on any page (%i)', async (seed) => {
    const { listing, poll, requests } = await startScene()
    const random = seeded(seed)
    for (let round = 0; round < 12; round += 1) {
      const before = new Set(listing.ids)
      listing.add(random() < 0.3 ? 0 : Math.floor(random() ** 3 * 90), random)
      expect(await poll()).toEqual(listing.ids.filter((id) => !before.has(id)).toSorted())
      const asked = requests()
      expect(await poll()).toEqual([])
      expect(requests() - asked).toBe(1)
    }
  })

  it('finds a call that replaced another one', async () => {
    const { listing, poll } = await startScene()
    listing.add(30, seeded(9))
    await poll()
    listing.ids[3] = 'call-99-99'
    expect(await poll()).toEqual(['call-99-99'])
    expect(await poll()).toEqual([])
    // The first page has none, and the service names no total.
    listing.hasTotal = false
    listing.ids[25] = 'call-88-88'
    expect(await poll({ ...range, to: nextDay })).toEqual(['call-88-88'])
  })

  it.each([
    ['a clock that jumped ahead', { ...range, from: nextDay, to: nextDay }],
    ['another time zone', { ...range, offset: toUtcOffset(300), to: nextDay }],
  ])('finds no call again after %s left it out', async (_, other) => {
    const { listing, poll } = await startScene()
    listing.add(45, seeded(3))
    await poll()
    const all = listing.ids.splice(0)
    expect(await poll(other)).toEqual([])
    listing.ids.push(...all)
    expect(await poll()).toEqual([])
  })

  it('forgets the calls of earlier days once a day', async () => {
    const { listing, poll, watch } = await startScene()
    listing.add(45, seeded(3))
    await poll()
    listing.ids.splice(5)
    await poll({ ...range, to: nextDay })
    expect(watch().list?.ids).toHaveLength(5)
  })

  it('that is interrupted keeps its calls, and the next one finds the rest', async () => {
    const { listing, poll, cut, mend, watch } = await startScene()
    listing.add(30, seeded(7))
    await poll()
    const before = new Set(listing.ids)
    listing.add(100, seeded(8))
    cut()
    const { readAt, total } = watch().list ?? {}
    expect([readAt, total]).toEqual([now, 30])
    const first = await poll(range, now + 1000)
    // An interrupted poll doesn't count as a reading.
    expect(watch().list).toMatchObject({ readAt: now, total: undefined })
    expect(watch().failing).toMatchObject({ count: 1, isPermanent: false })
    expect(first.length).toBeLessThan(100)
    mend()
    const rest = await poll()
    expect(watch().failing).toBeUndefined()
    const added = listing.ids.filter((id) => !before.has(id))
    expect([...first, ...rest].toSorted()).toEqual(added.toSorted())
  })

  it('accepts a list of only new calls, unless they are older than the last reading', async () => {
    const { listing, poll, watch } = await startScene()
    listing.add(5, seeded(5))
    const nine = Date.parse('2026-11-20T09:00:00Z')
    await poll(range, nine)
    listing.ids.splice(0, 5, 'call-7-7')
    expect(await poll(range, nine + 1)).toEqual(['call-7-7'])
    expect(watch().failing).toBeUndefined()
  })

  const oddTimes = ['soon', '9999-12-31 11:00:00 PM', '2020-01-01 11:00:00 AM']

  it.each(oddTimes)('counts a call at "%s" as missed now, unless it may precede the alert', async (time) => {
    const { listing, poll } = await startScene()
    listing.time = time
    listing.add(1, seeded(5))
    expect(await poll()).toEqual([])
    listing.add(1, seeded(6))
    expect(await poll()).toHaveLength(1)
  })
})

it('stops after 50,000 calls, and remembers as many', async () => {
  const calls = Array.from({ length: 50_001 }, (_, n) => ({ id: `c${n}`, at: new Date(now) }))
  const client = {
    calls: async () => ({ ids: [], calls: [] }),
    async *readCalls() {
      yield { calls }
      yield { calls }
    },
  } as unknown as TelephonyClient
  const { signal } = new AbortController()
  const reading = await readMissedCalls(client, createAccount(), { range, before: undefined }, signal)
  expect(reading?.error).toEqual(new ReadLimitError('calls'))
  expect([reading?.calls.length, reading?.ids.length]).toEqual([50_001, 50_000])
})

it('requests yesterday and today, with the current offset', () => {
  const instant = fc.integer({ min: Date.parse('2026-01-02'), max: Date.parse('2029-01-01') })
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'America/St_Johns')
  forAll(instant, zones, (time, name) => {
    const { offset, from, to } = toPollRange(parseZone(name)!, time)
    const at = (text: string) => Date.parse(`${text}T00:00:00${offset}`)
    expect(at(to) <= time && time < at(to) + dayMs).toBe(true)
    expect(at(to) - at(from)).toBe(dayMs)
  })
})

it.each([
  ['2026-11-20T11:59:00Z', '2026-11-19'],
  ['2026-11-19T01:00:00Z', '2026-11-19'],
  ['2026-11-17T23:30:00Z', '2026-11-18'],
  ['2026-11-17T22:30:00Z', '2026-11-17'],
  // Polls go back a month at most.
  ['2026-01-01T00:00:00Z', '2026-10-20'],
  // The time is unknown, or in the future because a clock jumped.
  ['1970-01-01T00:00:00Z', '2026-11-19'],
  ['2026-11-21T12:00:00Z', '2026-11-19'],
])('after a gap since %s, requests the days from %s', (since, from) => {
  expect(toPollRange(parseZone('Europe/Berlin')!, now, Date.parse(since)).from).toBe(from)
})
