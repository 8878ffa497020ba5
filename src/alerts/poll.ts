import type { AlertRecord, MissedCall, SeenList, WatchRecord } from '../store/alerts.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { RequestRefusedError, TelephonyError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Account, Call, ScanQuery } from '../telephony/types.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { addCalls } from './alert-state.ts'
import { DedupeLog, markSeen } from './dedupe-log.ts'
import { type PollRange, rangeKey } from './ranges.ts'

const dayMs: Milliseconds = 86_400_000

/** The service's records name no agent: an alert for some of them asks for each one's. */
const agentsOf = ({ agents }: Pick<AlertRecord, 'agents'>): readonly (string | undefined)[] =>
  agents.length === 0 ? [undefined] : agents.map(({ id }) => id)

/** @param accountId stands for the account */
const listName = (accountId: string, agentId: string | undefined): string =>
  agentId === undefined ? accountId : `${accountId} ${agentId}`

/** What is new in a list of missed calls. */
export interface ListNews {
  readonly calls: readonly Call[]
  /** Which calls there are by now; `undefined` where they are as they were, or weren't all read. */
  readonly end: Pick<SeenList, 'range' | 'total'> | undefined
  /** What kept it from being read to its end. */
  readonly error?: TelephonyError
}

/** What one poll of an account came to. */
export interface PollResult {
  /** By agent; without one, of all calls. Those in which nothing is new are left out. */
  readonly news: ReadonlyMap<string | undefined, ListNews>
  /** What kept it from being complete. */
  readonly error?: Error | undefined
}

/** Reads what is new in each list that the alerts need. @throws the signal's reason */
export async function pollAccount(
  telephony: TelephonyClient,
  account: Account,
  asked: {
    readonly alerts: readonly AlertRecord[]
    readonly range: PollRange
    readonly accountId: string
    readonly lists: WatchRecord['lists']
  },
  signal: AbortSignal,
): Promise<PollResult> {
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

/** A call that was missed, as an alert shows it; `undefined` for one that wasn't. */
function toMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  if (call.status === 'answered') return undefined
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs
  // What has no time that makes sense may be of any: at the first poll, before the alert was made.
  if (!isPossible && isFirstPoll) return undefined
  return { id: identityOf(call).slice(0, 500), at: isPossible ? time : now, line: call.number.slice(0, 40) }
}

/** Enters new calls in the ledger, and in the lists of what is pending of each alert that they are for. Pure. */
export function withNews(
  watch: WatchRecord,
  { news }: PollResult,
  one: { readonly alerts: readonly AlertRecord[]; readonly accountId: string; readonly now: EpochMs },
): WatchRecord {
  const { alerts, accountId, now } = one
  const states = { ...watch.alerts }
  for (const alert of alerts) {
    const calls = new Map<string, MissedCall>()
    let { since } = watch
    for (const agentId of agentsOf(alert)) {
      const list = watch.lists[listName(accountId, agentId)]
      const log = new DedupeLog(list)
      since = Math.max(since, list?.since ?? 0)
      for (const call of news.get(agentId)?.calls ?? []) {
        const missed = log.has(identityOf(call)) ? undefined : toMissedCall(call, list === undefined, now)
        if (missed) calls.set(missed.id, missed)
      }
    }
    if (calls.size === 0) continue
    states[alert.id] = addCalls(states[alert.id] ?? {}, { alert, now }, { calls: [...calls.values()], since })
  }
  const names = new Set(alerts.flatMap(agentsOf).map((agentId) => listName(accountId, agentId)))
  const lists = Object.fromEntries(Object.entries(watch.lists).filter(([name]) => names.has(name)))
  for (const [agentId, { calls, end }] of news) {
    const name = listName(accountId, agentId)
    const list = markSeen(lists[name] ?? { range: '', seen: {} }, calls.map(identityOf), now)
    lists[name] = { ...list, ...end }
  }
  return { ...watch, lists, alerts: states }
}
