import { isDeepStrictEqual } from 'node:util'
import type { PolledList } from '../../store/alerts.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import * as telephony from '../../telephony/types.ts'
import { addDays, type LocalDay } from '../../time/days.ts'
import { localDay, offsetAt, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'

/** The ids of so many calls take about 500 kB. */
const MAX_READ_CALLS = 50_000
/** After a longer gap, earlier calls are never found. */
const MAX_GAP_DAYS = 31

/** @param since earlier calls are known, or never posted; ignored if 0, or in the future because a clock was ahead */
export function toPollRange(zone: Zone, now: EpochMs, since: EpochMs = now) {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  const isUsable = since > 0 && since < now
  const sinceDay = localDay(zone, new Date(isUsable ? since : now))
  return { offset: offsetAt(zone, instant), from: findFirstDay(today, sinceDay), to: today }
}

/** Covers yesterday, too: a call may reach the list hours later, and the service's day may end later than ours. */
function findFirstDay(today: LocalDay, sinceDay: LocalDay): LocalDay {
  const yesterday = addDays(today, -1)
  const earliest = addDays(today, -MAX_GAP_DAYS)
  if (sinceDay < earliest) return earliest
  if (sinceDay < yesterday) return sinceDay
  return yesterday
}

type PollRange = ReturnType<typeof toPollRange>

export interface PollReading {
  readonly range: PollRange
  /** Only new calls. */
  readonly calls: readonly telephony.Call[]
  /** Short ids of all known calls, with the new ones. */
  readonly ids: readonly string[]
  /** Number of calls in the list. Undefined after an incomplete reading. */
  readonly total: number | undefined
  /** Interrupted the reading. */
  readonly error?: unknown
}

/** Phone systems give one id to several calls: of three items with an id that is known twice, only the third is unknown. */
function selectUnknown<T>(items: readonly T[], toId: (item: T) => string, knownIds: readonly string[]): T[] {
  const knownCounts = new Map<string, number>()
  for (const id of knownIds) knownCounts.set(id, (knownCounts.get(id) ?? 0) + 1)
  const unknown: T[] = []
  for (const item of items) {
    const id = toId(item)
    const count = knownCounts.get(id) ?? 0
    if (count === 0) unknown.push(item)
    else knownCounts.set(id, count - 1)
  }
  return unknown
}

const toSortTime = ({ at }: telephony.Call): number => (at instanceof Date ? at.getTime() : 0)

/** If calls share an id, the newest of them are new. */
function selectNew(calls: readonly telephony.Call[], knownIds: readonly string[]): telephony.Call[] {
  const oldestFirst = calls.toSorted((a, b) => toSortTime(a) - toSortTime(b))
  return selectUnknown(oldestFirst, telephony.getShortId, knownIds)
}

const addIds = (knownIds: readonly string[], added: readonly telephony.Call[]): readonly string[] =>
  [...knownIds, ...added.map(telephony.getShortId)].slice(-MAX_READ_CALLS)

/** `before` is yesterday's list. Only then are calls that left it forgotten: a clock or a zone may omit some for a while. */
const isFirstOfDay = (before: PolledList | undefined, range: PollRange): boolean =>
  before?.range.to === range.from && before.range.offset === range.offset

/**
 * Reads the whole list unless the first page has all new calls, because the service promises no order.
 * @returns undefined if nothing has to be stored @throws if the first page can't be read
 */
export async function readMissedCalls(
  client: Pick<TelephonyClient, 'calls' | 'readCalls'>,
  account: telephony.Account,
  { range, before }: { readonly range: PollRange; readonly before: PolledList | undefined },
  signal: AbortSignal,
): Promise<PollReading | undefined> {
  const query: telephony.ReadQuery = { direction: 'incoming', status: 'missed', ...range }
  const knownIds = before?.ids ?? []
  // Totals of other days, or at another offset, can't be compared.
  const earlierTotal = isDeepStrictEqual(before?.range, range) ? before?.total : undefined
  const page = await client.calls(account, { ...query, page: 1 }, { signal })
  const { total } = page
  const pageIds = page.ids.map(telephony.toShortId)
  const hasNewOnPage = selectUnknown(pageIds, (id) => id, knownIds).length > 0
  // Returns before `page.calls` is read: parsing the calls would double the CPU of an idle poll.
  if (!hasNewOnPage && total !== undefined && total === earlierTotal) return undefined
  if (hasNewOnPage && total !== undefined) {
    const newCalls = selectNew(page.calls, knownIds)
    // If the list grew by this page's new calls, there are no others.
    if (total - newCalls.length === earlierTotal)
      return { range, calls: newCalls, ids: addIds(knownIds, newCalls), total }
  }
  const isOnlyPage = total !== undefined && total <= pageIds.length
  const list = isOnlyPage ? { calls: page.calls } : await readAll(client, account, query, signal)
  const calls = selectNew(list.calls, knownIds)
  if (list.error !== undefined)
    return { range, calls, ids: addIds(knownIds, calls), total: undefined, error: list.error }
  if (calls.length === 0 && list.calls.length === earlierTotal) return undefined
  const ids = isFirstOfDay(before, range) ? list.calls.map(telephony.getShortId) : addIds(knownIds, calls)
  return { range, calls, ids, total: list.calls.length }
}

/** Returns the calls until an error. */
async function readAll(
  client: Pick<TelephonyClient, 'readCalls'>,
  account: telephony.Account,
  query: telephony.ReadQuery,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly telephony.Call[]; readonly error?: unknown }> {
  const calls: telephony.Call[] = []
  try {
    for await (const batch of client.readCalls(account, [query], { signal })) {
      calls.push(...batch.calls)
      if (calls.length > MAX_READ_CALLS) throw new telephony.ReadLimitError('calls')
    }
    return { calls }
  } catch (error) {
    return { calls, error }
  }
}
