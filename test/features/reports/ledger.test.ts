import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../../dev/service/app.ts'
import type { Fault } from '../../../dev/service/faults.ts'
import { serveSandbox } from '../../../dev/service/serve.ts'
import type { Direction, SandboxCall } from '../../../dev/service/types.ts'
import { readReport } from '../../../src/features/reports/reader.ts'
import { planReport, type Report } from '../../../src/features/reports/report.ts'
import type { ReportQuery } from '../../../src/slack/blocks/links.ts'
import { readingTimes } from '../../../src/slack/deliver/reading.ts'
import { formatMoney } from '../../../src/telephony/money.ts'
import type { Account } from '../../../src/telephony/types.ts'
import { addDays, parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { clientOf, rejection } from '../../support/stub-service.ts'

const start = new Date('2026-11-20T12:00:00Z')
const day = (text: string) => parseDay(text)!
const directions: readonly Direction[] = ['incoming', 'outgoing']

/** The sandbox on that day; its clock goes on as it is told. */
async function startSandbox(calls: number) {
  const clock = { ms: start.getTime() }
  const sandbox = createSandbox({ calls, now: () => new Date(clock.ms) })
  const served = await serveSandbox(sandbox)
  onTestFinished(() => served.close())
  const { lively } = sandbox.accounts
  const account: Account = { tenant: 'L', credentials: lively }
  const client = clientOf(served.baseUrl)
  let told: string[] = []
  const read = (
    query: ReportQuery,
    zone: string,
    { readForMs = 20_000, ...more }: { mostRecords?: number; readForMs?: number } = {},
  ) => {
    told = []
    const plan = planReport(query, parseZone(zone)!, start)
    const agents = lively.agents.map((agent) => ({ ...agent, ipRestriction: false, followMe: false }))
    const onProgress = (text: string) => told.push(text)
    return readReport(client, {
      account,
      plan,
      agents: query.by === 'agent' ? agents : [],
      onProgress,
      times: { ...readingTimes, readForMs },
      ...more,
    })
  }
  return { sandbox, lively, client, clock, read, told: () => told }
}

const wallClock = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

/** The ledger's calls whose wall clock shows one of these days, as the service had them at `start`. */
function ledgerOf(calls: readonly SandboxCall[], { from, to }: ReportQuery, zone: string, upTo = start) {
  const clock = wallClock(zone)
  return calls.filter(({ at }) => {
    const shown = clock.format(at).slice(0, 10)
    return at <= upTo && shown >= from && shown <= to
  })
}

const tenThousandths = (cost: string) => {
  const [whole = '', fraction = ''] = cost.split('.')
  return BigInt(whole + fraction.padEnd(4, '0'))
}

function expectAgreement(report: Report, direction: Direction, calls: readonly SandboxCall[]): void {
  const { calls: count, answered, missed, seconds, cost } = report.figures[direction]
  expect({ count, answered, missed, seconds }).toEqual({
    count: calls.length,
    answered: calls.filter((call) => call.answered).length,
    missed: calls.filter((call) => !call.answered).length,
    seconds: calls.reduce((sum, call) => sum + call.seconds, 0),
  })
  expect(tenThousandths(formatMoney(cost!))).toBe(
    calls.reduce((sum, call) => sum + tenThousandths(call.cost), 0n),
  )
}

function keysOf(calls: readonly SandboxCall[], zone: string) {
  const counts = new Map<string, number>()
  for (const { at } of calls) {
    const key = wallClock(zone).format(at).slice(0, 10)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort()
}

describe('a report agrees with the ledger, to the cent and the second,', () => {
  // The clocks of these went back on 25 October, 1 November; forward on 4 October; never.
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
  const queries = fc
    .record({ last: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 1, max: 35 }) })
    .map(({ last, length }): ReportQuery => {
      const to = addDays(day('2026-11-20'), -last)
      return { from: addDays(to, 1 - length), to, by: 'day' }
    })

  it('over ranges that cross a clock change, in both directions, while new calls arrive', {
    timeout: 60_000,
  }, async () => {
    const { lively, client, clock, read } = await startSandbox(1500)
    let come = 0
    client.on('request', () => {
      clock.ms += 1000
      for (const direction of directions) {
        const like = lively.calls(direction)[0]!
        come += 1
        lively.addCalls({ ...like, id: `new${come}`, at: new Date(clock.ms), seconds: 7, cost: '1.2345' })
      }
    })
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(...zones), async (query, zone) => {
        const report = await read(query, zone)
        for (const direction of directions) {
          const calls = ledgerOf(lively.calls(direction), query, zone)
          expectAgreement(report, direction, calls)
          const days = report.aggregate?.groups.day.flatMap(({ key, figures }) =>
            figures[direction].calls ? [[key, figures[direction].calls]] : [],
          )
          expect(days).toEqual(keysOf(calls, zone))
        }
      }),
      {
        numRuns: 25,
        examples: [[{ from: day('2026-10-25'), to: day('2026-10-25'), by: 'hour' }, 'Europe/Berlin']],
      },
    )
    expect(come).toBeGreaterThan(100)
  })

  it('and so does the period before, up to the same time of the day', async () => {
    const { lively, read } = await startSandbox(1500)
    const query: ReportQuery = { from: day('2026-11-14'), to: day('2026-11-20'), by: 'line' }
    const report = await read(query, 'Europe/Berlin')
    const before = { ...query, from: day('2026-11-07'), to: day('2026-11-13') }
    const upTo = new Date('2026-11-13T12:00:00Z')
    for (const direction of directions) {
      const calls = ledgerOf(lively.calls(direction), before, 'Europe/Berlin', upTo)
      expectAgreement({ ...report, figures: report.before }, direction, calls)
    }
  })

  it.each<[string, Fault]>([
    ['fails', { kind: 'status', status: 503 }],
    ['cuts answers', { kind: 'cut-json' }],
    ['asks to wait', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
  ])('with a service that %s at every tenth page', { timeout: 30_000 }, async (_, fault) => {
    const { sandbox, lively, client, read } = await startSandbox(3000)
    let failed = 0
    client.on('request', ({ outcome }) => {
      if (outcome !== 'ok') failed += 1
    })
    sandbox.faults.every(10, fault)
    const query: ReportQuery = { from: day('2026-10-12'), to: day('2026-11-11'), by: 'line' }
    const report = await read(query, 'Europe/Berlin')
    for (const direction of directions)
      expectAgreement(report, direction, ledgerOf(lively.calls(direction), query, 'Europe/Berlin'))
    expect(failed).toBeGreaterThan(3)
  })

  it('by line and by agent too', async () => {
    const { lively, read } = await startSandbox(3000)
    const query: ReportQuery = { from: day('2026-11-01'), to: day('2026-11-15'), by: 'agent' }
    const { agents, aggregate } = await read(query, 'Europe/Berlin')
    const incoming = ledgerOf(lively.calls('incoming'), query, 'Europe/Berlin')
    for (const { key, figures } of aggregate?.groups.line ?? [])
      expect(figures.incoming.calls).toBe(incoming.filter(({ number }) => number === key).length)
    if (agents === undefined || agents === 'late') return expect.unreachable()
    for (const { id, figures } of agents) {
      for (const direction of directions) {
        const own = ledgerOf(lively.calls(direction), query, 'Europe/Berlin').filter(
          ({ agentId }) => agentId === id,
        )
        expect(figures[direction].calls).toBe(own.length)
        expect(figures[direction].missed).toBe(own.filter(({ answered }) => !answered).length)
      }
    }
    const [busiest] = agents
    expect(busiest?.figures.incoming.calls).toBeGreaterThan(10)
  })
})

describe('what is too much to read', () => {
  const query: ReportQuery = { from: day('2026-10-25'), to: day('2026-11-20'), by: 'line' }

  it('is told by the totals alone, beyond so many records', async () => {
    const { sandbox, lively, read } = await startSandbox(3000)
    const report = await read(query, 'UTC', { mostRecords: 300 })
    expect(report).toMatchObject({ totals: 'records' })
    expect(report.aggregate).toBeUndefined()
    for (const direction of directions) {
      const calls = ledgerOf(lively.calls(direction), query, 'UTC')
      const missed = calls.filter(({ answered }) => !answered).length
      expect(report.figures[direction]).toMatchObject({ calls: calls.length, missed })
      expect(report.figures[direction].seconds).toBeUndefined()
      expect(report.before[direction].calls).toBeGreaterThan(100)
    }
    // One for each direction and period, and two more of them each for what was answered and missed.
    expect(sandbox.requests.count()).toBe(12)
  })

  it('is read without the period before, where that is what makes it too much', async () => {
    const { lively, read } = await startSandbox(3000)
    const count = directions.reduce((sum, one) => sum + ledgerOf(lively.calls(one), query, 'UTC').length, 0)
    const report = await read(query, 'UTC', { mostRecords: count + 10 })
    expect(report.totals).toBeUndefined()
    for (const direction of directions)
      expectAgreement(report, direction, ledgerOf(lively.calls(direction), query, 'UTC'))
    expect(report.before.incoming.calls).toBeGreaterThan(100)
    expect(report.before.incoming.seconds).toBeUndefined()
  })

  it('is told by the totals, where it would take longer than anybody waits, or turns out to', async () => {
    const { sandbox, read, told } = await startSandbox(3000)
    sandbox.faults.always({ kind: 'delay', ms: 60 })
    const report = await read(query, 'UTC', { readForMs: 700 })
    expect(report.totals).toBe('time')
    expect(told()).toEqual([])
    sandbox.faults.clear()
    // The first pages come quickly, and the others don't.
    sandbox.faults.every(7, { kind: 'delay', ms: 3000 })
    const later = await read(query, 'UTC', { readForMs: 1500 })
    expect(later.totals).toBe('time')
  })

  it('of more records than were told at first: the totals', async () => {
    const { sandbox, read } = await startSandbox(3000)
    for (let n = 0; n < 4; n += 1) sandbox.faults.next({ kind: 'set', envelope: { total_record: 'many' } })
    const report = await read(query, 'UTC', { mostRecords: 100 })
    expect(report).toMatchObject({ totals: 'records', count: undefined })
  })

  it('fails if the service stays away', { timeout: 20_000 }, async () => {
    const { sandbox, read, client } = await startSandbox(3000)
    let requests = 0
    client.on('request', () => {
      requests += 1
      if (requests === 30) sandbox.faults.always({ kind: 'status', status: 503 })
    })
    const error = await rejection(read(query, 'UTC'))
    expect(error).toMatchObject({
      name: 'ServiceUnavailableError',
    })
  })
})
