import { hash } from 'node:crypto'
import { z } from 'zod'
import { type Job, NonRetryableError } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/instruments.ts'
import { NotConnectedError } from '../slack/access/errors.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import {
  type AlertRecord,
  type AlertState,
  type AlertTrouble,
  WATCH_ID,
  type WatchRecord,
} from '../store/alerts.ts'
import { UndecryptableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey, tenantRecord } from '../store/tenant.ts'
import { SHARDS, shardOf } from '../store/tenant-rows.ts'
import type { CredentialsRecord } from '../store/workspaces.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { TelephonyError } from '../telephony/errors.ts'
import type { Zone } from '../time/types.ts'
import { several } from '../util/promises.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching } from './alert-state.ts'
import { type Alerts, lastPolledAt } from './alerts.ts'
import { type PollResult, pollAccount, withNews } from './poll.ts'
import { isAhead, longestIntervalMs, nextTick, pollInterval } from './poll-times.ts'
import { afterFailure, retryAfterOf } from './poll-trouble.ts'
import { PollRanges } from './ranges.ts'

const pollJob = z.union([
  /** All accounts of a shard. */
  z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() }),
  /** One account, whatever it waits for where that is forced. */
  z.object({ tenant: tenantRecord, isForced: z.boolean() }),
])

/** Accounts that are polled at the same time, for one job: a poll mostly waits for the service. */
const polledAtATime = 25
/** Accounts of which the store is asked at once. */
const readAtATime = 500
const afterErrorMs: Milliseconds = 30_000

/** Posts what is pending of an alert. @returns when there is more to do, where that is not at the next poll */
export type DeliverAlert = (alert: AlertRecord, state: AlertState) => Promise<EpochMs | undefined>

interface Watched {
  readonly team: Tenant
  readonly tenant: TenantKey
  /** Those that are watching. */
  readonly alerts: readonly AlertRecord[]
  /** None where it is malformed. */
  readonly watch: WatchRecord | undefined
  readonly polledAt: EpochMs | undefined
}

interface Prepared extends Watched {
  readonly credentials: CredentialsRecord | UndecryptableError | undefined
  readonly zone: Zone
}

interface Turn {
  readonly at: EpochMs
  /** Of a shard. */
  readonly tick?: EpochMs
  /** After the tick. */
  readonly lateMs: Milliseconds
  readonly isForced: boolean
  readonly ending: AbortSignal
}

/** Asks the service for what was missed in the accounts that have alerts. Nothing of one account keeps another one from it. */
export class AlertPoller {
  readonly #services
  readonly #ranges = new PollRanges()
  /** Accounts whose shard's turn hasn't come to its end with them: none of them holds up the others, nor is polled twice at once. */
  readonly #inTurn = new Set<TenantKey>()

  constructor(services: {
    store: Store
    alerts: Alerts
    deliver: DeliverAlert
    /** Notifies those whose alerts these are, once. */
    notifyOwners: (alerts: readonly AlertRecord[], trouble: AlertTrouble) => Promise<void>
    telephony: TelephonyClient
    workspaces: Workspaces
    metrics: Metrics
    everyMs: Milliseconds
    log: Pick<Log, 'info' | 'error'>
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /** @throws {NonRetryableError | StoreError}, and the signal's reason */
  async run({ data }: Job, ending: AbortSignal): Promise<void> {
    const job = pollJob.safeParse(data)
    if (!job.success) throw new NonRetryableError('the job of a poll is malformed', { cause: job.error })
    const at = this.#services.now()
    if ('shard' in job.data) {
      const { shard, at: tick } = job.data
      await this.#pollShard(shard, { at, tick, lateMs: Math.max(0, at - tick), isForced: false, ending })
    } else await this.#pollTenant(job.data.tenant, { at, lateMs: 0, isForced: job.data.isForced, ending })
  }

  /** Where a shard's job was given up: its accounts go on. @throws {StoreError} */
  async givenUp({ data }: Job): Promise<void> {
    const job = pollJob.safeParse(data)
    if (!job.success || !('shard' in job.data)) return
    await this.#services.alerts.pollShard(job.data.shard, job.data.at)
  }

  async #pollShard(shard: number, turn: Turn): Promise<void> {
    const { store, alerts: planned } = this.#services
    const [all, watches, shardPolledAt] = await Promise.all([
      store.alerts.inShard(shard),
      store.watches.inShard(shard),
      store.shardPolledAt(shard),
    ])
    const byTenant = new Map(watches.map((watch) => [tenantKey(watch.tenant), watch]))
    const alertsOf = Map.groupBy(all.filter(isWatching), ({ tenant }) => tenantKey(tenant))
    const accounts = [...alertsOf].flatMap(([tenant, alerts]): Watched[] => {
      const [first] = alerts
      const watch = byTenant.get(tenant)
      if (!first) return []
      const polledAt = lastPolledAt(watch, shardPolledAt, turn.at)
      return [{ team: first.tenant, tenant, alerts, watch, polledAt }]
    })
    if (accounts.length === 0) return
    await planned.pollShard(shard, turn.tick)
    const own = accounts.filter(({ tenant }) => !this.#inTurn.has(tenant))
    for (const { tenant } of own) this.#inTurn.add(tenant)
    let arePolled = own.length === accounts.length
    try {
      for (let from = 0; from < own.length; from += readAtATime) {
        const some = own.slice(from, from + readAtATime)
        const prepared = await Promise.all(some.map((account) => this.#prepare(account)))
        await several(prepared, polledAtATime, async (account) => {
          if (!account || !(await this.#pollSafely(account, turn))) arePolled = false
          if (account) this.#inTurn.delete(account.tenant)
        })
        turn.ending.throwIfAborted()
      }
    } finally {
      for (const { tenant } of own) this.#inTurn.delete(tenant)
    }
    if (arePolled) await store.setShardPolledAt(shard, turn.at)
  }

  async #pollTenant(team: Tenant, turn: Turn): Promise<void> {
    const { store } = this.#services
    const tenant = tenantKey(team)
    const [all, watch, shardPolledAt] = await Promise.all([
      store.alerts.all(tenant),
      store.watches.get(tenant, WATCH_ID),
      store.shardPolledAt(shardOf(tenant)),
    ])
    const alerts = all.filter(isWatching)
    if (alerts.length === 0) return
    const polledAt = lastPolledAt(watch, shardPolledAt, turn.at)
    const prepared = await this.#prepare({ team, tenant, alerts, watch, polledAt })
    if (prepared) await this.#pollSafely(prepared, turn)
    turn.ending.throwIfAborted()
  }

  /** Many at once: over PostgreSQL that is one query. */
  async #prepare(account: Watched): Promise<Prepared | undefined> {
    const { store, workspaces, log } = this.#services
    const { tenant } = account
    try {
      const [credentials, { zone }] = await Promise.all([
        store.credentials.get(tenant).catch((error: unknown) => {
          if (error instanceof UndecryptableError) return error
          throw error
        }),
        workspaces.zone(tenant, ''),
      ])
      return { ...account, credentials, zone }
    } catch (error) {
      log.error({ err: error, tenant }, 'an account was not polled')
      return undefined
    }
  }

  /** @returns whether it was polled, as far as its row doesn't say otherwise */
  async #pollSafely(account: Prepared, turn: Turn): Promise<boolean> {
    const { log } = this.#services
    if (turn.ending.aborted) return false
    try {
      await this.#poll(account, turn)
      return true
    } catch (error) {
      if (!turn.ending.aborted) log.error({ err: error, tenant: account.tenant }, 'an account was not polled')
      return false
    }
  }

  async #poll(account: Prepared, turn: Turn): Promise<void> {
    const { tenant, credentials, watch } = account
    if (!turn.isForced && isAhead(watch?.notBefore, turn.at)) {
      await this.#deliverAll(account, account.alerts, watch)
      return
    }
    const error =
      credentials === undefined ? new NotConnectedError('the workspace is not connected') : credentials
    if (error instanceof Error) {
      const kept = await this.#keepFailure(account, turn, error, (current) => current)
      await this.#deliverAll(account, account.alerts, kept)
      return
    }
    const own = accountOf(tenant, error, watch)
    const { result, tookMs } = await this.#ask(account, own, error, turn)
    const hasCalls = result.news.values().some(({ calls }) => calls.length > 0)
    // As they are by now: somebody may have paused, muted or changed one while the service was asked.
    const alerts = hasCalls
      ? (await this.#services.store.alerts.all(tenant)).filter(isWatching)
      : account.alerts
    const change = (current: WatchRecord) =>
      withNews({ ...current, ...accountOf(tenant, error, current).changes }, result, {
        alerts,
        accountId: own.id,
        now: this.#services.now(),
      })
    const isNews = result.news.size > 0 || Object.keys(own.changes).length > 0
    const kept = result.error
      ? await this.#keepFailure(account, turn, result.error, change)
      : await this.#keepSuccess(account, turn, { change, tookMs, isNews })
    await this.#deliverAll(account, alerts, kept)
  }

  async #ask(
    { tenant, alerts, watch, polledAt, zone }: Prepared,
    own: ReturnType<typeof accountOf>,
    { key, secret }: CredentialsRecord,
    { at, lateMs, ending }: Turn,
  ): Promise<{ readonly result: PollResult; readonly tookMs: Milliseconds }> {
    const { telephony, metrics, log } = this.#services
    const { since = 0, lists = {} } = { ...watch, ...own.changes }
    const earliest = Math.max(since, Math.min(...alerts.map((alert) => alert.since)))
    const range = this.#ranges.of(zone, at, { polledAt, since: earliest })
    const start = performance.now()
    const account = { tenant, credentials: { key, secret } }
    const asked = { alerts, range, accountId: own.id, lists }
    const result = await pollAccount(telephony, account, asked, ending).catch((error: unknown) => {
      if (ending.aborted || !(error instanceof Error)) throw error
      log.error({ err: error, tenant }, 'an account could not be polled')
      return { news: new Map(), error }
    })
    const failed = result.error instanceof TelephonyError ? result.error.outcome : 'failed'
    metrics.count('alert_looks_total', { outcome: result.error ? failed : 'ok' })
    metrics.time('alert_look_delay_seconds', {}, lateMs)
    return { result, tookMs: performance.now() - start }
  }

  /** Nothing is written where nothing has changed: the shard's row says when. */
  async #keepSuccess(
    account: Prepared,
    { at, isForced }: Turn,
    poll: {
      readonly change: (watch: WatchRecord) => WatchRecord
      readonly tookMs: Milliseconds
      readonly isNews: boolean
    },
  ): Promise<WatchRecord | undefined> {
    const { watch } = account
    const notBefore = this.#notBefore(at, { tookMs: poll.tookMs, failures: 0 })
    const isAsBefore = watch?.polledAt !== undefined && !(watch.failing || watch.trouble || watch.notBefore)
    if (isAsBefore && !poll.isNews && notBefore === undefined && !isForced) return watch
    return this.#change(account, (current) => ({
      ...poll.change(current),
      failing: undefined,
      trouble: undefined,
      notBefore,
      polledAt: at,
    }))
  }

  async #keepFailure(
    account: Prepared,
    { at }: Turn,
    error: Error,
    change: (watch: WatchRecord) => WatchRecord,
  ): Promise<WatchRecord | undefined> {
    const { notifyOwners, log } = this.#services
    log.info({ cause: error.message }, 'an account could not be polled')
    const kept = await this.#change(account, (current) => {
      const failed = afterFailure(change(current), error, { failedAt: at, polledAt: account.polledAt })
      const stats = { tookMs: 0, failures: failed.failing?.count ?? 1, retryAfterMs: retryAfterOf(error) }
      return { ...failed, notBefore: this.#notBefore(at, stats) }
    })
    const trouble = kept?.trouble
    if (!trouble || trouble.isTold) return kept
    await notifyOwners(account.alerts, trouble)
    return this.#change(account, (current) =>
      current.trouble ? { ...current, trouble: { ...current.trouble, isTold: true } } : current,
    )
  }

  /** None where it is the shard's next tick. */
  #notBefore(at: EpochMs, stats: Parameters<typeof pollInterval>[1]): EpochMs | undefined {
    const { everyMs, now } = this.#services
    const interval = pollInterval(everyMs, stats)
    // The tick at its end counts, though this poll began a moment after its own.
    return interval <= everyMs
      ? undefined
      : Math.max(at + interval - everyMs / 2, now() + (stats.retryAfterMs ?? 0))
  }

  /** Changes the account's row; one that is malformed is made anew. @returns what is there, or `undefined` where it was deleted */
  async #change(
    { tenant, team, watch, alerts }: Watched,
    change: (watch: WatchRecord) => WatchRecord,
  ): Promise<WatchRecord | undefined> {
    const { store, now } = this.#services
    const changed = await store.watches.change(tenant, WATCH_ID, change)
    if (changed || watch) return changed
    if (!(await store.credentials.has(tenant))) return undefined
    // What was missed within the longest interval may be posted once more, rather than never.
    const since = Math.max(now() - longestIntervalMs, Math.min(...alerts.map((alert) => alert.since)))
    const anew = change({ tenant: team, since, lists: {}, alerts: {} })
    await store.watches.set(tenant, WATCH_ID, anew)
    return anew
  }

  async #deliverAll(
    { team, tenant }: Watched,
    alerts: readonly AlertRecord[],
    watch: WatchRecord | undefined,
  ): Promise<void> {
    const { deliver, alerts: planned, everyMs, log, now } = this.#services
    let due = nextTick(shardOf(tenant), everyMs, now())
    const tick = due
    for (const alert of alerts) {
      const state = watch?.alerts[alert.id]
      if (!state?.pending && !state?.below && !state?.trouble) continue
      try {
        due = Math.min(due, (await deliver(alert, state)) ?? due)
      } catch (error) {
        log.error({ err: error, alert: alert.id }, 'an alert was not delivered')
        due = Math.min(due, now() + afterErrorMs)
      }
    }
    if (due < tick) await planned.pollSoon(team, Math.max(due, now() + 1000))
  }
}

/** What stands for the account, without its key: another secret of the same key is still that account. */
function accountOf(
  tenant: TenantKey,
  { key, connectedAt }: CredentialsRecord,
  watch: WatchRecord | undefined,
): { readonly id: string; readonly changes: Partial<WatchRecord> } {
  const known = watch?.account
  if (known?.connectedAt === connectedAt) return { id: known.id, changes: {} }
  const id = hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12)
  const account = { id, connectedAt }
  if (!known || known.id === id) return { id, changes: { account } }
  return { id, changes: { account, since: connectedAt, lists: {} } }
}
