import { isDeepStrictEqual } from 'node:util'
import { accountOf, afterPoll, awayForMs, type Poll, withAccount } from '../../alerts/after-poll.ts'
import { isWatching } from '../../alerts/alert-state.ts'
import { lastPolledAt, type PollJob, type ShardJob } from '../../alerts/alerts.ts'
import { PollRanges, readNews } from '../../alerts/poll.ts'
import { isAhead, longestIntervalMs } from '../../alerts/poll-times.ts'
import type { Config } from '../../config/config.ts'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/errors.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import {
  type AlertRecord,
  type AlertState,
  type AlertTrouble,
  WATCH_ID,
  type WatchRecord,
} from '../../store/alerts.ts'
import { shardOf } from '../../store/engine/rows.ts'
import { StoreError, UnreadableRecordError } from '../../store/errors.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { ReadingCutError, TelephonyError } from '../../telephony/errors.ts'
import type { Zone } from '../../time/types.ts'
import { several } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

/** Accounts that are polled at the same time, for one job: a poll mostly waits for the service. */
const polledAtATime = 25
const readAtATime = 500
/** What was found by then is kept. An account that was not read to its end gets twice as long next time, a few times over. */
const budgetMs: Milliseconds = 45_000
const mostDoublings = 3

interface Watched {
  readonly tenant: TenantKey
  /** Those that are watching. */
  readonly alerts: readonly AlertRecord[]
  /** A new one where it is malformed. */
  readonly watch: WatchRecord
  readonly polledAt: EpochMs | undefined
}

/** @throws {NotConnectedError | StoreError} */
type Setting = Promise<{ readonly credentials: CredentialsRecord; readonly zone: Zone }>

interface Turn {
  readonly at: EpochMs
  /** When it was to begin; none: somebody wants it, whatever the account waits for. */
  readonly tick?: EpochMs
  readonly ending: AbortSignal
}

/** What was missed within the longest interval may be posted once more, rather than never. */
function newWatch(alerts: readonly AlertRecord[], team: WatchRecord['tenant'], now: EpochMs): WatchRecord {
  const since = Math.max(now - longestIntervalMs, Math.min(...alerts.map((alert) => alert.since)))
  return { tenant: team, since, lists: {}, alerts: {} }
}

/**
 * Asks the service for what was missed in the accounts that have alerts. What fails in one account fails in no other; one that
 * is slow holds up its shard's job for as long as its budget lasts.
 * @param deliver posts what is pending of an alert @param notifyOwners notifies those whose alerts these are, once
 */
export function createPoller(
  {
    config: { alertEveryMs: everyMs },
    store,
    alerts: planned,
    telephony,
    workspaces,
    metrics,
    log,
    now,
  }: Pick<Services, 'store' | 'alerts' | 'telephony' | 'workspaces' | 'metrics' | 'log' | 'now'> & {
    readonly config: Pick<Config, 'alertEveryMs'>
  },
  deliver: (alert: AlertRecord, state: AlertState) => Promise<void>,
  notifyOwners: (alerts: readonly AlertRecord[], trouble: AlertTrouble) => Promise<void>,
) {
  const ranges = new PollRanges()
  /** Accounts that a job of their shard is still polling: its next job leaves them out. */
  const inTurn = new Set<TenantKey>()

  async function accountsOf(job: PollJob, at: EpochMs): Promise<readonly Watched[]> {
    const only = 'tenant' in job ? tenantKey(job.tenant) : undefined
    const shard = 'shard' in job ? job.shard : shardOf(tenantKey(job.tenant))
    const [all, watches, shardPolledAt] = await Promise.all([
      only === undefined ? store.alerts.inShard(shard) : store.alerts.all(only),
      only === undefined ? store.watches.inShard(shard) : store.watches.all(only),
      store.shardPolledAt(shard),
    ])
    const byTenant = new Map(watches.map((watch) => [tenantKey(watch.tenant), watch]))
    const alertsOf = Map.groupBy(all.filter(isWatching), ({ tenant }) => tenantKey(tenant))
    return [...alertsOf].flatMap(([tenant, alerts]) => {
      const [first] = alerts
      if (!first) return []
      const kept = byTenant.get(tenant)
      const watch = kept ?? newWatch(alerts, first.tenant, at)
      return [{ tenant, alerts, watch, polledAt: lastPolledAt(kept, shardPolledAt, at) }]
    })
  }

  /** @param onEnd called for each account as soon as it has been polled, or could not be */
  async function pollAll(
    accounts: readonly Watched[],
    turn: Turn,
    onEnd: (tenant: TenantKey, isPolled: boolean) => void,
  ): Promise<void> {
    for (let from = 0; from < accounts.length; from += readAtATime) {
      const some = accounts.slice(from, from + readAtATime)
      // Many at once: over PostgreSQL that is one query.
      const read = some.map((account) => ({ account, setting: settingOf(account.tenant) }))
      await Promise.allSettled(read.map(({ setting }) => setting))
      await several(read, polledAtATime, async ({ account, setting }) => {
        onEnd(account.tenant, await tryPoll(account, setting, turn))
      })
      turn.ending.throwIfAborted()
    }
  }

  async function settingOf(tenant: TenantKey): Setting {
    const [credentials, { zone }] = await Promise.all([
      store.credentials.get(tenant),
      workspaces.zone(tenant, ''),
    ])
    if (!credentials) throw new NotConnectedError('the workspace is not connected')
    return { credentials, zone }
  }

  /** @returns `false` where it wasn't, and its row doesn't say so */
  async function tryPoll(account: Watched, setting: Setting, turn: Turn): Promise<boolean> {
    if (turn.ending.aborted) return false
    try {
      await pollAccount(account, setting, turn)
      return true
    } catch (error) {
      if (!turn.ending.aborted) log.error({ err: error, tenant: account.tenant }, 'an account was not polled')
      return false
    }
  }

  async function pollAccount(account: Watched, setting: Setting, turn: Turn): Promise<void> {
    const { tenant, watch } = account
    if (turn.tick !== undefined && isAhead(watch.notBefore, turn.at)) return deliverAll(account.alerts, watch)
    const poll = await ask(account, setting, turn)
    try {
      await settle(account, poll, turn)
    } catch (error) {
      if (turn.ending.aborted || error instanceof StoreError) throw error
      log.error({ err: error, tenant }, 'what was found in an account could not be kept')
      // Like any other failure: it is shown, and the owners are notified where it goes on.
      await settle(account, { ...poll, news: new Map(), refused: new Set(), error }, turn)
    }
  }

  /** Keeps what a poll has come to, has its owners notified of trouble, and posts what is pending. */
  async function settle(account: Watched, poll: Poll, turn: Turn): Promise<void> {
    const { tenant, watch } = account
    // As they are by now: somebody may have paused, muted or changed one while the service was asked.
    const alerts = poll.news.size > 0 ? (await store.alerts.all(tenant)).filter(isWatching) : account.alerts
    const change = (current: WatchRecord) => afterPoll(current, poll, alerts, { everyMs, now: now() })
    // Nothing is written where nothing has changed: the shard's row says when.
    const { polledAt } = watch
    const isAsBefore = polledAt !== undefined && isDeepStrictEqual({ ...change(watch), polledAt }, watch)
    const kept = isAsBefore && turn.tick !== undefined ? watch : await keep(account, poll, change)
    if (!kept) return
    const { trouble } = kept
    if (trouble && !trouble.isTold) {
      await notifyOwners(alerts, trouble)
      await store.watches.change(tenant, WATCH_ID, (current) =>
        current.trouble ? { ...current, trouble: { ...current.trouble, isTold: true } } : undefined,
      )
    }
    await notifyOfUnread(alerts, kept, turn.at)
    await deliverAll(alerts, kept)
  }

  /** Those whose agents' calls the service has refused to list for a while; alerts of the same agents are one notice. */
  async function notifyOfUnread(
    alerts: readonly AlertRecord[],
    { tenant, alerts: states }: WatchRecord,
    at: EpochMs,
  ): Promise<void> {
    const due = alerts.filter(({ id }) => {
      const unread = states[id]?.unread
      return unread && !unread.isTold && at - unread.since >= awayForMs
    })
    for (const some of Map.groupBy(due, ({ id }) => states[id]?.unread?.why).values()) {
      const unread = some[0] && states[some[0].id]?.unread
      if (!unread) continue
      await notifyOwners(some, unread)
      for (const { id } of some)
        await store.watches.change(tenantKey(tenant), WATCH_ID, (watch) => {
          const { unread: latest, ...state } = watch.alerts[id] ?? {}
          const told = latest && { ...state, unread: { ...latest, isTold: true } }
          return told && { ...watch, alerts: { ...watch.alerts, [id]: told } }
        })
    }
  }

  /** Whatever goes wrong with an account is kept in its row. @throws {StoreError}, and the signal's reason */
  async function ask(
    { tenant, alerts, watch, polledAt }: Watched,
    setting: Setting,
    { at, tick = at, ending }: Turn,
  ): Promise<Poll> {
    const start = performance.now()
    let poll: Poll = {
      at,
      polledAt,
      tookMs: 0,
      account: undefined,
      news: new Map(),
      refused: new Set(),
      error: undefined,
    }
    try {
      const { credentials, zone } = await setting
      const { key, secret } = credentials
      const account = accountOf(tenant, credentials, watch.account)
      poll = { ...poll, account }
      const { since, lists } = withAccount(watch, account)
      const earliest = Math.max(since, Math.min(...alerts.map((alert) => alert.since)))
      const range = ranges.of(zone, at, { polledAt, since: earliest })
      const asked = { alerts, range, accountId: account.id, lists }
      const doublings = Math.min(watch.failing?.count ?? 0, mostDoublings)
      const budget = AbortSignal.timeout(budgetMs * 2 ** doublings)
      const signals = { signal: ending, budget }
      const found = await readNews(telephony, { tenant, credentials: { key, secret } }, asked, signals)
      poll = { ...poll, ...found }
    } catch (error) {
      const isOfStore = error instanceof StoreError && !(error instanceof UnreadableRecordError)
      if (ending.aborted || isOfStore) throw error
      poll = { ...poll, error }
    }
    const { account, error } = poll
    if (account) {
      const failed = error instanceof TelephonyError ? error.outcome : 'failed'
      metrics.count('alert_looks_total', { outcome: error === undefined ? 'ok' : failed })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, at - tick))
    }
    if (error !== undefined) {
      const isForeseen = error instanceof ReadingCutError || describeFailure(error).kind !== 'error'
      log[isForeseen ? 'info' : 'error'](
        isForeseen ? { cause: String(error), tenant } : { err: error, tenant },
        'an account could not be polled',
      )
    }
    return { ...poll, tookMs: performance.now() - start }
  }

  /**
   * Changes the account's row; one that is malformed is made anew.
   * @returns what is there, or `undefined` where the account was disconnected, or replaced, while it was polled
   */
  async function keep(
    { tenant, watch }: Watched,
    { account }: Poll,
    change: (watch: WatchRecord) => WatchRecord,
  ): Promise<WatchRecord | undefined> {
    const isReplaced = async () =>
      account !== undefined && (await store.credentials.get(tenant))?.connectedAt !== account.connectedAt
    const changed = await store.watches.change(tenant, WATCH_ID, async (current) =>
      (await isReplaced()) ? undefined : change(current),
    )
    if (changed || (await isReplaced()) || !(await store.credentials.has(tenant))) return changed
    const anew = change(watch)
    await store.watches.set(tenant, WATCH_ID, anew)
    return anew
  }

  async function deliverAll(alerts: readonly AlertRecord[], watch: WatchRecord): Promise<void> {
    for (const alert of alerts) {
      const state = watch.alerts[alert.id]
      if (!state?.pending && !state?.below && !state?.trouble) continue
      await deliver(alert, state).catch((error: unknown) => {
        log.error(
          { err: error, tenant: tenantKey(alert.tenant), alert: alert.id },
          'an alert was not delivered',
        )
      })
    }
  }

  async function runShard(job: ShardJob, at: EpochMs, ending: AbortSignal): Promise<void> {
    const { shard, at: tick } = job
    const accounts = await accountsOf(job, at)
    if (accounts.length === 0) return
    await planned.enqueueShard(shard, tick)
    const own = accounts.filter(({ tenant }) => !inTurn.has(tenant))
    for (const { tenant } of own) inTurn.add(tenant)
    let arePolled = own.length === accounts.length
    try {
      await pollAll(own, { at, tick, ending }, (tenant, isDone) => {
        inTurn.delete(tenant)
        arePolled &&= isDone
      })
    } finally {
      for (const { tenant } of own) inTurn.delete(tenant)
    }
    if (arePolled) await store.setShardPolledAt(shard, at)
  }

  /** @throws {StoreError}, and the signal's reason */
  return async function run({ data: job }: Job<PollJob>, ending: AbortSignal): Promise<void> {
    const at = now()
    if ('shard' in job) return runShard(job, at, ending)
    await pollAll(await accountsOf(job, at), { at, ending }, () => {})
  }
}
