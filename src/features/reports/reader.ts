import type { OnProgress } from '../../slack/deliver/answer.ts'
import { expectedReadingMs, Reading, type ReadingTimes } from '../../slack/deliver/reading.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import type { Account, CallStatus, Direction, ScanQuery } from '../../telephony/types.ts'
import { several } from '../../util/several.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type Aggregate, Aggregator, type CallFigures, type Figures } from './aggregate.ts'
import type { Period, Window } from './period.ts'
import {
  type AgentFigures,
  MOST_RECORDS,
  type Part,
  type Report,
  type ReportPlan,
  type TotalsReason,
} from './report.ts'

/** Requests that run at a time: they leave a slot of the workspace to people. */
const atATime = 3

const unasked: CallFigures = { calls: undefined, answered: undefined, missed: undefined }

const unknownFigures: Figures = { incoming: unasked, outgoing: unasked }

const sum = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a + b

type Count = (direction: Direction, status: CallStatus) => Promise<number | undefined>

/** What the service's own totals say, by two requests a direction. */
async function countFigures(directions: readonly Direction[], count: Count): Promise<Figures> {
  const of = async (direction: Direction): Promise<CallFigures> => {
    if (!directions.includes(direction)) return unasked
    const [answered, missed] = [await count(direction, 'answered'), await count(direction, 'missed')]
    return { calls: sum(answered, missed), answered, missed }
  }
  const [incoming, outgoing] = await Promise.all([of('incoming'), of('outgoing')])
  return { incoming, outgoing }
}

/**
 * The figures of each agent, which no record tells: of the service's totals, four requests an agent.
 * @returns `late` where the signal was aborted before all of them were asked for
 */
async function countAgents(
  agents: readonly AgentSummary[],
  {
    directions,
    window,
    count,
    signal,
  }: {
    readonly directions: readonly Direction[]
    readonly window: Window
    readonly count: (query: ScanQuery) => Promise<number | undefined>
    readonly signal: AbortSignal
  },
): Promise<NonNullable<Report['agents']>> {
  const wanted = agents.flatMap(({ id }) =>
    directions.flatMap((direction) =>
      (['answered', 'missed'] as const).map((status) => ({ id, direction, status })),
    ),
  )
  const keyOf = (one: (typeof wanted)[number]) => `${one.id} ${one.direction} ${one.status}`
  const counts = new Map<string, number | undefined>()
  try {
    await several(wanted, atATime, async (one) => {
      signal.throwIfAborted()
      const { id: agentId, direction, status } = one
      counts.set(keyOf(one), await count({ ...window.query, direction, status, agentId }))
    })
  } catch (error) {
    if (signal.aborted) return 'late'
    throw error
  }
  const known = (id: string): Promise<Figures> =>
    countFigures(directions, async (direction, status) => counts.get(keyOf({ id, direction, status })))
  return Promise.all(
    agents.map(async ({ id, name }): Promise<AgentFigures> => ({ id, name, figures: await known(id) })),
  )
}

const totalOf = (parts: readonly Part[]): number | undefined => {
  const totals = parts.flatMap(({ first }) => first.map(({ total }) => total))
  return totals.reduce(
    (sum, total) => (sum === undefined || total === undefined ? undefined : sum + total),
    0,
  )
}

const pagesOf = (parts: readonly Part[]) => parts.flatMap(({ first }) => first)

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
    if ((totalOf(parts) ?? 0) > mostRecords) return 'records'
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

  /** The service's own, where they are of the same calls. */
  function totals(window: Window): Promise<Figures> {
    // Of one line there are none.
    if (query.line !== undefined) return Promise.resolve(unknownFigures)
    return countFigures(directions, (direction, status) => count({ ...queryFor(window, direction), status }))
  }

  async function agentFigures(): Promise<Report['agents']> {
    if (query.by !== 'agent') return undefined
    const counted = await countAgents(agents, { directions, window: plan.window, count, signal: over })
    background?.throwIfAborted()
    return counted
  }

  async function finish(
    reason: TotalsReason | undefined,
    read: Pick<Report, 'aggregate' | 'beforeAggregate'>,
  ) {
    const { aggregate, beforeAggregate } = read
    const figures = aggregate?.figures ?? (await totals(plan.window))
    const before = beforeAggregate?.figures ?? (await totals(plan.beforeWindow))
    const inAll = totalOf([current])
    return { plan, count: inAll, figures, before, ...read, totals: reason, agents: await agentFigures() }
  }

  const [current, earlier] = await Promise.all([
    begin(plan.period, plan.window),
    begin(plan.before, plan.beforeWindow),
  ])
  const tookMs = performance.now() - start
  const together = obstacle([current, earlier], tookMs)
  const alone = together && obstacle([current], tookMs)
  if (alone !== undefined) return finish(alone, {})
  try {
    const [aggregate, beforeAggregate] = await read(together === undefined ? [current, earlier] : [current])
    return await finish(undefined, { aggregate, beforeAggregate })
  } catch (error) {
    if (!(error instanceof ReadingCutError)) throw error
    return finish(error.why === 'calls' ? 'records' : 'time', {})
  }
}
