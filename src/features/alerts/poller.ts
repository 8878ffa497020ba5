import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type AlertRecord, isMuted, WATCH_ID, type WatchRecord } from '../../store/alerts.ts'
import { StoreError, UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { ReadingCutError, TelephonyError } from '../../telephony/types.ts'
import { mapConcurrent } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { Alerts, ShardJob, SlowJob } from './alerts.ts'
import type { AlertDelivery } from './delivery.ts'
import { isAhead } from './failing.ts'
import type { AlertNotices } from './notices.ts'
import {
  applyPoll,
  newWatch,
  type PollResult,
  readMissedCalls,
  resetIfAccountChanged,
  toPollRange,
} from './watch.ts'

/** Accounts of a shard that are polled at the same time; a poll mostly waits for the service. */
const POLLS_AT_A_TIME = 25
const DEFAULT_BUDGETS = {
  /** Time that an account has in its shard's run; after that it continues in the queue for slow accounts. */
  shardMs: 5000,
  /** Time that an account has in the queue for slow accounts: about 180 pages of 6 s, three at a time. */
  slowMs: 6 * 60_000,
}

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

type AccountPollResult = PollResult & { readonly connectedAt: EpochMs | undefined }

/** Asks the service for missed calls of the accounts with alerts. A failure or a wait in one account affects no other one. */
export class Poller {
  readonly #services
  readonly #alerts
  readonly #delivery
  readonly #notices
  readonly #budgets

  constructor(
    services: Pick<Services, 'store' | 'telephony' | 'workspaces' | 'metrics' | 'log' | 'now'>,
    alerts: Alerts,
    delivery: Pick<AlertDelivery, 'deliver'>,
    notices: Pick<AlertNotices, 'tellUnchecked'>,
    budgets = DEFAULT_BUDGETS,
  ) {
    this.#services = services
    this.#alerts = alerts
    this.#delivery = delivery
    this.#notices = notices
    this.#budgets = budgets
  }

  async runShard({ data: { shard, at: tick } }: Job<ShardJob>, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const at = now()
    const [all, watches] = await Promise.all([store.alerts.inShard(shard), store.watches.inShard(shard)])
    if (all.length === 0) return
    await mapConcurrent(toAccounts(all, watches, at), POLLS_AT_A_TIME, async (account) => {
      const { isSlow = false, tenant } = account.watch
      const isDone =
        !isSlow && (await this.#tryTurn(account, { at, tick, budgetMs: this.#budgets.shardMs, ending }))
      if (isDone || ending.aborted) return
      // Flagged first, so that only the slow job polls the account.
      if (!isSlow) await this.#flag(account.tenant, true)
      await this.#alerts.enqueueSlow(tenant)
    })
    ending.throwIfAborted()
    await this.#alerts.enqueueShard(shard, tick)
  }

  async runSlow({ data }: Job<SlowJob>, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const { shardMs, slowMs: budgetMs } = this.#budgets
    const tenant = tenantKey(data.tenant)
    const at = now()
    const [all, watches] = await Promise.all([store.alerts.all(tenant), store.watches.all(tenant)])
    for (const account of toAccounts(all, watches, at)) {
      const started = performance.now()
      await this.#tryTurn(account, { at, tick: at, budgetMs, ending })
      ending.throwIfAborted()
      if (performance.now() - started < shardMs) await this.#flag(tenant, false)
    }
  }

  async #flag(tenant: TenantKey, isSlow: boolean): Promise<void> {
    await this.#services.store.watches.change(tenant, WATCH_ID, ({ isSlow: _, ...watch }) =>
      isSlow ? { ...watch, isSlow } : watch,
    )
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
    let watch: WatchRecord | undefined = account.watch
    if (!isAhead(watch.failing?.retryAt, turn.at)) {
      const result = await this.#poll(account, turn)
      const isInShard = turn.budgetMs === this.#budgets.shardMs
      if (isInShard && result.error instanceof ReadingCutError) return false
      watch = await this.#store(account, result)
    }
    // The account was disconnected or replaced meanwhile.
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
  async #poll({ tenant, watch }: WatchedAccount, turn: Turn): Promise<AccountPollResult> {
    const { store, workspaces, telephony, metrics, log } = this.#services
    const { at, tick, ending } = turn
    const budget = AbortSignal.timeout(turn.budgetMs)
    let result: AccountPollResult = { at, reading: undefined, error: undefined, connectedAt: undefined }
    try {
      const credentials = await store.credentials.get(tenant)
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      const { key, secret, connectedAt } = credentials
      result = { ...result, connectedAt }
      const range = toPollRange((await workspaces.zone(tenant, '')).zone, at)
      const { list: before } = resetIfAccountChanged(watch, tenant, credentials)
      const account = { tenant, credentials: { key, secret } }
      const signal = AbortSignal.any([ending, budget])
      const reading = await readMissedCalls(telephony, account, { range, before }, signal)
      result = { ...result, reading, error: reading?.error }
    } catch (error) {
      if (error instanceof StoreError && !(error instanceof UnreadableRecordError)) throw error
      result = { ...result, error }
    }
    ending.throwIfAborted()
    if (budget.aborted && result.error !== undefined)
      result = { ...result, error: new ReadingCutError('time') }
    const { error, connectedAt } = result
    if (connectedAt !== undefined) {
      metrics.count('alert_looks_total', { outcome: toOutcome(error) })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, at - tick))
    }
    if (error !== undefined) {
      const isExpected = error instanceof ReadingCutError || describeFailure(error).kind !== 'error'
      if (isExpected) log.info({ cause: String(error), tenant }, 'account could not be polled')
      else log.error({ err: error, tenant }, 'account could not be polled')
    }
    return result
  }

  /** @returns the stored row, or undefined if the account was disconnected or replaced since it was polled */
  async #store(
    { tenant, watch: before }: WatchedAccount,
    { connectedAt, ...result }: AccountPollResult,
  ): Promise<WatchRecord | undefined> {
    const { store, now } = this.#services
    if (!result.reading && result.error === undefined && !before.failing) return before
    // People may have changed or muted alerts meanwhile.
    const at = now()
    const alerts = (await store.alerts.all(tenant)).filter((alert) => !isMuted(alert, at))
    const apply = async (watch: WatchRecord) => {
      const credentials = await whereReadable(store.credentials.get(tenant))
      if (credentials?.connectedAt !== connectedAt) return undefined
      return applyPoll(
        credentials ? resetIfAccountChanged(watch, tenant, credentials) : watch,
        result,
        alerts,
        at,
      )
    }
    if (await store.watches.get(tenant, WATCH_ID)) return store.watches.change(tenant, WATCH_ID, apply)
    // The row is missing or can't be read.
    const made = alerts.length === 0 ? undefined : await apply(before)
    if (made) await store.watches.set(tenant, WATCH_ID, made)
    return made
  }
}

function toAccounts(
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
    return first ? { tenant, alerts, watch: byTenant.get(tenant) ?? newWatch(alerts, first.tenant, now) } : []
  })
}

const toOutcome = (error: unknown) =>
  error === undefined ? 'ok' : error instanceof TelephonyError ? error.outcome : 'failed'
