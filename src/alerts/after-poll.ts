import { hash } from 'node:crypto'
import { escapeText } from '../slack/blocks/blocks.ts'
import { describeFailure } from '../slack/deliver/failures.ts'
import type { AlertRecord, MissedCall, WatchRecord } from '../store/alerts.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { CredentialsRecord } from '../store/workspaces.ts'
import { RateLimitedError, ReadingCutError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Call } from '../telephony/types.ts'
import { joinNames } from '../util/text.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import { addCalls } from './alert-state.ts'
import { type AgentId, agentsOf, contentKeys, listName, markSeen, type News, wasSeen } from './poll.ts'
import { pollInterval } from './poll-times.ts'

// What becomes of an account's row by a poll. Pure.

type WatchedAccount = NonNullable<WatchRecord['account']>

export interface Poll {
  readonly at: EpochMs
  /** When the one before it began that went well. */
  readonly polledAt: EpochMs | undefined
  readonly tookMs: Milliseconds
  readonly account: WatchedAccount | undefined
  readonly news: News
  /** The agents whose lists the service refuses: trouble of the alerts that name them alone. */
  readonly refused: ReadonlySet<AgentId>
  /** What kept it from being complete; `undefined` where nothing did. */
  readonly error: unknown
}

export function afterPoll(
  before: WatchRecord,
  poll: Poll,
  alerts: readonly AlertRecord[],
  { everyMs, now }: { readonly everyMs: Milliseconds; readonly now: EpochMs },
): WatchRecord {
  const { at, tookMs, account, news, error } = poll
  const watch = account ? withAccount(before, account) : before
  const found = account && news.size > 0 ? withNews(watch, news, alerts, { account, now }) : watch
  const { failing, trouble, notBefore: _, ...kept } = withRefused(found, poll, alerts)
  const failed = error === undefined ? undefined : afterFailure({ failing, trouble }, poll)
  const retryAfterMs = retryAfterOf(error)
  const interval = pollInterval(everyMs, { tookMs, failures: failed?.failing.count ?? 0, retryAfterMs })
  // None where it is the shard's next tick. The tick at its end counts, though this poll began a moment after its own.
  const notBefore =
    interval > everyMs ? Math.max(at + interval - everyMs / 2, now + (retryAfterMs ?? 0)) : undefined
  return {
    ...kept,
    ...(failed ?? { polledAt: at }),
    ...(notBefore === undefined ? {} : { notBefore }),
  }
}

/** What stands for the account, without its key: another secret of the same key is still that account. */
export function accountOf(
  tenant: TenantKey,
  { key, connectedAt }: Pick<CredentialsRecord, 'key' | 'connectedAt'>,
  known: WatchedAccount | undefined,
): WatchedAccount {
  if (known?.connectedAt === connectedAt) return known
  return { id: hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12), connectedAt }
}

/** What was seen in another account says nothing of this one. */
export function withAccount(watch: WatchRecord, account: WatchedAccount): WatchRecord {
  const isSame = watch.account === undefined || watch.account.id === account.id
  return { ...watch, account, ...(isSame ? {} : { since: account.connectedAt, lists: {} }) }
}

/** Nobody is notified of a service that is back before. */
export const awayForMs: Milliseconds = 15 * 60_000

function reasonOf(error: unknown): { readonly why: string; readonly isForPeople: boolean } {
  if (error instanceof ReadingCutError)
    return { why: 'The phone service takes too long to list the missed calls.', isForPeople: false }
  const { kind, pauseText } = describeFailure(error)
  switch (kind) {
    case 'credentials-rejected':
    case 'not-connected':
    case 'unreadable':
      return { why: pauseText, isForPeople: true }
    case 'refused':
      return { why: 'The phone service refused to list the missed calls.', isForPeople: false }
    case 'error':
      return { why: 'Something went wrong in Callboard.', isForPeople: false }
    default: {
      const asksToWait = error instanceof RateLimitedError
      return {
        why: asksToWait ? 'The phone service asks Callboard to wait.' : "The phone service isn't responding.",
        isForPeople: false,
      }
    }
  }
}

function afterFailure(
  { failing, trouble }: Pick<WatchRecord, 'failing' | 'trouble'>,
  { at, polledAt, error }: Poll,
) {
  const since = failing?.since ?? at
  const failed = { polledAt, failing: { since, count: (failing?.count ?? 0) + 1 } }
  const { why, isForPeople } = reasonOf(error)
  if (!isForPeople && at - since < awayForMs && !trouble) return failed
  // Whoever was told that there is no news is told again only of what they can mend.
  const isTold = trouble?.isTold === true && (trouble.why === why || !isForPeople)
  return { ...failed, trouble: { since: trouble?.since ?? polledAt ?? since, why, isTold } }
}

const retryAfterOf = (error: unknown): Milliseconds | undefined =>
  error instanceof RateLimitedError ? error.retryAfterMs : undefined

/** A call that was missed, as an alert shows it; `undefined` for one that wasn't. */
function toMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  if (call.status === 'answered') return undefined
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs
  // What has no time that makes sense may be of any: at the first poll, before the alert was made.
  if (!isPossible && isFirstPoll) return undefined
  return { id: identityOf(call).slice(0, 500), at: isPossible ? time : now, line: call.number.slice(0, 40) }
}

/** Says of each alert since when the service refuses to list calls of its agents, or no longer. */
function withRefused(watch: WatchRecord, poll: Poll, alerts: readonly AlertRecord[]): WatchRecord {
  const { at, refused, error } = poll
  const states = { ...watch.alerts }
  for (const alert of alerts) {
    const { unread, ...state } = states[alert.id] ?? {}
    if (agentsOf(alert).some((agentId) => refused.has(agentId))) {
      const why = refusedText(alert.agents.filter(({ id }) => refused.has(id)))
      const isTold = unread?.why === why && unread.isTold === true
      states[alert.id] = { ...state, unread: { since: unread?.since ?? at, why, isTold } }
    } else if (unread && error === undefined) states[alert.id] = state
  }
  return { ...watch, alerts: states }
}

function refusedText(agents: AlertRecord['agents']): string {
  if (agents.length === 0) return 'The phone service refused to list the missed calls.'
  const names = escapeText(joinNames(agents.map(({ name }) => name)))
  return `The phone service refused to list the missed calls of ${names}. Remove agents from the alert who are no longer in the phone account.`
}

/** Enters new calls in the ledger, and in the lists of what is pending of each alert that they are for. */
function withNews(
  watch: WatchRecord,
  news: News,
  alerts: readonly AlertRecord[],
  { account, now }: { readonly account: WatchedAccount; readonly now: EpochMs },
): WatchRecord {
  const states = { ...watch.alerts }
  for (const alert of alerts) {
    const calls = new Map<string, MissedCall>()
    const agentIds = agentsOf(alert)
    const lists = agentIds.map((agentId) => watch.lists[listName(account.id, agentId)])
    const since = Math.max(watch.since, ...lists.map((list) => list?.since ?? 0))
    for (const [index, agentId] of agentIds.entries()) {
      for (const call of news.get(agentId)?.calls ?? []) {
        // A call that rang at several agents may come to their lists one after the other.
        const isKnown = lists.some((list) => wasSeen(list, identityOf(call)))
        const missed = isKnown ? undefined : toMissedCall(call, lists[index] === undefined, now)
        if (missed) calls.set(missed.id, missed)
      }
    }
    if (calls.size === 0) continue
    states[alert.id] = addCalls(states[alert.id] ?? {}, { alert, now }, { calls: [...calls.values()], since })
  }
  const names = new Set(alerts.flatMap(agentsOf).map((agentId) => listName(account.id, agentId)))
  const lists = Object.fromEntries(Object.entries(watch.lists).filter(([name]) => names.has(name)))
  for (const [agentId, { calls, end }] of news) {
    const name = listName(account.id, agentId)
    const keys = [...calls.map(identityOf), ...contentKeys(calls)]
    const list = markSeen(lists[name] ?? { range: '', seen: {} }, keys, now)
    lists[name] = { ...list, ...end }
  }
  return { ...watch, lists, alerts: states }
}
