import { isDeepStrictEqual } from 'node:util'
import type { PolledList } from '../../store/alerts.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import { getCallIdentity, toShortId } from '../../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../../time/types.ts'
import { localDay, offsetAt } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'

/** About 500 kB of ids. */
const MAX_IDS = 50_000

export interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/** Covers yesterday, too: a call may reach the list hours later, and the service's day may end later than ours. */
export function toPollRange(zone: Zone, now: EpochMs): PollRange {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  return { offset: offsetAt(zone, instant), from: addDays(today, -1), to: today }
}

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
  { range, before }: { readonly range: PollRange; readonly before: PolledList | undefined },
  signal: AbortSignal,
): Promise<PollReading | undefined> {
  const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range }
  const known = knownIds(before)
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const { total } = first
  const ids = first.ids.map(toShortId)
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]))
  const earlierTotal = isDeepStrictEqual(before?.range, range) ? before?.total : undefined
  // Parsing the calls, too, would take half of an idle poll.
  if (unknown.length === 0 && total !== undefined && total === earlierTotal) return undefined

  const calls = unknown.flatMap((index) => first.calls[index] ?? [])
  const isWhole = total !== undefined && total <= ids.length
  const growth = total !== undefined && earlierTotal !== undefined && total - earlierTotal
  if (isWhole || calls.length === growth)
    return { range, calls, ids, isWhole, total: isWhole ? ids.length : total }
  const reading = await readAll(telephony, account, { query, range, known }, signal)
  const isUnchanged = reading.calls.length === 0 && reading.total === earlierTotal
  return isUnchanged && reading.total !== undefined ? undefined : reading
}

async function readAll(
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
        if (ids.length > MAX_IDS) throw new ReadingCutError('calls')
      }
    return { range, calls, ids, isWhole: true, total: ids.length }
  } catch (error) {
    return { range, calls, ids, isWhole: false, total: undefined, error }
  }
}
