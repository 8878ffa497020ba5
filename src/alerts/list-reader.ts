import type { ListSeen } from '../store/alerts.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { TelephonyError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../telephony/types.ts'
import { digestOfIds } from './call-ids.ts'
import { type LookRange, rangeKey } from './ranges.ts'

/** What is new in a list of missed calls. */
export interface ListNews {
  /** Those that were not seen before. */
  readonly calls: readonly Call[]
  /** How the list looks now; `undefined` where it is as it was, or wasn't read to its end. */
  readonly seen: ListSeen | undefined
  /** What kept it from being read to its end. */
  readonly error?: TelephonyError
}

const noNews: ListNews = { calls: [], seen: undefined }

/**
 * Reads what is new in a list: by one request where its number of calls has not moved, by as many as it takes otherwise. The
 * service promises no order, so new calls may be on any page.
 * @param seenBefore comes to what tells the ids that were seen before; mostly it isn't needed
 * @throws {TelephonyError} where not even the first page came, and the signal's reason
 */
export async function readList(
  telephony: TelephonyClient,
  account: Account,
  list: {
    readonly range: LookRange
    readonly agentId: string | undefined
    readonly before: ListSeen | undefined
  },
  seenBefore: () => Promise<(id: string) => boolean>,
  signal: AbortSignal,
): Promise<ListNews> {
  const { range, agentId, before } = list
  const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range, agentId }
  const first = await telephony.firstPage(account, query, signal)
  const seen: ListSeen = { range: rangeKey(range), total: first.total, page: digestOfIds(first.ids) }
  const isSameRange = before?.range === seen.range
  const isSameTotal = isSameRange && seen.total !== undefined && before?.total === seen.total
  if (isSameTotal && before?.page === seen.page) return noNews
  const isSeen = first.ids.length === 0 ? () => true : await seenBefore()
  const unseen = first.ids.flatMap((id, index) => (isSeen(id) ? [] : [index]))
  if (isSameTotal && unseen.length === 0) return noNews
  const onPage = unseen.length === 0 ? [] : first.calls()
  const calls = unseen.flatMap((index) => onPage[index] ?? [])
  const isWhole = seen.total !== undefined && seen.total <= first.ids.length
  const grownBy = isSameRange && before?.total !== undefined ? (seen.total ?? 0) - before.total : undefined
  if (isWhole) return { calls, seen }
  if (calls.length > 0 && calls.length === grownBy) return { calls, seen }
  return scanAll(telephony, account, query, { seen, before, grownBy, isSeen, signal, calls })
}

/** Every page, or as many as it takes to find as many new calls as there are. */
async function scanAll(
  telephony: TelephonyClient,
  account: Account,
  query: ScanQuery,
  {
    seen,
    before,
    grownBy,
    isSeen,
    signal,
    calls,
  }: {
    seen: ListSeen
    before: ListSeen | undefined
    grownBy: number | undefined
    isSeen: (id: string) => boolean
    signal: AbortSignal
    calls: readonly Call[]
  },
): Promise<ListNews> {
  const found = new Map(calls.map((call) => [identityOf(call), call]))
  let { total } = seen
  let isCut = false
  const onProgress = (progress: { readonly total: number | undefined }) => {
    total = progress.total
  }
  try {
    for await (const batch of telephony.readCalls(account, [query], { signal, onProgress })) {
      for (const call of batch.calls) {
        const id = identityOf(call)
        if (!isSeen(id)) found.set(id, call)
      }
      isCut = grownBy !== undefined && found.size >= grownBy
      if (isCut) break
    }
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    return { calls: [...found.values()], seen: undefined, error }
  }
  const now = { ...seen, total: isCut ? seen.total : total }
  const isAsBefore = before?.range === now.range && before?.total === now.total && found.size === 0
  return { calls: [...found.values()], seen: isAsBefore ? undefined : now }
}
