import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toMissedCall } from '../../query/call-states.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { conversationText, isPersonId } from '../../slack/blocks/blocks.ts'
import { describeFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import * as stored from '../../store/errors.ts'
import { toMissedCallId } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { type Call, ReadLimitError, TelephonyError } from '../../telephony/types.ts'
import { TimeLimit } from '../../util/send-request.ts'
import { joinNames } from '../../util/text.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../util/units.ts'
import { afterFailure, notifyOnce } from './failing.ts'
import { type PollReading, readMissedCalls, toPollRange } from './reading.ts'
import * as waiting from './waiting.ts'

/** Lists go back 31 days, to the start of a day in some time zone, so the time of an older call is wrong. */
const MAX_AGE_MS: Milliseconds = 33 * dayMs

export interface PolledAccount {
  readonly tenant: TenantKey
  readonly alerts: readonly records.AlertRecord[]
  readonly poll: records.PollRecord
}

export interface Turn {
  readonly startedAt: EpochMs
  readonly dueAt: EpochMs
  readonly ending: AbortSignal
}

/** Has a reading and an error if the reading was interrupted, and neither if nothing is new. */
interface PollResult {
  readonly startedAt: EpochMs
  reading?: PollReading | undefined
  error?: unknown
  /** Shows whether the account was replaced since. Undefined if none was connected; then nothing was requested. */
  connectedAt?: EpochMs
}

/** Requests the missed calls of accounts, and stores what is new. */
export class AccountPolls {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Returns the alerts, with the calls that were found for them. */
  async run(account: PolledAccount, { startedAt, dueAt, ending }: Turn, budgetMs: Milliseconds) {
    const limit = new TimeLimit(budgetMs, ending)
    const result = await this.#read(account, startedAt, limit.signal).finally(() => limit.clear())
    ending.throwIfAborted()
    const tookTooLong = limit.signal.aborted && result.error !== undefined
    if (tookTooLong) result.error = new ReadLimitError('time')
    this.#report(account.tenant, result, dueAt)
    return this.#store(account, result)
  }

  /** Returns errors as part of the result, because they are stored with the account. @throws {StoreError} */
  async #read({ tenant, poll }: PolledAccount, startedAt: EpochMs, signal: AbortSignal): Promise<PollResult> {
    const { store, workspaces, telephony } = this.#services
    const result: PollResult = { startedAt }
    try {
      const credentials = await store.credentials.get(tenant)
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      result.connectedAt = credentials.connectedAt
      const { since, list } = resetIfAccountChanged(poll, tenant, credentials)
      // The workspace's zone: an account has no channel.
      const { zone } = await workspaces.findZone(tenant, '')
      const range = toPollRange(zone, startedAt, Math.max(since, list?.readAt ?? 0))
      const { key, secret } = credentials
      const account = { tenant, credentials: { key, secret } }
      result.reading = await readMissedCalls(telephony, account, { range, before: list }, signal)
      result.error = result.reading?.error
    } catch (error) {
      // A database that is down says nothing about the account.
      if (error instanceof stored.StoreError && !stored.isUnreadable(error)) throw error
      result.error = error
    }
    return result
  }

  #report(tenant: TenantKey, { startedAt, error, connectedAt }: PollResult, dueAt: EpochMs): void {
    const { metrics, log } = this.#services
    if (connectedAt !== undefined) {
      metrics.count('alert_looks_total', { outcome: toOutcome(error) })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, startedAt - dueAt))
    }
    if (error === undefined) return
    const isExpected = error instanceof ReadLimitError || describeFailure(error).kind !== 'error'
    const level = isExpected ? 'info' : 'error'
    log[level]({ err: error, tenant }, 'account could not be polled')
  }

  async #store({ tenant, alerts, poll: before }: PolledAccount, result: PollResult) {
    const { store, now } = this.#services
    const hasNews = result.reading !== undefined || result.error !== undefined
    // Without news, a poll still ends the failure of those before.
    if (!hasNews && !before.failing) return alerts
    let latestAlerts = alerts
    await store.polls.change(tenant, records.POLL_ID, async (latest) => {
      const credentials = await stored.whereReadable(store.credentials.get(tenant))
      // The account may have been disconnected or replaced since it was polled.
      if (credentials?.connectedAt !== result.connectedAt) return undefined
      const pollOfAccount = credentials ? resetIfAccountChanged(latest, tenant, credentials) : latest
      const { poll, calls } = applyPoll(pollOfAccount, result, now())
      // The alerts first: calls whose ids aren't stored are found again.
      if (calls.length > 0) latestAlerts = await this.#addToAlerts(tenant, calls)
      const failing = poll.failing && (await this.#tellOwnersOnce(tenant, latestAlerts, poll.failing))
      return { ...poll, failing }
    })
    return latestAlerts
  }

  async #addToAlerts(tenant: TenantKey, calls: readonly records.MissedCall[]) {
    const { store, now } = this.#services
    const alerts: records.AlertRecord[] = []
    // People may have added or changed alerts meanwhile.
    for (const alert of await store.alerts.all(tenant)) {
      const changed = await store.alerts.change(tenant, alert.id, (latest) => {
        const state = waiting.addFound(latest.state, calls, { alert: latest, now: now() })
        return state === latest.state ? undefined : { ...latest, state }
      })
      alerts.push(changed ?? alert)
      // Lets other work run between alerts.
      await nextTurn()
    }
    return alerts
  }

  /** Returns the failure to store. The first alert's channel is told if Slack refuses the direct messages. */
  async #tellOwnersOnce(tenant: TenantKey, alerts: readonly records.AlertRecord[], failing: records.Failing) {
    const { notices, now } = this.#services
    const unmuted = alerts.filter((alert) => !records.isMuted(alert, now()))
    const [firstAlert] = unmuted
    if (!firstAlert) return failing
    const owners = unmuted.map(({ owner }) => owner)
    // A channel may get the text, too, where a mention would notify people.
    const nameChannel = (id: string) => (isPersonId(id) ? 'direct messages' : conversationText(id))
    const channelNames = new Set(unmuted.map(({ channel }) => nameChannel(channel)))
    const text = `Missed calls can't be checked, so alerts in ${joinNames([...channelNames])} are on hold.`
    return notifyOnce(failing, now(), text, (id, notice) =>
      // A tenant's key starts with a slash.
      notices.notify(firstAlert.workspace, owners, `alerts${tenant}/${id}`, notice, firstAlert.channel),
    )
  }
}

function toOutcome(error: unknown): string {
  if (error === undefined) return 'ok'
  return error instanceof TelephonyError ? error.outcome : 'failed'
}

/** Forgets the calls of another account; a new poll has none yet. A new secret for the same key is the same account. */
function resetIfAccountChanged(poll: records.PollRecord, tenant: TenantKey, credentials: CredentialsRecord) {
  const { key, connectedAt } = credentials
  const account = hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12)
  if (poll.account === account) return poll
  if (poll.account === undefined) return { ...poll, account }
  return { ...poll, account, since: connectedAt, list: undefined }
}

function describePollFailure(error: unknown): SubscriptionFailure {
  if (error instanceof ReadLimitError)
    return { why: 'The phone service takes too long to list the missed calls.', isPermanent: false }
  const { kind, why, isPermanent, retryAfterMs } = describeFailure(error)
  // All polls send the same request, so no person can fix one that the service refuses.
  if (kind === 'refused') return { why, isPermanent: false, retryAfterMs }
  if (isPermanent) return { why, isPermanent, retryAfterMs }
  if (kind === 'error') return { why: 'Something went wrong in Callboard.', isPermanent, retryAfterMs }
  return { why: "The phone service isn't responding.", isPermanent, retryAfterMs }
}

/** Returns the poll to store, and new missed calls, newest first. */
export function applyPoll(before: records.PollRecord, result: PollResult, now: EpochMs) {
  const { startedAt, reading, error } = result
  const poll: records.PollRecord = { ...before, failing: undefined }
  if (error !== undefined) poll.failing = afterFailure(before.failing, describePollFailure(error), now)
  if (!reading) return { poll, calls: [] }
  const { range, total, ids } = reading
  const isComplete = total !== undefined
  const reachedLimit = error instanceof ReadLimitError
  // The next poll repeats an interrupted reading, but not one that reached a limit, because that would happen again.
  const readAt = isComplete || reachedLimit ? startedAt : (before.list?.readAt ?? 0)
  poll.list = { range, readAt, total, ids: [...ids] }
  return { poll, calls: toNewMissedCalls(reading.calls, before, now) }
}

function toNewMissedCalls(calls: readonly Call[], before: records.PollRecord, now: EpochMs) {
  const earliest = waiting.getEarliestTime(before.since, now)
  const isFirstPoll = before.list === undefined
  const missedCalls = new Map<string, records.MissedCall>()
  for (const call of calls) {
    const time = getSensibleTime(call, now)
    // At the first poll, a call without a sensible time may be older than the alert. Later on, it was missed just now.
    if (time === undefined && isFirstPoll) continue
    const missed = toMissedCall(call, time ?? now)
    if (missed.at >= earliest) missedCalls.set(toMissedCallId(missed), missed)
  }
  return [...missedCalls.values()].sort(waiting.compareNewestFirst)
}

function getSensibleTime({ at }: Call, now: EpochMs): EpochMs | undefined {
  if (!(at instanceof Date)) return undefined
  const time = at.getTime()
  const isSensible = time <= now + dayMs && time >= now - MAX_AGE_MS
  return isSensible ? time : undefined
}
