import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { conversationText } from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import * as stored from '../../store/errors.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { ReadLimitError, TelephonyError } from '../../telephony/types.ts'
import { recentLabel } from '../../time/zones.ts'
import { joinNames } from '../../util/text.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { notifyOnce, toNotice } from './failing.ts'
import { applyPoll, type PollResult, resetIfAccountChanged } from './poll-record.ts'
import { readMissedCalls, toPollRange } from './reading.ts'
import { addFound } from './waiting.ts'

export interface PolledAccount {
  readonly tenant: TenantKey
  /** Only alerts that aren't muted. */
  readonly alerts: readonly records.AlertRecord[]
  readonly poll: records.PollRecord
}

export interface Turn {
  readonly at: EpochMs
  /** When it was due. */
  readonly tick: EpochMs
  readonly budgetMs: Milliseconds
  /** The shard leaves an account that exceeds the budget to the queue for slow accounts; there, it fails. */
  readonly isInShard: boolean
  readonly ending: AbortSignal
}

/** Requests the missed calls of accounts, and stores what is new. */
export class AccountPolls {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Returns errors as part of the result, because they are stored with the account. @throws {StoreError} */
  async request(account: PolledAccount, { at, tick, budgetMs, ending }: Turn): Promise<PollResult> {
    const budget = AbortSignal.timeout(budgetMs)
    let result = await this.#tryRead(account, at, AbortSignal.any([ending, budget]))
    ending.throwIfAborted()
    if (budget.aborted && result.error !== undefined)
      result = { ...result, error: new ReadLimitError('time') }
    this.#report(account.tenant, result, tick)
    return result
  }

  async #tryRead(account: PolledAccount, at: EpochMs, signal: AbortSignal): Promise<PollResult> {
    let connectedAt: EpochMs | undefined
    try {
      const credentials = await this.#services.store.credentials.get(account.tenant)
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      connectedAt = credentials.connectedAt
      const reading = await this.#read(account, credentials, at, signal)
      return { at, reading, error: reading?.error, connectedAt }
    } catch (error) {
      const isUnreadable = error instanceof stored.UnreadableRecordError
      if (error instanceof stored.StoreError && !isUnreadable) throw error
      return { at, reading: undefined, error, connectedAt }
    }
  }

  async #read({ tenant, poll }: PolledAccount, record: CredentialsRecord, at: EpochMs, signal: AbortSignal) {
    const { workspaces, telephony } = this.#services
    const { key, secret } = record
    const { since, list } = resetIfAccountChanged(poll, tenant, record)
    const readUntil = Math.max(since, list?.readAt ?? 0)
    const { zone } = await workspaces.zone(tenant, '')
    const range = toPollRange(zone, at, readUntil)
    const account = { tenant, credentials: { key, secret } }
    return readMissedCalls(telephony, account, { range, before: list }, signal)
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

  /** @returns undefined if the account was disconnected or replaced since it was polled */
  async store(
    { tenant, poll: before }: PolledAccount,
    result: PollResult,
  ): Promise<records.PollRecord | undefined> {
    const { store, now } = this.#services
    if (!result.reading && result.error === undefined && !before.failing) return before
    // People may have changed or muted alerts meanwhile.
    const alerts = await store.alerts.all(tenant)
    if (alerts.length === 0) return undefined
    return records.changeOrCreate(store.polls, tenant, records.POLL_ID, before, async (latest) => {
      const credentials = await stored.whereReadable(store.credentials.get(tenant))
      if (credentials?.connectedAt !== result.connectedAt) return undefined
      const known = credentials ? resetIfAccountChanged(latest, tenant, credentials) : latest
      const { poll, calls } = applyPoll(known, result, now())
      // The states first: calls whose ids aren't stored are found again.
      const changedIds = await this.#addToStates(alerts, calls)
      const ids = alerts.map(({ id }) => id)
      const pending = ids.filter((id) => changedIds.has(id) || poll.pending.includes(id))
      return this.#tellOwners(alerts, { ...poll, pending })
    })
  }

  /** @returns the ids of alerts whose state has changed */
  async #addToStates(alerts: readonly records.AlertRecord[], calls: readonly records.MissedCall[]) {
    const { store, now } = this.#services
    const changedIds = new Set<string>()
    if (calls.length === 0) return changedIds
    for (const alert of alerts) {
      const changed = await records.changeState(store.alertStates, alert, (before) => {
        const state = addFound(before, calls, { alert, now: now() })
        return state === before ? undefined : state
      })
      if (changed) changedIds.add(alert.id)
      // Lets other work run between alerts.
      await nextTurn()
    }
    return changedIds
  }

  /** Tells of a failure once. @returns the poll to store */
  async #tellOwners(alerts: readonly records.AlertRecord[], poll: records.PollRecord) {
    const { notices, workspaces, now } = this.#services
    const { workspace, failing } = poll
    const active = alerts.filter((alert) => !records.isMuted(alert, now()))
    if (!failing || active.length === 0) return poll
    const tenant = tenantKey(workspace)
    const told = await notifyOnce(failing, now(), async (id) => {
      const { zone } = await workspaces.zone(tenant, '')
      const since = recentLabel(zone, new Date(failing.since), new Date(now()))
      const channels = [...new Set(active.map(({ channel }) => channel))]
      const [orChannel] = channels
      const places = joinNames(channels.map(conversationText))
      const text = `Missed calls haven't been checked since ${since}, so alerts in ${places} are on hold.`
      const owners = active.map(({ owner }) => owner)
      await notices.notify(workspace, owners, `alerts${tenant}/${id}`, toNotice(text, failing), orChannel)
    })
    return { ...poll, failing: told }
  }
}

function toOutcome(error: unknown) {
  if (error === undefined) return 'ok'
  return error instanceof TelephonyError ? error.outcome : 'failed'
}
