import { isDeepStrictEqual } from 'node:util'
import type { PolledList } from '../../store/alerts.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import {
  type Account,
  type Call,
  getShortId,
  ReadLimitError,
  type ReadQuery,
  toShortId,
} from '../../telephony/types.ts'
import { addDays, type LocalDay } from '../../time/days.ts'
import { localDay, offsetAt, type UtcOffset, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'

/** Their ids take about 500 kB. */
const MAX_READ_CALLS = 50_000
/** Calls that were missed in a longer gap are never found. */
const MAX_GAP_DAYS = 31

interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/**
 * Covers yesterday, too: a call may reach the list hours later, and the service's day may end later than ours. After a
 * gap, it starts on the day of the last reading.
 */
export function toPollRange(zone: Zone, now: EpochMs, readUntil: EpochMs = now): PollRange {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  const yesterday = addDays(today, -1)
  const earliest = addDays(today, -MAX_GAP_DAYS)
  const isGap = readUntil > 0 && readUntil < now
  const gapStart = isGap ? localDay(zone, new Date(readUntil)) : yesterday
  let from = gapStart < yesterday ? gapStart : yesterday
  if (from < earliest) from = earliest
  return { offset: offsetAt(zone, instant), from, to: today }
}

export interface PollReading {
  readonly range: PollRange
  /** Only new calls. */
  readonly calls: readonly Call[]
  /** Short ids of all known calls, the new ones too. */
  readonly ids: readonly string[]
  /** Number of calls in the list. Undefined after an incomplete reading. */
  readonly total: number | undefined
  readonly error?: unknown
}

type IdCounts = ReadonlyMap<string, number>

/** Phone systems give one id to several calls, so ids are counted. */
function countIds(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

const toSortTime = ({ at }: Call): number => (at instanceof Date ? at.getTime() : 0)

/** If calls share an id, the newest are new. */
function selectNew(calls: readonly Call[], known: IdCounts): readonly Call[] {
  const selected: Call[] = []
  for (const [id, sameId] of Map.groupBy(calls, getShortId)) {
    const count = sameId.length - (known.get(id) ?? 0)
    if (count === sameId.length) selected.push(...sameId)
    else if (count > 0)
      selected.push(...sameId.toSorted((a, b) => toSortTime(b) - toSortTime(a)).slice(0, count))
  }
  return selected
}

const addIds = (before: PolledList | undefined, added: readonly Call[]): readonly string[] => [
  ...(before?.ids ?? []),
  ...added.map(getShortId),
]

/** True once a day. Otherwise known ids are kept: a clock or a time zone may change for a while, and change back. */
const isNextDay = (before: PolledList | undefined, range: PollRange): boolean =>
  before?.range.to === range.from && before.range.offset === range.offset

/**
 * Reads the whole list unless the first page has all new calls, because the service promises no order.
 * @returns undefined if nothing has to be stored
 * @throws if the first page can't be read
 */
export async function readMissedCalls(
  telephony: Pick<TelephonyClient, 'calls' | 'readCalls'>,
  account: Account,
  { range, before }: { readonly range: PollRange; readonly before: PolledList | undefined },
  signal: AbortSignal,
): Promise<PollReading | undefined> {
  const query: ReadQuery = { direction: 'incoming', status: 'missed', ...range }
  const known = countIds(before?.ids ?? [])
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const { total } = first
  const ids = first.ids.map(toShortId)
  const hasNew = [...countIds(ids)].some(([id, count]) => count > (known.get(id) ?? 0))
  const earlierTotal = isDeepStrictEqual(before?.range, range) ? before?.total : undefined
  // Returns before `first.calls` is read: parsing the calls would double the CPU of an idle poll.
  if (!hasNew && total !== undefined && total === earlierTotal) return undefined

  const calls = hasNew ? selectNew(first.calls, known) : []
  const isWhole = total !== undefined && total <= ids.length
  if (isWhole && isNextDay(before, range)) return { range, calls, ids, total: ids.length }
  if (isWhole) return { range, calls, ids: addIds(before, calls), total: ids.length }
  // If the list grew by this page's new calls, there are no others.
  if (total !== undefined && earlierTotal !== undefined && calls.length === total - earlierTotal)
    return { range, calls, ids: addIds(before, calls), total }

  const { calls: all, error } = await readAll(telephony, account, query, signal)
  const added = selectNew(all, known)
  const reading = { range, calls: added, ids: addIds(before, added) }
  if (error !== undefined) return { ...reading, total: undefined, error }
  if (added.length === 0 && all.length === earlierTotal) return undefined
  if (isNextDay(before, range)) return { ...reading, ids: all.map(getShortId), total: all.length }
  return { ...reading, total: all.length }
}

/** Returns the calls until an error. */
async function readAll(
  telephony: Pick<TelephonyClient, 'readCalls'>,
  account: Account,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly Call[]; readonly error?: unknown }> {
  const calls: Call[] = []
  try {
    for await (const batch of telephony.readCalls(account, [query], { signal })) {
      calls.push(...batch.calls)
      if (calls.length > MAX_READ_CALLS) throw new ReadLimitError('calls')
    }
    return { calls }
  } catch (error) {
    return { calls, error }
  }
}
