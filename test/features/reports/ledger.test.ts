import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../../dev/service/app.ts'
import { serveSandbox } from '../../../dev/service/serve.ts'
import type { Direction, SandboxCall } from '../../../dev/service/types.ts'
import type { ReportQuery } from '../../../src/features/reports/actions.ts'
import type { CallFigures } from '../../../src/features/reports/aggregate.ts'
import { planReport } from '../../../src/features/reports/period.ts'
import { type FullReport, type Report, ReportReading } from '../../../src/features/reports/report.ts'
import { formatMoney } from '../../../src/telephony/money.ts'
import type { Account } from '../../../src/telephony/types.ts'
import { addDays, type DayRange, parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { createClient } from '../../support/stub-service.ts'

const start = new Date('2026-11-20T12:00:00Z')
const day = (text: string) => parseDay(text)!
const directions: readonly Direction[] = ['incoming', 'outgoing']

/** Starts a sandbox at that time. The test moves its clock. */
async function startSandbox(calls: number) {
  const clock = { ms: start.getTime() }
  const sandbox = createSandbox({ calls, now: () => new Date(clock.ms) })
  const served = await serveSandbox(sandbox)
  onTestFinished(() => served.close())
  const { lively } = sandbox.accounts
  const account: Account = { tenant: 'L', credentials: lively }
  const client = createClient(served.baseUrl)
  let told: string[] = []
  const read = (
    query: ReportQuery,
    zone: string,
    { readForMs = 20_000, ...more }: { maxRecords?: number; readForMs?: number } = {},
  ) => {
    told = []
    const plan = planReport(query, parseZone(zone)!, start)
    const agents = lively.agents.map(({ id }) => ({ id, name: id }))
    const onProgress = (text: string) => told.push(text)
    return new ReportReading(client, {
      account,
      plan,
      agents: query.by === 'agent' ? agents : [],
      onProgress,
      times: { progressAfterMs: 2500, readForMs },
      ...more,
    }).read()
  }
  return { sandbox, lively, client, clock, read, told: () => told }
}

const wallClock = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

/** Returns the ledger's calls on these days by the wall clock, as of `start`. */
function createLedger(calls: readonly SandboxCall[], { from, to }: DayRange, zone: string, upTo = start) {
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

function full(report: Report): FullReport {
  if (!report.aggregate) return expect.unreachable('only totals')
  return report
}

function expectAgreement(figures: CallFigures, calls: readonly SandboxCall[]): void {
  const { calls: count, answered, missed, seconds, cost } = figures
  expect({ count, answered, missed, seconds }).toEqual({
    count: calls.length,
    answered: calls.filter((call) => call.answered).length,
    missed: calls.filter((call) => !call.answered).length,
    seconds: calls.reduce((sum, call) => sum + call.seconds, 0),
  })
  expect(tenThousandths(formatMoney(cost))).toBe(
    calls.reduce((sum, call) => sum + tenThousandths(call.cost), 0n),
  )
}

function getKeys(calls: readonly SandboxCall[], zone: string) {
  const counts = new Map<string, number>()
  for (const { at } of calls) {
    const key = wallClock(zone).format(at).slice(0, 10)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort()
}

describe('a report equals the ledger, to the cent and the second,', () => {
  // Clocks went back on 25 October and 1 November, forward on 4 October, and never change in Kathmandu.
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
  const queries = fc
    .record({
      last: fc.integer({ min: 0, max: 60 }),
      length: fc.integer({ min: 1, max: 31 }),
      direction: fc.constantFrom(...directions),
    })
    .map(({ last, length, direction }): ReportQuery => {
      const to = addDays(day('2026-11-20'), -last)
      return { from: addDays(to, 1 - length), to, direction, by: 'day' }
    })

  it('across clock changes, while new calls arrive', { timeout: 60_000 }, async () => {
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
    const sunday = day('2026-10-25')
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(...zones), async (query, zone) => {
        const { aggregate } = full(await read(query, zone))
        const calls = createLedger(lively.calls(query.direction), query, zone)
        expectAgreement(aggregate.figures, calls)
        const days = aggregate.groups.day.map(({ key, figures }) => [key, figures.calls])
        expect(days).toEqual(getKeys(calls, zone))
      }),
      {
        numRuns: 40,
        examples: [[{ from: sunday, to: sunday, direction: 'incoming', by: 'hour' }, 'Europe/Berlin']],
      },
    )
    expect(come).toBeGreaterThan(100)
  })

  const november = { from: day('2026-11-01'), to: day('2026-11-15'), by: 'agent' } as const

  it('and so does the previous period, up to the same time of day', async () => {
    const { lively, read } = await startSandbox(1500)
    const days = { from: day('2026-11-14'), to: day('2026-11-20') }
    const week: ReportQuery = { ...days, direction: 'incoming', by: 'line' }
    const { figuresBefore } = full(await read(week, 'Europe/Berlin'))
    const before = { ...week, from: day('2026-11-07'), to: day('2026-11-13') }
    const upTo = new Date('2026-11-13T12:00:00Z')
    expectAgreement(figuresBefore, createLedger(lively.calls('incoming'), before, 'Europe/Berlin', upTo))
  })

  it.each(directions)('by agent and, of incoming calls, by line: %s', async (direction) => {
    const { lively, read } = await startSandbox(3000)
    const calls = createLedger(lively.calls(direction), november, 'Europe/Berlin')
    // Enough for the calls of both periods, but not for those of the agents' lists, too.
    const maxRecords = Math.ceil(2.5 * calls.length)
    const { groups } = full(await read({ ...november, direction }, 'Europe/Berlin', { maxRecords })).aggregate
    const lines = direction === 'incoming' ? groups.line : []
    for (const { key, figures } of groups.agent)
      expectAgreement(
        figures,
        calls.filter(({ agentId }) => agentId === key),
      )
    for (const { key, figures } of lines)
      expectAgreement(
        figures,
        calls.filter(({ number }) => number === key),
      )
    expect(groups.agent[0]?.figures.calls).toBeGreaterThan(10)
  })

  it('filtered by agent, result and number', async () => {
    const { lively, read } = await startSandbox(3000)
    const days = { from: day('2026-10-01'), to: day('2026-11-15'), direction: 'incoming', by: 'day' } as const
    const calls = createLedger(lively.calls('incoming'), days, 'UTC')
    const number = calls[0]!.number.slice(-6)
    const { id: agentId } = lively.agents[0]!
    for (const [filter, matches] of [
      [{ status: 'missed' }, (call: SandboxCall) => !call.answered],
      [{ number }, (call: SandboxCall) => call.number.endsWith(number)],
      [{ agentId }, (call: SandboxCall) => call.agentId === agentId],
    ] as const)
      expectAgreement(
        full(await read({ ...days, ...filter }, 'UTC')).aggregate.figures,
        calls.filter(matches),
      )
  })
})

describe('too many calls to read', () => {
  const query = { from: day('2026-10-25'), to: day('2026-11-20'), direction: 'incoming', by: 'line' } as const

  it('shows totals if reading takes too long or would', async () => {
    const { sandbox, read, told } = await startSandbox(3000)
    sandbox.faults.always({ kind: 'delay', ms: 60 })
    expect((await read(query, 'UTC', { readForMs: 400 })).aggregate).toBeUndefined()
    expect(told()).toEqual([])
    sandbox.faults.clear()
    sandbox.faults.every(7, { kind: 'delay', ms: 3000 })
    expect((await read(query, 'UTC', { readForMs: 1500 })).aggregate).toBeUndefined()
  })

  it('shows totals if there are more records than announced, without counts that are unknown', async () => {
    const { sandbox, read } = await startSandbox(3000)
    for (let n = 0; n < 2; n += 1) sandbox.faults.next({ kind: 'set', envelope: { total_record: 'many' } })
    const report = await read(query, 'UTC', { maxRecords: 100 })
    expect([report.aggregate, 'calls' in report && report.calls]).toEqual([undefined, undefined])
  })
})
