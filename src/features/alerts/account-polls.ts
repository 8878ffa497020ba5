import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toMissedCall } from '../../query/call-states.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { conversationText } from '../../slack/blocks/blocks.ts'
import { describeFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import * as stored from '../../store/errors.ts'
import { missedCallId } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { type Call, ReadLimitError, TelephonyError } from '../../telephony/types.ts'
import { joinNames } from '../../util/text.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../util/units.ts'
import { afterFailure, notifyOnce } from './failing.ts'
import { type PollReading, readMissedCalls, toPollRange } from './reading.ts'
import { addFound, compareNewestFirst, getStart } from './waiting.ts'

/** Lists cover at most 31 days, so the time of an older call is wrong. */
const MAX_AGE_MS: Milliseconds = 33 * dayMs

export interface PolledAccount {
  readonly tenant: TenantKey
  readonly alerts: readonly records.AlertRecord[]
  readonly poll: records.PollRecord
}

export interface Turn {
  /** When it began. */
  readonly at: EpochMs
  /** When it was due. */
  readonly tick: EpochMs
  readonly ending: AbortSignal
}

interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. An interrupted reading comes with an error. */
  readonly reading?: PollReading | undefined
  readonly error?: unknown
  /** Shows whether the account was replaced since. Undefined if none was connected; then nothing was requested. */
  readonly connectedAt?: EpochMs | undefined
}

/** Requests the missed calls of accounts, and stores what is new. */
export class AccountPolls {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Returns the alerts, with the calls that were found for them. */
  async run(account: PolledAccount, { at, tick, ending }: Turn, budget: AbortSignal) {
    const result = await this.#read(account, at, AbortSignal.any([ending, budget]))
    ending.throwIfAborted()
    const tookTooLong = budget.aborted && result.error !== undefined
    const error = tookTooLong ? new ReadLimitError('time') : result.error
    this.#report(account.tenant, { ...result, error }, tick)
    return this.#store(account, { ...result, error })
  }

  /** Returns errors as part of the result, because they are stored with the account. @throws {StoreError} */
  async #read({ tenant, poll }: PolledAccount, at: EpochMs, signal: AbortSignal): Promise<PollResult> {
    const { store, workspaces, telephony } = this.#services
    let connectedAt: EpochMs | undefined
    try {
      const credentials = await store.credentials.get(tenant)
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      connectedAt = credentials.connectedAt
      const { since, list } = resetIfAccountChanged(poll, tenant, credentials)
      const { zone } = await workspaces.findZone(tenant, '')
      const range = toPollRange(zone, at, Math.max(since, list?.readAt ?? 0))
      const { key, secret } = credentials
      const account = { tenant, credentials: { key, secret } }
      const reading = await readMissedCalls(telephony, account, { range, before: list }, signal)
      return { at, reading, error: reading?.error, connectedAt }
    } catch (error) {
      // A database that is down says nothing about the account.
      if (error instanceof stored.StoreError && !stored.isUnreadable(error)) throw error
      return { at, error, connectedAt }
    }
  }

  #report(tenant: TenantKey, { at, error, connectedAt }: PollResult, tick: EpochMs): void {
    const { metrics, log } = this.#services
    if (connectedAt !== undefined) {
      metrics.count('alert_looks_total', { outcome: toOutcome(error) })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, at - tick))
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
      const known = credentials ? resetIfAccountChanged(latest, tenant, credentials) : latest
      const { poll, calls } = applyPoll(known, result, now())
      // The alerts first: calls whose ids aren't stored are found again.
      if (calls.length > 0) latestAlerts = await this.#addToAlerts(tenant, calls)
      if (poll.failing) poll.failing = await this.#tellOwnersOnce(tenant, latestAlerts, poll.failing)
      return poll
    })
    return latestAlerts
  }

  async #addToAlerts(tenant: TenantKey, calls: readonly records.MissedCall[]) {
    const { store, now } = this.#services
    const alerts: records.AlertRecord[] = []
    // People may have added or changed alerts meanwhile.
    for (const alert of await store.alerts.all(tenant)) {
      const changed = await store.alerts.change(tenant, alert.id, (latest) => {
        const state = addFound(latest.state, calls, { alert: latest, now: now() })
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
    const active = alerts.filter((alert) => !records.isMuted(alert, now()))
    const [first] = active
    if (!first) return failing
    const owners = active.map(({ owner }) => owner)
    const channelNames = new Set(active.map(({ channel }) => conversationText(channel)))
    const text = `Missed calls can't be checked, so alerts in ${joinNames([...channelNames])} are on hold.`
    return notifyOnce(failing, now(), text, (id, notice) =>
      notices.notify(first.workspace, owners, `alerts${tenant}/${id}`, notice, first.channel),
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
export function applyPoll(before: records.PollRecord, { at, reading, error }: PollResult, now: EpochMs) {
  const poll: records.PollRecord = { ...before, failing: undefined }
  if (error !== undefined) poll.failing = afterFailure(before.failing, describePollFailure(error), now)
  if (!reading) return { poll, calls: [] }
  const { range, total, ids } = reading
  const isWhole = total !== undefined
  const reachedLimit = error instanceof ReadLimitError
  // The next poll repeats an interrupted reading, but not one that reached a limit, because that would happen again.
  const readAt = isWhole || reachedLimit ? at : (before.list?.readAt ?? 0)
  poll.list = { range, readAt, total, ids: [...ids] }
  return { poll, calls: toNewMissedCalls(reading.calls, before, now) }
}

function toNewMissedCalls(calls: readonly Call[], before: records.PollRecord, now: EpochMs) {
  const start = getStart(before.since, now)
  const isFirstPoll = before.list === undefined
  const missedCalls = new Map<string, records.MissedCall>()
  for (const call of calls) {
    const time = getSensibleTime(call, now)
    // At the first poll, a call without a sensible time may be older than the alert. Later on, it was missed just now.
    if (time === undefined && isFirstPoll) continue
    const missed = toMissedCall(call, time ?? now)
    if (missed.at >= start) missedCalls.set(missedCallId(missed), missed)
  }
  return [...missedCalls.values()].sort(compareNewestFirst)
}

function getSensibleTime({ at }: Call, now: EpochMs): EpochMs | undefined {
  if (!(at instanceof Date)) return undefined
  const time = at.getTime()
  const isSensible = time <= now + dayMs && time >= now - MAX_AGE_MS
  return isSensible ? time : undefined
}
