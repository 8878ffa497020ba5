import type { OnProgress } from '../../slack/deliver/answer.ts'
import { expectedReadingMs, Reading, type ReadingTimes } from '../../slack/deliver/reading.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import { totalOf } from '../../telephony/paging.ts'
import type { Account, CallPage, Direction, ScanQuery } from '../../telephony/types.ts'
import { several } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type Aggregate, Aggregator, type CallFigures, type Figures } from './aggregate.ts'
import type { Period, Window } from './period.ts'
import { MOST_RECORDS, type Report, type ReportPlan, type TotalsReason } from './report.ts'

/** Requests that run at a time: they leave a slot of the workspace to people. */
const atATime = 3

const unknown: CallFigures = { calls: undefined, answered: undefined, missed: undefined }

/** What there is to read of one period. */
interface Part {
  readonly period: Period
  readonly window: Window
  /** The first page of each direction. */
  readonly first: readonly CallPage[]
}

const pagesOf = (parts: readonly Part[]) => parts.flatMap(({ first }) => first)

const countOf = (parts: readonly Part[]) => totalOf(pagesOf(parts).map(({ total }) => total))

export interface ReadOptions {
  readonly account: Account
  readonly plan: ReportPlan
  /** Those that are counted one by one: none where the calls aren't told apart by agent. */
  readonly agents: readonly AgentSummary[]
  readonly onProgress: OnProgress
  readonly times: ReadingTimes
  /** For nobody who waits, behind what people ask for: aborted where it is to break off. */
  readonly background?: AbortSignal | undefined
  readonly mostRecords?: number | undefined
}

/** Reads all that a report needs, at once. @throws {TelephonyError}, and the reason of `background` */
export async function readReport(telephony: TelephonyClient, options: ReadOptions): Promise<Report> {
  const { account, plan, agents, onProgress, times, background, mostRecords = MOST_RECORDS } = options
  const { query, directions } = plan
  const start = performance.now()
  const timeout = AbortSignal.timeout(times.readForMs)
  const over = background ? AbortSignal.any([timeout, background]) : timeout
  const inBackground = background && { signal: background, isPatient: true }
  const firstPage = (scanned: ScanQuery) => telephony.calls(account, { ...scanned, page: 1 }, inBackground)
  const count = async (scanned: ScanQuery) => (await firstPage(scanned)).total
  const moreRequests = agents.length * directions.length * 2

  const queryFor = ({ query: days }: Window, direction: Direction): ScanQuery => ({
    ...days,
    direction,
    agentId: query.agentId,
  })

  /** One request for each direction says how many there are. */
  async function begin(period: Period, window: Window): Promise<Part> {
    const pages = directions.map((direction) => firstPage(queryFor(window, direction)))
    return { period, window, first: await Promise.all(pages) }
  }

  /** Why the records of these are not read. @param tookMs one request */
  function obstacle(parts: readonly Part[], tookMs: Milliseconds): TotalsReason | undefined {
    if ((countOf(parts) ?? 0) > mostRecords) return 'records'
    return tookMs + expectedReadingMs(pagesOf(parts), tookMs, moreRequests) > times.readForMs
      ? 'time'
      : undefined
  }

  /** @returns what the calls of each part come to @throws {TelephonyError | ReadingCutError} */
  async function read(parts: readonly Part[]): Promise<readonly Aggregate[]> {
    const first = pagesOf(parts)
    const otherwise = 'the totals alone'
    const reading = new Reading({ first, start, times, moreRequests, otherwise, onProgress })
    const queries = parts.flatMap(({ window }) => directions.map((direction) => queryFor(window, direction)))
    const aggregators = parts.map(
      ({ period }) => new Aggregator({ period, zone: plan.zone, line: query.line }),
    )
    const terms = { first, budget: timeout, signal: background, limit: mostRecords }
    const batches = telephony.readCalls(account, queries, { ...terms, onProgress: reading.update })
    for await (const { at, calls } of batches) {
      const aggregator = aggregators[Math.floor(at / directions.length)]
      for (const call of calls) aggregator?.add(call)
    }
    return aggregators.map(({ result }) => result)
  }

  /** What the service's own totals say of one direction, by two requests. */
  async function countFigures(scanned: Omit<ScanQuery, 'status'>): Promise<CallFigures> {
    const answered = await count({ ...scanned, status: 'answered' })
    const missed = await count({ ...scanned, status: 'missed' })
    return { calls: totalOf([answered, missed]), answered, missed }
  }

  /** The service's own, where they are of the same calls. */
  async function totals(window: Window): Promise<Figures> {
    const figures = { incoming: unknown, outgoing: unknown }
    // Of one line there are none.
    if (query.line !== undefined) return figures
    await several(directions, directions.length, async (direction) => {
      figures[direction] = await countFigures(queryFor(window, direction))
    })
    return figures
  }

  /** The figures of each agent, which no record tells: four requests an agent. */
  async function agentFigures(): Promise<Report['agents']> {
    if (query.by !== 'agent') return undefined
    const counted = agents.map(({ id, name }) => ({
      id,
      name,
      figures: { incoming: unknown, outgoing: unknown },
    }))
    const wanted = counted.flatMap((agent) => directions.map((direction) => ({ agent, direction })))
    try {
      await several(wanted, atATime, async ({ agent, direction }) => {
        over.throwIfAborted()
        agent.figures[direction] = await countFigures({ ...plan.window.query, direction, agentId: agent.id })
      })
      return counted
    } catch (error) {
      background?.throwIfAborted()
      if (over.aborted) return 'late'
      throw error
    }
  }

  async function finish(totalsReason: TotalsReason | undefined, read: readonly Aggregate[]): Promise<Report> {
    const [aggregate, beforeAggregate] = read
    return {
      plan,
      count: countOf([current]),
      figures: aggregate?.figures ?? (await totals(plan.window)),
      before: beforeAggregate?.figures ?? (await totals(plan.beforeWindow)),
      aggregate,
      beforeAggregate,
      totals: totalsReason,
      agents: await agentFigures(),
    }
  }

  const [current, earlier] = await Promise.all([
    begin(plan.period, plan.window),
    begin(plan.before, plan.beforeWindow),
  ])
  const tookMs = performance.now() - start
  const together = obstacle([current, earlier], tookMs)
  const alone = together && obstacle([current], tookMs)
  if (alone !== undefined) return finish(alone, [])
  try {
    return await finish(undefined, await read(together === undefined ? [current, earlier] : [current]))
  } catch (error) {
    if (!(error instanceof ReadingCutError)) throw error
    return finish(error.why === 'calls' ? 'records' : 'time', [])
  }
}
