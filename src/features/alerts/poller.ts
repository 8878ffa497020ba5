import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { NotConnectedError } from '../../slack/access/workspaces.ts'
import { conversationText } from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import {
  type AlertRecord,
  changeOrCreate,
  changeState,
  isMuted,
  type MissedCall,
  POLL_ID,
  type PollRecord,
} from '../../store/alerts.ts'
import { SHARDS } from '../../store/engine/rows.ts'
import { StoreError, UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import { type TenantKey, tenantKey, workspaceSchema } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { ReadLimitError, TelephonyError } from '../../telephony/types.ts'
import { recentLabel } from '../../time/zones.ts'
import { mapConcurrent } from '../../util/promises.ts'
import { joinNames } from '../../util/text.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { AlertDelivery } from './delivery.ts'
import { isUpcoming, notifyOnce, toNotice } from './failing.ts'
import { applyPoll, getReadUntil, newPoll, type PollResult, resetIfAccountChanged } from './poll-record.ts'
import { readMissedCalls, toPollRange } from './reading.ts'
import { addFound } from './waiting.ts'

const SHARDS_AT_A_TIME = 8
const SLOW_ACCOUNTS_AT_A_TIME = 25
/** A poll mostly waits for the service. */
const POLLS_AT_A_TIME = 25
const DEFAULT_BUDGETS = {
  /** An account that needs longer continues in the queue for slow accounts. */
  shardMs: 5000,
  /** Enough for about 180 pages of 6 s, three at a time. */
  slowMs: 6 * 60_000,
}

const shardQueue = {
  name: 'alert-polls',
  schema: z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() }),
}
type ShardJob = Job<z.infer<typeof shardQueue.schema>>

const slowQueue = { name: 'slow-alert-polls', schema: z.object({ workspace: workspaceSchema }) }
type SlowJob = Job<z.infer<typeof slowQueue.schema>>

/** Spreads the ticks of all shards over the interval. */
export function getNextTick(shard: number, intervalMs: Milliseconds, after: EpochMs): EpochMs {
  const phase = Math.floor((shard * intervalMs) / SHARDS)
  return (Math.floor((after - phase) / intervalMs) + 1) * intervalMs + phase
}

/** Enqueues the next run only once. @param tick of the current run; in the future if the database's clock is ahead */
export function enqueueShard(
  { jobs, config, now }: Pick<Services, 'jobs' | 'config' | 'now'>,
  shard: number,
  tick = 0,
): Promise<void> {
  const isEarly = tick > now() && tick <= now() + config.alertEveryMs
  const at = getNextTick(shard, config.alertEveryMs, isEarly ? tick : now())
  return jobs.enqueue(shardQueue, `${shard}/${at}`, { shard, at }, new Date(at))
}

interface PolledAccount {
  readonly tenant: TenantKey
  /** Only alerts that aren't muted. */
  readonly alerts: readonly AlertRecord[]
  readonly poll: PollRecord
}

interface Turn {
  readonly at: EpochMs
  /** When it was due. */
  readonly tick: EpochMs
  readonly budgetMs: Milliseconds
  readonly ending: AbortSignal
}

type Polled = PollResult & { readonly connectedAt: EpochMs | undefined }

/** Polls accounts with alerts. A failure or a wait in one account affects no other one. */
export class Poller {
  readonly #services
  readonly #delivery
  readonly #budgets

  constructor(services: Services, delivery: Pick<AlertDelivery, 'deliver'>, budgets = DEFAULT_BUDGETS) {
    this.#services = services
    this.#delivery = delivery
    this.#budgets = budgets
  }

  work(): Pick<FeatureRoutes, 'jobs' | 'background'> {
    return {
      jobs: [
        {
          queue: shardQueue,
          concurrency: SHARDS_AT_A_TIME,
          handle: (job: ShardJob, ending) => this.runShard(job, ending),
        },
        {
          queue: slowQueue,
          concurrency: SLOW_ACCOUNTS_AT_A_TIME,
          handle: (job: SlowJob, ending) => this.runSlow(job, ending),
        },
      ],
      background: [(stopping) => this.#keepJobsEnqueued(stopping)],
    }
  }

  async #keepJobsEnqueued(stopping: AbortSignal): Promise<void> {
    const wait = this.#services.enqueueShardsEveryMs
    while (!stopping.aborted) {
      await this.restoreJobs()
      await sleep(wait, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  async restoreJobs(): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const alerts = await this.#services.store.alerts.inShard(shard)
      if (alerts.length > 0) await enqueueShard(this.#services, shard)
    }
  }

  async runShard({ data: { shard, at: tick } }: ShardJob, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const [alerts, polls] = await Promise.all([store.alerts.inShard(shard), store.polls.inShard(shard)])
    if (alerts.length === 0) return
    const turn = { at: now(), tick, budgetMs: this.#budgets.shardMs, ending }
    const accounts = toAccounts(alerts, polls, turn.at)
    await mapConcurrent(accounts, POLLS_AT_A_TIME, (account) => this.#runInShard(account, turn))
    ending.throwIfAborted()
    await enqueueShard(this.#services, shard, tick)
  }

  /** Leaves an account that needs longer to the queue for slow accounts, and restores its missing job each time. */
  async #runInShard(account: PolledAccount, turn: Turn): Promise<void> {
    const { jobs, now } = this.#services
    const { isSlow = false, workspace } = account.poll
    if (!isSlow) {
      const isDone = await this.#tryTurn(account, turn)
      if (isDone || turn.ending.aborted) return
      // Flagged first, so that only the slow job polls the account.
      await this.#setSlow(account.tenant, true)
    }
    await jobs.enqueue(slowQueue, account.tenant, { workspace }, new Date(now()))
  }

  async runSlow({ data }: SlowJob, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const { shardMs, slowMs: budgetMs } = this.#budgets
    const tenant = tenantKey(data.workspace)
    const [alerts, polls] = await Promise.all([store.alerts.all(tenant), store.polls.all(tenant)])
    const at = now()
    for (const account of toAccounts(alerts, polls, at)) {
      const started = performance.now()
      await this.#tryTurn(account, { at, tick: at, budgetMs, ending })
      ending.throwIfAborted()
      if (performance.now() - started < shardMs) await this.#setSlow(tenant, false)
    }
  }

  async #setSlow(tenant: TenantKey, isSlow: boolean): Promise<void> {
    await this.#services.store.polls.change(tenant, POLL_ID, ({ isSlow: _, ...poll }) =>
      isSlow ? { ...poll, isSlow } : poll,
    )
  }

  /** @returns false if the account needs more time than its budget */
  async #tryTurn(account: PolledAccount, turn: Turn): Promise<boolean> {
    if (turn.ending.aborted) return false
    try {
      return await this.#runTurn(account, turn)
    } catch (error) {
      const { tenant } = account
      if (!turn.ending.aborted) this.#services.log.error({ err: error, tenant }, 'account poll failed')
      return true
    }
  }

  async #runTurn(account: PolledAccount, turn: Turn): Promise<boolean> {
    const deadline = performance.now() + turn.budgetMs
    let poll: PollRecord | undefined = account.poll
    if (!isUpcoming(poll.failing?.retryAt, turn.at)) {
      const result = await this.#poll(account, turn)
      const isInShard = turn.budgetMs === this.#budgets.shardMs
      if (isInShard && result.error instanceof ReadLimitError) return false
      poll = await this.#store(account, result)
    }
    if (!poll) return true
    const ended = new Set<string>()
    for (const alert of account.alerts) {
      if (!poll.pending.includes(alert.id)) continue
      if (performance.now() > deadline || turn.ending.aborted) return false
      if (!(await this.#deliver(alert))) ended.add(alert.id)
      await nextTurn()
    }
    if (ended.size === 0) return true
    await this.#services.store.polls.change(account.tenant, POLL_ID, (latest) => ({
      ...latest,
      pending: latest.pending.filter((id) => !ended.has(id)),
    }))
    return true
  }

  /** @returns whether the next poll has to continue */
  async #deliver({ workspace, id }: AlertRecord): Promise<boolean> {
    try {
      return await this.#delivery.deliver({ workspace, id })
    } catch (error) {
      const context = { err: error, tenant: tenantKey(workspace), alert: id }
      this.#services.log.error(context, 'alert delivery failed')
      return true
    }
  }

  /** Returns errors as part of the result, because they are stored with the account. @throws {StoreError} */
  async #poll(account: PolledAccount, { at, tick, budgetMs, ending }: Turn): Promise<Polled> {
    const { store, metrics } = this.#services
    const budget = AbortSignal.timeout(budgetMs)
    const signal = AbortSignal.any([ending, budget])
    let credentials: CredentialsRecord | undefined
    let reading: PollResult['reading']
    let error: unknown
    try {
      credentials = await store.credentials.get(account.tenant)
      if (!credentials) throw new NotConnectedError('the workspace is not connected')
      reading = await this.#read(account, credentials, at, signal)
      error = reading?.error
    } catch (thrown) {
      if (thrown instanceof StoreError && !(thrown instanceof UnreadableRecordError)) throw thrown
      error = thrown
    }
    ending.throwIfAborted()
    if (budget.aborted && error !== undefined) error = new ReadLimitError('time')
    if (credentials) {
      const failed = error instanceof TelephonyError ? error.outcome : 'failed'
      metrics.count('alert_looks_total', { outcome: error === undefined ? 'ok' : failed })
      metrics.time('alert_look_delay_seconds', {}, Math.max(0, at - tick))
    }
    if (error !== undefined) this.#logFailure(account.tenant, error)
    return { at, reading, error, connectedAt: credentials?.connectedAt }
  }

  async #read(
    { tenant, poll }: PolledAccount,
    credentials: CredentialsRecord,
    at: EpochMs,
    signal: AbortSignal,
  ): Promise<PollResult['reading']> {
    const { workspaces, telephony } = this.#services
    const { key, secret } = credentials
    const known = resetIfAccountChanged(poll, tenant, credentials)
    const { zone } = await workspaces.zone(tenant, '')
    const range = toPollRange(zone, at, getReadUntil(known))
    const account = { tenant, credentials: { key, secret } }
    return readMissedCalls(telephony, account, { range, before: known.list }, signal)
  }

  #logFailure(tenant: TenantKey, error: unknown): void {
    const { log } = this.#services
    const isExpected = error instanceof ReadLimitError || describeFailure(error).kind !== 'error'
    if (isExpected) log.info({ cause: String(error), tenant }, 'account could not be polled')
    else log.error({ err: error, tenant }, 'account could not be polled')
  }

  /** @returns undefined if the account was disconnected or replaced since it was polled */
  async #store(
    { tenant, poll: before }: PolledAccount,
    { connectedAt, ...result }: Polled,
  ): Promise<PollRecord | undefined> {
    const { store, now } = this.#services
    if (!result.reading && result.error === undefined && !before.failing) return before
    // People may have changed or muted alerts meanwhile.
    const alerts = await store.alerts.all(tenant)
    if (alerts.length === 0) return undefined
    return changeOrCreate(store.polls, tenant, POLL_ID, before, async (latest) => {
      const credentials = await whereReadable(store.credentials.get(tenant))
      if (credentials?.connectedAt !== connectedAt) return undefined
      const known = credentials ? resetIfAccountChanged(latest, tenant, credentials) : latest
      const { poll, calls } = applyPoll(known, result, now())
      // The states first: calls whose ids aren't stored are found again.
      const added = await this.#addToStates(alerts, calls)
      const ids = alerts.map(({ id }) => id)
      const pending = ids.filter((id) => added.has(id) || poll.pending.includes(id))
      return this.#tellOwners(alerts, { ...poll, pending })
    })
  }

  /** @returns the ids of alerts that have something to do */
  async #addToStates(
    alerts: readonly AlertRecord[],
    calls: readonly MissedCall[],
  ): Promise<ReadonlySet<string>> {
    const { store, now } = this.#services
    const changedIds = new Set<string>()
    if (calls.length === 0) return changedIds
    for (const alert of alerts) {
      const changed = await changeState(store.alertStates, alert, (state) => {
        const added = addFound(state, calls, { alert, now: now() })
        return added === state ? undefined : added
      })
      if (changed) changedIds.add(alert.id)
      await nextTurn()
    }
    return changedIds
  }

  async #tellOwners(alerts: readonly AlertRecord[], poll: PollRecord): Promise<PollRecord> {
    const { notices, workspaces, now } = this.#services
    const { workspace, failing } = poll
    const active = alerts.filter((alert) => !isMuted(alert, now()))
    if (!failing || active.length === 0) return poll
    const tenant = tenantKey(workspace)
    const told = await notifyOnce(failing, now(), async (id) => {
      const { zone } = await workspaces.zone(tenant, '')
      const since = recentLabel(zone, new Date(failing.since), new Date(now()))
      const channels = [...new Set(active.map(({ channel }) => channel))]
      const places = joinNames(channels.map(conversationText))
      const text = `Missed calls haven't been checked since ${since}, so alerts in ${places} are on hold.`
      const owners = active.map(({ owner }) => owner)
      const noticeId = `alerts${tenant}/${id}`
      await notices.notify(workspace, owners, noticeId, toNotice(text, failing), channels[0])
    })
    return { ...poll, failing: told }
  }
}

function toAccounts(
  alerts: readonly AlertRecord[],
  polls: readonly PollRecord[],
  now: EpochMs,
): readonly PolledAccount[] {
  const byTenant = new Map(polls.map((poll) => [tenantKey(poll.workspace), poll]))
  const active = alerts.filter((alert) => !isMuted(alert, now))
  const accounts: PolledAccount[] = []
  for (const [tenant, own] of Map.groupBy(active, ({ workspace }) => tenantKey(workspace))) {
    const workspace = own[0]?.workspace
    if (workspace)
      accounts.push({ tenant, alerts: own, poll: byTenant.get(tenant) ?? newPoll(own, workspace) })
  }
  return accounts
}
