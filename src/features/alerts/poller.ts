import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/errors.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type AlertRecord, isMuted, WATCH_ID, type WatchRecord } from '../../store/alerts.ts'
import { StoreError, UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { ReadingCutError, TelephonyError } from '../../telephony/errors.ts'
import { several } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { Alerts, ShardJob, SlowJob } from './alerts.ts'
import type { AlertDelivery } from './delivery.ts'
import { isAhead } from './failing.ts'
import type { AlertNotices } from './notices.ts'
import { planPoll, readMissedCalls } from './reading.ts'
import { applyPoll, forAccount, newWatch, type PollResult } from './watch.ts'

/** Accounts of a shard that are polled at the same time; a poll mostly waits for the service. */
const POLLS_AT_A_TIME = 25
/** Time that an account has in its shard's run; after that it continues in the queue for slow accounts. */
const TURN_MS: Milliseconds = 5000
/** Time that an account has in the queue for slow accounts: about 180 pages of 6 s, three at a time. */
const SLOW_TURN_MS: Milliseconds = 6 * 60_000

interface WatchedAccount {
  readonly tenant: TenantKey
  /** Only alerts that aren't muted. */
  readonly alerts: readonly AlertRecord[]
  readonly watch: WatchRecord
}

interface Turn {
  readonly at: EpochMs
  /** When it was due. */
  readonly tick: EpochMs
  readonly budgetMs: Milliseconds
  readonly ending: AbortSignal
}

/** Asks the service for missed calls of the accounts with alerts. A failure or a wait in one account affects no other one. */
export class Poller {
  readonly #services
  readonly #alerts
  readonly #delivery
  readonly #notices

  constructor(
    services: Pick<Services, 'store' | 'telephony' | 'workspaces' | 'metrics' | 'log' | 'now'>,
    alerts: Alerts,
    delivery: Pick<AlertDelivery, 'deliver'>,
    notices: Pick<AlertNotices, 'tellUnchecked'>,
  ) {
    this.#services = services
    this.#alerts = alerts
    this.#delivery = delivery
    this.#notices = notices
  }

  async runShard({ data: { shard, at: tick } }: Job<ShardJob>, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const at = now()
    const [all, watches] = await Promise.all([store.alerts.inShard(shard), store.watches.inShard(shard)])
    if (all.length === 0) return
    await several(this.#toAccounts(all, watches, at), POLLS_AT_A_TIME, async (account) => {
      const turn = { at, tick, budgetMs: TURN_MS, ending }
      const isDone = !account.watch.isSlow && (await this.#tryTurn(account, turn))
      if (isDone || ending.aborted) return
      // Flagged first, so that only the slow job polls the account.
      if (!account.watch.isSlow) await this.#flag(account.tenant, true)
      await this.#alerts.enqueueSlow(account.watch.tenant)
    })
    ending.throwIfAborted()
    await this.#alerts.enqueueShard(shard, tick)
  }

  async runSlow({ data }: Job<SlowJob>, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const tenant = tenantKey(data.tenant)
    const at = now()
    const [all, watches] = await Promise.all([store.alerts.all(tenant), store.watches.all(tenant)])
    for (const account of this.#toAccounts(all, watches, at)) {
      const started = performance.now()
      await this.#tryTurn(account, { at, tick: at, budgetMs: SLOW_TURN_MS, ending })
      ending.throwIfAborted()
      if (performance.now() - started < TURN_MS) await this.#flag(tenant, false)
    }
  }

  #toAccounts(
    all: readonly AlertRecord[],
    watches: readonly WatchRecord[],
    now: EpochMs,
  ): readonly WatchedAccount[] {
    const byTenant = new Map(watches.map((watch) => [tenantKey(watch.tenant), watch]))
    const active = Map.groupBy(
      all.filter((alert) => !isMuted(alert, now)),
      (alert) => tenantKey(alert.tenant),
    )
    return [...active].flatMap(([tenant, alerts]) => {
      const [first] = alerts
      if (!first) return []
      return { tenant, alerts, watch: byTenant.get(tenant) ?? newWatch(alerts, first.tenant, now) }
    })
  }

  async #flag(tenant: TenantKey, isSlow: boolean): Promise<void> {
    const { store } = this.#services
    await store.watches.change(tenant, WATCH_ID, ({ isSlow: before, ...watch }) => {
      if ((before ?? false) === isSlow) return undefined
      return isSlow ? { ...watch, isSlow } : watch
    })
  }

  /** @returns false if the account needs more time than its budget */
  async #tryTurn(account: WatchedAccount, turn: Turn): Promise<boolean> {
    if (turn.ending.aborted) return false
    try {
      return await this.#runTurn(account, turn)
    } catch (error) {
      const { tenant } = account
      if (!turn.ending.aborted) this.#services.log.error({ err: error, tenant }, 'account poll failed')
      return true
    }
  }

  async #runTurn(account: WatchedAccount, turn: Turn): Promise<boolean> {
    const deadline = performance.now() + turn.budgetMs
    const { failing } = account.watch
    let watch: WatchRecord | undefined = account.watch
    if (!isAhead(failing?.retryAt, turn.at)) {
      const result = await this.#poll(account, turn)
      const isCut = result.error instanceof ReadingCutError
      if (isCut && turn.budgetMs === TURN_MS) return false
      watch = await this.#keep(account, result, turn.ending)
    }
    if (!watch) return true
    await this.#notices.tellUnchecked(account.alerts, watch)
    for (const { id, tenant } of account.alerts) {
      const state = watch.alerts[id]
      if (!state || (state.waiting.length === 0 && !state.failing)) continue
      if (performance.now() > deadline || turn.ending.aborted) return false
      await this.#delivery.deliver({ tenant, id }, state).catch((error: unknown) => {
        const context = { err: error, tenant: account.tenant, alert: id }
        this.#services.log.error(context, 'alert delivery failed')
      })
    }
    return true
  }

  /** Returns errors as part of the result, because they are stored with the account. @throws {StoreError} */
  async #poll({ tenant, alerts, watch }: WatchedAccount, turn: Turn): Promise<PollOfAccount> {
    const { store, workspaces, telephony, metrics } = this.#services
    const { at, tick, ending } = turn
    const budget = AbortSignal.timeout(turn.budgetMs)
    let connectedAt: EpochMs | undefined
    let result: PollResult = { at, reading: undefined }
    try {
      const [credentials, { zone }] = await Promise.all([
        store.credentials.get(tenant),
        workspaces.zone(tenant, ''),
      ])
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      connectedAt = credentials.connectedAt
      const { list, since } = forAccount(watch, tenant, credentials)
      const earliest = Math.max(since, Math.min(...alerts.map((alert) => alert.since)))
      const plan = planPoll(zone, at, { readAt: list?.readAt, since: earliest })
      const { key, secret } = credentials
      const account = { tenant, credentials: { key, secret } }
      const signal = AbortSignal.any([ending, budget])
      const reading = await readMissedCalls(telephony, account, { plan, before: list }, signal)
      result = { at, reading, error: reading?.error }
    } catch (error) {
      if (error instanceof StoreError && !(error instanceof UnreadableRecordError)) throw error
      result = { at, reading: undefined, error }
    }
    ending.throwIfAborted()
    if (budget.aborted && result.error !== undefined)
      result = { ...result, error: new ReadingCutError('time') }
    if (connectedAt !== undefined) {
      metrics.count('alert_looks_total', { outcome: toOutcome(result.error) })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, at - tick))
    }
    this.#logFailure(tenant, result.error)
    return { ...result, connectedAt }
  }

  #logFailure(tenant: TenantKey, error: unknown): void {
    const { log } = this.#services
    if (error === undefined) return
    const isExpected = error instanceof ReadingCutError || describeFailure(error).kind !== 'error'
    if (isExpected) log.info({ cause: String(error), tenant }, 'account could not be polled')
    else log.error({ err: error, tenant }, 'account could not be polled')
  }

  /**
   * Stores the result, unless the account was disconnected or replaced meanwhile.
   * @returns the row, or undefined if the result was discarded
   */
  async #keep(
    account: WatchedAccount,
    result: PollOfAccount,
    ending: AbortSignal,
  ): Promise<WatchRecord | undefined> {
    try {
      return await this.#store(account, result)
    } catch (error) {
      if (ending.aborted || error instanceof StoreError) throw error
      this.#services.log.error({ err: error, tenant: account.tenant }, 'poll result could not be stored')
      // Stored like any other failure, so that the list shows it and the owners hear of it.
      return this.#store(account, { ...result, reading: undefined, error })
    }
  }

  async #store(
    { tenant, watch: before }: WatchedAccount,
    { connectedAt, ...result }: PollOfAccount,
  ): Promise<WatchRecord | undefined> {
    const { store, now } = this.#services
    if (!result.reading && result.error === undefined && !before.failing) return before
    // People may have changed or muted alerts meanwhile.
    const at = now()
    const alerts = (await store.alerts.all(tenant)).filter((alert) => !isMuted(alert, at))
    const apply = async (watch: WatchRecord) => {
      const credentials = await whereReadable(store.credentials.get(tenant))
      if (credentials?.connectedAt !== connectedAt) return undefined
      const own = credentials ? forAccount(watch, tenant, credentials) : watch
      return applyPoll(own, result, alerts, at)
    }
    const changed = await store.watches.change(tenant, WATCH_ID, apply)
    if (changed || (await store.watches.get(tenant, WATCH_ID))) return changed
    // The row is missing or can't be read.
    const made = alerts.length === 0 ? undefined : await apply(before)
    if (made) await store.watches.set(tenant, WATCH_ID, made)
    return made
  }
}

type PollOfAccount = PollResult & { readonly connectedAt: EpochMs | undefined }

const toOutcome = (error: unknown) =>
  error === undefined ? 'ok' : error instanceof TelephonyError ? error.outcome : 'failed'
