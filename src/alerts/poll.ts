import { hash } from 'node:crypto'
import type { AlertRecord, SeenList, WatchRecord } from '../store/alerts.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { ReadingCutError, RequestRefusedError, TelephonyError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../telephony/types.ts'
import { addDays } from '../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../time/types.ts'
import { localDay, offsetAt, startOfDay } from '../time/zones.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds } from '../util/units.ts'

/** A call may come to the list so late, and a day of the service's may end so much later than ours. */
const safelyOverMs: Milliseconds = 4 * hourMs

/** Neither a day nor an offset begins between two of them, in any zone. */
const quarterMs: Milliseconds = 15 * 60_000

interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

function dayOf(zone: Zone, now: EpochMs) {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  const start = startOfDay(zone, today).getTime()
  return { start, today, yesterday: addDays(today, -1), offset: offsetAt(zone, instant) }
}

export class PollRanges {
  /** By zone: thousands of accounts ask for the same day. */
  readonly #days = new Map<Zone, ReturnType<typeof dayOf> & { readonly quarter: number }>()

  /**
   * Today's, as clocks in the zone show it now, and yesterday's until that day is safely over and was polled after that.
   * @param polledAt when a poll went well last @param since nothing that was missed before is to be posted
   */
  of(
    zone: Zone,
    now: EpochMs,
    { polledAt = 0, since }: { readonly polledAt: EpochMs | undefined; readonly since: EpochMs },
  ): PollRange {
    const quarter = Math.floor(now / quarterMs)
    const known = this.#days.get(zone)
    const day = known?.quarter === quarter ? known : { quarter, ...dayOf(zone, now) }
    this.#days.set(zone, day)
    const { start, today, yesterday, offset } = day
    const safelyOver = start + safelyOverMs
    const needsYesterday = since < start && (now < safelyOver || polledAt < safelyOver)
    return { offset, from: needsYesterday ? yesterday : today, to: today }
  }
}

const rangeKey = ({ offset, from, to }: PollRange): string => `${from}..${to} ${offset}`

// Which calls of a list were seen: their ids by the day on which they were met first, each between two spaces. A poll asks for
// today's and yesterday's calls, in any time zone: what was met before that is asked for no more.

const keptDays = 3
/** Of one list on one day; about 500 KB. */
const mostIds = 40_000

/** The service's ids are short; what stands for a call without one may be long, and hold anything. */
const keyOf = (id: string) => (/^[!-~]{1,32}$/.test(id) ? id : hash('sha256', id, 'base64url').slice(0, 22))

/** What a call is known by where the service's ids change from reading to reading: how many of the same went before it. */
export function contentKeys(calls: readonly Call[]): readonly string[] {
  const counts = new Map<string, number>()
  return calls.map(({ at, number, seconds }) => {
    const content = JSON.stringify([at, number, seconds])
    const count = (counts.get(content) ?? 0) + 1
    counts.set(content, count)
    return `~${hash('sha256', `${content} ${count}`, 'base64url').slice(0, 12)}`
  })
}

/**
 * Without those that were seen under other ids, where ids prove unstable: there are more with new ids than there are more.
 * @param all that were read @param found those of them with ids that weren't seen
 */
function withoutRepeats(
  all: readonly Call[],
  found: readonly Call[],
  before: SeenList | undefined,
  grownBy: number | undefined,
): readonly Call[] {
  if (grownBy === undefined ? found.length < all.length : found.length <= grownBy) return found
  const keys = contentKeys(all)
  if (!keys.some((key) => wasSeen(before, key))) return found
  const isFound = new Set(found)
  return all.flatMap((call, index) => {
    const id = keys[index] ?? ''
    return isFound.has(call) && !wasSeen(before, id) ? [{ ...call, id }] : []
  })
}

export function wasSeen(list: Pick<SeenList, 'seen'> | undefined, id: string): boolean {
  const key = ` ${keyOf(id)} `
  return Object.values(list?.seen ?? {}).some((ids) => ids.includes(key))
}

export function markSeen(list: SeenList, ids: Iterable<string>, now: EpochMs): SeenList {
  const keys = new Set([...ids].filter((id) => !wasSeen(list, id)).map(keyOf))
  if (keys.size === 0) return list
  const today = new Date(now).toISOString().slice(0, 10)
  const all = [...(list.seen[today]?.split(' ') ?? []), ...keys].filter((key) => key !== '')
  const isFull = all.length > mostIds
  const kept = isFull ? all.slice(-mostIds / 2) : all
  // Where the clock has jumped, what it showed before is of no use.
  const near = Object.entries(list.seen).filter(
    ([day]) => Math.abs(Date.parse(day) - Date.parse(today)) < keptDays * dayMs,
  )
  const seen = { ...Object.fromEntries(near), [today]: ` ${kept.join(' ')} ` }
  return { ...list, seen, ...(isFull ? { since: now } : {}) }
}

/** `undefined`: whoever's calls. */
export type AgentId = string | undefined

/** The service's records name no agent: an alert for some of them asks for each one's. */
export const agentsOf = ({ agents }: Pick<AlertRecord, 'agents'>): readonly AgentId[] =>
  agents.length === 0 ? [undefined] : agents.map(({ id }) => id)

export const listName = (accountId: string, agentId: AgentId): string =>
  agentId === undefined ? accountId : `${accountId} ${agentId}`

/** What ends the reading of a list, and keeps nothing that was found before from its alerts. */
type PollError = TelephonyError | ReadingCutError

/** @param budget no time is left once it is aborted */
interface Signals {
  readonly signal: AbortSignal
  readonly budget: AbortSignal
}

/** @throws the signal's reason, and what nobody foresaw */
function pollErrorOf(error: unknown, { signal, budget }: Signals): PollError {
  signal.throwIfAborted()
  if (budget.aborted) return new ReadingCutError('time')
  if (error instanceof TelephonyError) return error
  throw error
}

interface ListNews {
  readonly calls: readonly Call[]
  /** Which calls there are by now; `undefined` where they are as they were, or weren't all read. */
  readonly end: Pick<SeenList, 'range' | 'total'> | undefined
  readonly error?: PollError
}

/** What is new in an account, by agent; without one, of all calls. Lists in which nothing is new are left out. */
export type News = ReadonlyMap<AgentId, ListNews>

/** Reads what is new in each list that the alerts need. @returns what kept it from being complete, too @throws the signal's reason */
export async function readNews(
  telephony: TelephonyClient,
  account: Account,
  asked: {
    readonly alerts: readonly AlertRecord[]
    readonly range: PollRange
    readonly accountId: string
    readonly lists: WatchRecord['lists']
  },
  signals: Signals,
): Promise<{
  readonly news: News
  /** Whose lists the service refuses, though it gives others. */
  readonly refused: ReadonlySet<AgentId>
  readonly error: PollError | undefined
}> {
  const { alerts, range, accountId, lists } = asked
  const news = new Map<AgentId, ListNews>()
  const refused = new Map<AgentId, RequestRefusedError>()
  const agentIds = new Set(alerts.flatMap(agentsOf))
  let failed: PollError | undefined
  for (const agentId of agentIds) {
    const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range, agentId }
    const before = lists[listName(accountId, agentId)]
    let error: PollError | undefined
    try {
      const found = await readList(telephony, account, { query, range: rangeKey(range), before }, signals)
      if (found) news.set(agentId, found)
      error = found?.error
    } catch (thrown) {
      error = pollErrorOf(thrown, signals)
    }
    // An agent that is not there any more says nothing of the other lists.
    if (error instanceof RequestRefusedError) refused.set(agentId, error)
    else if (error) {
      failed = error
      break
    }
  }
  const [refusal] = refused.values()
  if (refused.size === agentIds.size) return { news, refused: new Set(), error: refusal }
  return { news, refused: new Set(refused.keys()), error: failed }
}

/**
 * Reads what is new in a list: by one request where its number of calls has not moved, by as many as it takes otherwise. The
 * service promises no order, so new calls may be on any page.
 * @returns `undefined` where nothing is
 * @throws {TelephonyError} where not even the first page came, and either signal's reason
 */
export async function readList(
  telephony: TelephonyClient,
  account: Account,
  list: { readonly query: ScanQuery; readonly range: string; readonly before: SeenList | undefined },
  signals: Signals,
): Promise<ListNews | undefined> {
  const { query, range, before } = list
  const signal = AbortSignal.any([signals.signal, signals.budget])
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const unseen = first.ids.flatMap((id, index) => (wasSeen(before, id) ? [] : [index]))
  const isSameRange = before?.range === range
  let { total } = first
  const isSameTotal = isSameRange && total !== undefined && before.total === total
  if (isSameTotal && unseen.length === 0) return undefined
  const isWhole = total !== undefined && total <= first.ids.length
  const grownBy = isSameRange && before.total !== undefined ? (total ?? 0) - before.total : undefined
  const fresh = unseen.flatMap((index) => first.calls[index] ?? [])
  const calls = withoutRepeats(fresh.length === 0 ? [] : first.calls, fresh, before, grownBy)
  if (isSameTotal && calls.length === 0) return undefined
  if (isWhole || (calls.length > 0 && calls.length === grownBy)) return { calls, end: { range, total } }

  const [all, found]: [Call[], Call[]] = [[], []]
  const onProgress = (progress: { readonly total: number | undefined }) => {
    total = progress.total
  }
  try {
    for await (const batch of telephony.readCalls(account, [query], { ...signals, onProgress })) {
      all.push(...batch.calls)
      found.push(...batch.calls.filter((call) => !wasSeen(before, identityOf(call))))
      // As many as there are more: where others were missed meanwhile, the next poll finds them.
      if (found.length === grownBy && !contentKeys(found).some((key) => wasSeen(before, key)))
        return { calls: found, end: { range, total: first.total } }
    }
  } catch (error) {
    const read = found.length > 0 ? withoutRepeats(all, found, before, grownBy) : calls
    return { calls: read, end: undefined, error: pollErrorOf(error, signals) }
  }
  return { calls: withoutRepeats(all, found, before, grownBy), end: { range, total } }
}
