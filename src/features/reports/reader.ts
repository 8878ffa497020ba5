import type { OnProgress } from '../../slack/deliver/answer.ts'
import { expectedReadingMs, Reading, type ReadingTimes } from '../../slack/deliver/reading.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import {
  type Account,
  type CallPage,
  type Direction,
  type ScanQuery,
  totalOf,
} from '../../telephony/types.ts'
import { several } from '../../util/promises.ts'
import { type Aggregate, Aggregator, type CallFigures, type Figures } from './aggregate.ts'
import type { Period } from './period.ts'
import { MOST_RECORDS, type Report, type ReportPlan, type TotalsReason } from './report.ts'

/** Agents that are counted at a time, by one request after the other: they leave a slot of the workspace to people. */
const atATime = 3

const unknown: CallFigures = { calls: undefined, answered: undefined, missed: undefined }

const countOf = (pages: readonly CallPage[]) => totalOf(pages.map(({ total }) => total))

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
  const { query, directions, period, before } = plan
  const start = performance.now()
  const timeout = AbortSignal.timeout(times.readForMs)
  const over = background ? AbortSignal.any([timeout, background]) : timeout
  const inBackground = background && { signal: background, isPatient: true }
  const moreRequests = agents.length * directions.length * 2

  const firstPage = (scanned: ScanQuery) => telephony.calls(account, { ...scanned, page: 1 }, inBackground)
  const queriesFor = ({ asked }: Period) =>
    directions.map((direction): ScanQuery => ({ ...asked, direction, agentId: query.agentId }))

  /** One request for each direction says how many there are. */
  const begin = async (own: Period) => ({
    period: own,
    first: await Promise.all(queriesFor(own).map(firstPage)),
  })
  const [current, earlier] = await Promise.all([begin(period), begin(before)])
  const tookMs = performance.now() - start

  function obstacle(first: readonly CallPage[]): TotalsReason | undefined {
    if ((countOf(first) ?? 0) > mostRecords) return 'records'
    const expectedMs = expectedReadingMs(first, tookMs, moreRequests)
    return tookMs + expectedMs > times.readForMs ? 'time' : undefined
  }

  /** @returns what the calls of each part come to @throws {TelephonyError | ReadingCutError} */
  async function read(parts: readonly (typeof current)[]): Promise<readonly Aggregate[]> {
    const first = parts.flatMap((part) => part.first)
    const otherwise = 'the totals'
    const reading = new Reading({ first, start, times, moreRequests, otherwise, onProgress })
    const aggregators = parts.map(
      (part) => new Aggregator({ period: part.period, zone: plan.zone, line: query.line }),
    )
    const queries = parts.flatMap((part) => queriesFor(part.period))
    const terms = { first, budget: timeout, signal: background, limit: mostRecords }
    const batches = telephony.readCalls(account, queries, { ...terms, onProgress: reading.update })
    for await (const { at, calls } of batches) {
      const aggregator = aggregators[Math.floor(at / directions.length)]
      for (const call of calls) aggregator?.add(call)
    }
    return aggregators.map(({ result }) => result)
  }

  /** The service's own totals, by one request after the other. */
  async function totals({ asked }: Period, agentId = query.agentId): Promise<Figures> {
    const figures: Record<Direction, CallFigures> = { incoming: unknown, outgoing: unknown }
    // Of one line there are none.
    if (query.line !== undefined) return figures
    for (const direction of directions) {
      const { total: answered } = await firstPage({ ...asked, direction, agentId, status: 'answered' })
      const { total: missed } = await firstPage({ ...asked, direction, agentId, status: 'missed' })
      figures[direction] = { calls: totalOf([answered, missed]), answered, missed }
    }
    return figures
  }

  /** The figures of each agent, which no record tells. */
  async function agentFigures(): Promise<Report['agents']> {
    if (query.by !== 'agent') return undefined
    try {
      return await several(agents, atATime, async ({ id, name }) => {
        over.throwIfAborted()
        return { id, name, figures: await totals(period, id) }
      })
    } catch (error) {
      background?.throwIfAborted()
      if (over.aborted) return 'late'
      throw error
    }
  }

  async function finish(totalsReason: TotalsReason | undefined, read: readonly Aggregate[]): Promise<Report> {
    const [aggregate, ofBefore] = read
    const [figures, figuresBefore] = await Promise.all([
      aggregate?.figures ?? totals(period),
      ofBefore?.figures ?? totals(before),
    ])
    return {
      plan,
      count: countOf(current.first),
      figures,
      before: figuresBefore,
      isBeforeOfTotals: ofBefore === undefined,
      aggregate,
      totals: totalsReason,
      agents: await agentFigures(),
    }
  }

  const together = obstacle([...current.first, ...earlier.first])
  const alone = together && obstacle(current.first)
  if (alone !== undefined) return finish(alone, [])
  try {
    return await finish(undefined, await read(together === undefined ? [current, earlier] : [current]))
  } catch (error) {
    if (!(error instanceof ReadingCutError)) throw error
    return finish(error.why === 'calls' ? 'records' : 'time', [])
  }
}
