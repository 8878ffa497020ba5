import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PolledList } from '../../store/alerts.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { getCallIdentity } from '../../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../../time/types.ts'
import { localDay, offsetAt, startOfDay } from '../../time/zones.ts'
import { type EpochMs, hourMs, type Milliseconds } from '../../util/units.ts'

/** A call may reach the list this late, and the service's day may end this much later than ours. */
const DAY_SETTLES_MS: Milliseconds = 4 * hourMs

export interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

export interface PollPlan {
  readonly range: PollRange
  /** The last poll that asks for yesterday: it is stored in any case. */
  readonly settlesYesterday: boolean
}

/**
 * Asks for today, and for yesterday until a poll after 04:00 has read it.
 * @param readAt when the list was stored last @param since earlier calls are never posted
 */
export function planPoll(
  zone: Zone,
  now: EpochMs,
  { readAt = 0, since }: { readonly readAt: EpochMs | undefined; readonly since: EpochMs },
): PollPlan {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  const start = startOfDay(zone, today).getTime()
  const settledAt = start + DAY_SETTLES_MS
  const isSettled = readAt >= settledAt && readAt <= now
  const needsYesterday = since < start && !isSettled
  return {
    range: { offset: offsetAt(zone, instant), from: needsYesterday ? addDays(today, -1) : today, to: today },
    settlesYesterday: needsYesterday && now >= settledAt,
  }
}

/** The service's ids are short; the identity of a call without an id may be long, and hold anything. */
export const toShortId = (id: string): string =>
  /^[!-~]{1,32}$/.test(id) ? id : hash('sha256', id, 'base64url').slice(0, 22)

export const knownIds = (list: PolledList | undefined): ReadonlySet<string> =>
  new Set([...(list?.ids ?? []), ...(list?.earlierIds ?? [])])

/** The result of a poll that found something, or that failed on a later page. */
export interface PollReading {
  readonly range: PollRange
  /** Calls with unknown ids. */
  readonly calls: readonly Call[]
  /** Short ids of all calls that were read. */
  readonly ids: readonly string[]
  /** `ids` are all of the range; otherwise they are added to the known ones. */
  readonly isWhole: boolean
  /** Number of calls in the range; undefined after an incomplete reading. */
  readonly total: number | undefined
  readonly error?: unknown
}

/**
 * Takes one request if nothing is new, or if all new calls are on the first page. The service promises no order, so anything
 * else takes the whole list.
 * @returns undefined if nothing has to be stored @throws if not even the first page came
 */
export async function readMissedCalls(
  telephony: Pick<TelephonyClient, 'calls' | 'readCalls'>,
  account: Account,
  { plan, before }: { readonly plan: PollPlan; readonly before: PolledList | undefined },
  signal: AbortSignal,
): Promise<PollReading | undefined> {
  const { range, settlesYesterday } = plan
  const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range }
  const known = knownIds(before)
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const { total } = first
  const ids = first.ids.map(toShortId)
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]))
  const isSameRange = isDeepStrictEqual(before?.range, range)
  const isSame = (count: number | undefined) =>
    isSameRange && !settlesYesterday && count !== undefined && before?.total === count
  if (unknown.length === 0 && isSame(total)) return undefined

  const isAll = total !== undefined && total <= ids.length
  const growth = isSameRange && total !== undefined && before?.total !== undefined && total - before.total
  if (isAll || unknown.length === growth) {
    const calls = unknown.flatMap((index) => first.calls[index] ?? [])
    return { range, calls, ids, isWhole: isAll, total: isAll ? ids.length : total }
  }
  const reading = await readWhole(telephony, account, { query, range, known }, signal)
  const isUnchanged = reading.error === undefined && reading.calls.length === 0 && isSame(reading.total)
  return isUnchanged ? undefined : reading
}

async function readWhole(
  telephony: Pick<TelephonyClient, 'readCalls'>,
  account: Account,
  { query, range, known }: { query: ScanQuery; range: PollRange; known: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<PollReading> {
  const [calls, ids]: [Call[], string[]] = [[], []]
  try {
    for await (const batch of telephony.readCalls(account, [query], { signal }))
      for (const call of batch.calls) {
        const id = toShortId(getCallIdentity(call))
        ids.push(id)
        if (!known.has(id)) calls.push(call)
      }
    return { range, calls, ids, isWhole: true, total: ids.length }
  } catch (error) {
    return { range, calls, ids, isWhole: false, total: undefined, error }
  }
}
