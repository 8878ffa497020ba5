import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { CallStatus, Direction, ScanQuery } from '../../telephony/types.ts'
import { several } from '../../util/several.ts'
import type { Figures } from './aggregate.ts'
import type { Window } from './period.ts'
import type { AgentFigures, Report } from './report.ts'
import type { CallFigures } from './tally.ts'

/** Requests that run at a time: they leave a slot of the workspace to people. */
const atATime = 3

const unasked: CallFigures = { calls: undefined, answered: undefined, missed: undefined }

export const unknownFigures: Figures = { incoming: unasked, outgoing: unasked }

const sum = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a + b

type Count = (direction: Direction, status: CallStatus) => Promise<number | undefined>

/** What the service's own totals say, by two requests a direction. */
export async function countFigures(directions: readonly Direction[], count: Count): Promise<Figures> {
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
export async function countAgents(
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
