import { hash } from 'node:crypto'
import type { AlertRecord, SeenList, WatchRecord } from '../store/alerts.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { RequestRefusedError, TelephonyError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../telephony/types.ts'
import { addDays } from '../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../time/types.ts'
import { clockChanges, endOfDay, localDay, offsetAt, startOfDay } from '../time/zones.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const dayMs: Milliseconds = 86_400_000
/** A call may come to the list so late, and a day of the service's may end so much later than ours. */
const safelyOverMs: Milliseconds = 4 * 60 * 60_000

export interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/** A day in a zone that keeps one offset all day. */
interface PlainDay {
  readonly start: EpochMs
  readonly end: EpochMs
  readonly today: LocalDay
  readonly yesterday: LocalDay
  readonly offset: UtcOffset
}

/** Which days' calls are asked for. */
export class PollRanges {
  /** By zone, the day that was polled last: thousands of accounts ask for the same one. */
  readonly #plainDays = new Map<Zone, PlainDay>()

  /**
   * Today's, as clocks in the zone show it now, and yesterday's until that day is safely over and was polled after that.
   * @param polledAt when a poll went well last @param since nothing that was missed before is to be posted
   */
  of(
    zone: Zone,
    now: EpochMs,
    { polledAt = 0, since }: { readonly polledAt: EpochMs | undefined; readonly since: EpochMs },
  ): PollRange {
    const { start, today, yesterday, offset } = this.#dayOf(zone, now)
    const safelyOver = start + safelyOverMs
    const needsYesterday = since < start && (now < safelyOver || polledAt < safelyOver)
    return { offset, from: needsYesterday ? yesterday : today, to: today }
  }

  #dayOf(zone: Zone, now: EpochMs): PlainDay {
    const known = this.#plainDays.get(zone)
    if (known && known.start <= now && now < known.end) return known
    const instant = new Date(now)
    const today = localDay(zone, instant)
    const [start, end] = [startOfDay(zone, today), endOfDay(zone, today)]
    const day = {
      start: start.getTime(),
      end: end.getTime(),
      today,
      yesterday: addDays(today, -1),
      offset: offsetAt(zone, instant),
    }
    if (clockChanges(zone, start, end).length === 0) this.#plainDays.set(zone, day)
    return day
  }
}

export const rangeKey = ({ offset, from, to }: PollRange): string => `${from}..${to} ${offset}`

// Which calls of a list were seen: their ids by the day on which they were met first, each between two spaces. A poll asks for
// today's and yesterday's calls, in any time zone: what was met before that is asked for no more.

const keptDays = 3
/** Of one list on one day; about 200 KB. */
const mostIds = 20_000

const dayOf = (at: EpochMs) => new Date(at).toISOString().slice(0, 10)

/** The service's ids are short; what stands for a call without one may be long, and hold anything. */
const keyOf = (id: string) => (/^[!-~]{1,32}$/.test(id) ? id : hash('sha256', id, 'base64url').slice(0, 22))

/** The ids that were seen in a list. */
export class DedupeLog {
  readonly #days: readonly string[]

  constructor(list: Pick<SeenList, 'seen'> | undefined) {
    this.#days = Object.values(list?.seen ?? {})
  }

  has(id: string): boolean {
    const key = ` ${keyOf(id)} `
    return this.#days.some((ids) => ids.includes(key))
  }
}

/** The list with these calls as seen by `now`. */
export function markSeen(list: SeenList, ids: Iterable<string>, now: EpochMs): SeenList {
  const log = new DedupeLog(list)
  const keys = new Set([...ids].filter((id) => !log.has(id)).map(keyOf))
  if (keys.size === 0) return list
  const today = dayOf(now)
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

/** The service's records name no agent: an alert for some of them asks for each one's. */
export const agentsOf = ({ agents }: Pick<AlertRecord, 'agents'>): readonly (string | undefined)[] =>
  agents.length === 0 ? [undefined] : agents.map(({ id }) => id)

/** @param accountId stands for the account */
export const listName = (accountId: string, agentId: string | undefined): string =>
  agentId === undefined ? accountId : `${accountId} ${agentId}`

/** What is new in a list of missed calls. */
export interface ListNews {
  readonly calls: readonly Call[]
  /** Which calls there are by now; `undefined` where they are as they were, or weren't all read. */
  readonly end: Pick<SeenList, 'range' | 'total'> | undefined
  /** What kept it from being read to its end. */
  readonly error?: TelephonyError
}

/** What is new in an account, by agent; without one, of all calls. Lists in which nothing is new are left out. */
export type News = ReadonlyMap<string | undefined, ListNews>

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
  signal: AbortSignal,
): Promise<{ readonly news: News; readonly error: TelephonyError | undefined }> {
  const { alerts, range, accountId, lists } = asked
  const news = new Map<string | undefined, ListNews>()
  let failed: TelephonyError | undefined
  for (const agentId of new Set(alerts.flatMap(agentsOf))) {
    const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range, agentId }
    const before = lists[listName(accountId, agentId)]
    try {
      const found = await readList(telephony, account, { query, range: rangeKey(range), before }, signal)
      if (found) news.set(agentId, found)
      failed ??= found?.error
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      failed ??= error
    }
    // An agent that is not there any more says nothing of the other lists.
    if (failed && !(failed instanceof RequestRefusedError)) break
  }
  return { news, error: failed }
}

/**
 * Reads what is new in a list: by one request where its number of calls has not moved, by as many as it takes otherwise. The
 * service promises no order, so new calls may be on any page.
 * @returns `undefined` where nothing is
 * @throws {TelephonyError} where not even the first page came, and the signal's reason
 */
export async function readList(
  telephony: TelephonyClient,
  account: Account,
  list: { readonly query: ScanQuery; readonly range: string; readonly before: SeenList | undefined },
  signal: AbortSignal,
): Promise<ListNews | undefined> {
  const { query, range, before } = list
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const { total } = first
  const log = new DedupeLog(before)
  const unseen = first.ids.flatMap((id, index) => (log.has(id) ? [] : [index]))
  const isSameRange = before?.range === range
  if (isSameRange && total !== undefined && before.total === total && unseen.length === 0) return undefined
  const calls = unseen.flatMap((index) => first.calls[index] ?? [])
  const end = { range, total }
  const isWhole = total !== undefined && total <= first.ids.length
  const grownBy = isSameRange && before.total !== undefined ? (total ?? 0) - before.total : undefined
  if (isWhole || (calls.length > 0 && calls.length === grownBy)) return { calls, end }
  return scanAll(telephony, account, query, { end, grownBy, log, signal, calls })
}

/** Every page, or as many as it takes to find as many new calls as there are. */
async function scanAll(
  telephony: TelephonyClient,
  account: Account,
  query: ScanQuery,
  onFirst: {
    readonly end: Pick<SeenList, 'range' | 'total'>
    readonly grownBy: number | undefined
    readonly log: DedupeLog
    readonly signal: AbortSignal
    readonly calls: readonly Call[]
  },
): Promise<ListNews> {
  const { end, grownBy, log, signal } = onFirst
  const found = new Map(onFirst.calls.map((call) => [identityOf(call), call]))
  let { total } = end
  const onProgress = (progress: { readonly total: number | undefined }) => {
    total = progress.total
  }
  try {
    for await (const batch of telephony.readCalls(account, [query], { signal, onProgress })) {
      for (const call of batch.calls) {
        const id = identityOf(call)
        if (!log.has(id)) found.set(id, call)
      }
      if (grownBy !== undefined && found.size === grownBy) return { calls: [...found.values()], end }
    }
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    return { calls: [...found.values()], end: undefined, error }
  }
  return { calls: [...found.values()], end: { ...end, total } }
}
