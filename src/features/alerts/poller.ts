import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Job, QueueWork } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import * as records from '../../store/alerts.ts'
import { SHARDS } from '../../store/engine/rows.ts'
import { type TenantKey, tenantKey, workspaceSchema } from '../../store/tenant.ts'
import { ReadLimitError } from '../../telephony/types.ts'
import { mapConcurrent } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { AccountPolls, type PolledAccount, type Turn } from './account-polls.ts'
import { isUpcoming } from './failing.ts'

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
  const earlierTicks = Math.floor((after - phase) / intervalMs) + 1
  return earlierTicks * intervalMs + phase
}

/**
 * Enqueues the next run, whose id lets it be enqueued only once.
 * @param tick when the current run was due: a database whose clock is ahead starts it early
 */
export function enqueueShard(
  { jobs, config, now }: Pick<Services, 'jobs' | 'config' | 'now'>,
  shard: number,
  tick = 0,
): Promise<void> {
  const at = getNextTick(shard, config.alertEveryMs, Math.max(now(), tick))
  return jobs.enqueue(shardQueue, `${shard}/${at}`, { shard, at }, new Date(at))
}

/** Polls accounts with alerts. A failure or a wait in one account affects no other one. */
export class Poller {
  readonly #services
  readonly #polls
  readonly #deliverAlert
  readonly #budgets

  /** @param deliverAlert returns whether the next poll has to continue */
  constructor(
    services: Services,
    deliverAlert: (alert: records.AlertRecord) => Promise<boolean>,
    budgets = DEFAULT_BUDGETS,
  ) {
    this.#services = services
    this.#polls = new AccountPolls(services)
    this.#deliverAlert = deliverAlert
    this.#budgets = budgets
  }

  jobs(): readonly QueueWork<object>[] {
    const shards = {
      queue: shardQueue,
      concurrency: SHARDS_AT_A_TIME,
      handle: (job: ShardJob, ending: AbortSignal) => this.runShard(job, ending),
    }
    const slowAccounts = {
      queue: slowQueue,
      concurrency: SLOW_ACCOUNTS_AT_A_TIME,
      handle: (job: SlowJob, ending: AbortSignal) => this.runSlow(job, ending),
    }
    return [shards, slowAccounts]
  }

  async keepJobsEnqueued(stopping: AbortSignal): Promise<void> {
    const waitMs = this.#services.enqueueShardsEveryMs
    while (!stopping.aborted) {
      await this.restoreJobs()
      // Rejects once the process stops, which ends the loop.
      await sleep(waitMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  async restoreJobs(): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const alerts = await this.#services.store.alerts.inShard(shard)
      if (alerts.length > 0) await enqueueShard(this.#services, shard)
    }
  }

  async runShard({ data }: ShardJob, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const { shard, at: tick } = data
    const [alerts, polls] = await Promise.all([store.alerts.inShard(shard), store.polls.inShard(shard)])
    if (alerts.length === 0) return
    const turn = { at: now(), tick, budgetMs: this.#budgets.shardMs, isInShard: true, ending }
    const accounts = toAccounts(alerts, polls, turn.at)
    await mapConcurrent(accounts, POLLS_AT_A_TIME, (account) => this.#runInShard(account, turn))
    ending.throwIfAborted()
    await enqueueShard(this.#services, shard, tick)
  }

  /** Leaves an account that needs longer to the queue for slow accounts. */
  async #runInShard(account: PolledAccount, turn: Turn): Promise<void> {
    const { store, jobs, now } = this.#services
    const { isSlow = false, workspace } = account.poll
    if (!isSlow) {
      const isDone = await this.#tryTurn(account, turn)
      if (isDone || turn.ending.aborted) return
      // Flagged first, so that only the slow job polls the account.
      await store.polls.change(account.tenant, records.POLL_ID, (poll) => ({ ...poll, isSlow: true }))
    }
    // Each run of the shard enqueues the slow job, which restores a missing one.
    await jobs.enqueue(slowQueue, account.tenant, { workspace }, new Date(now()))
  }

  /** Afterwards, the shard polls the account again, unless that would take longer than the shard allows. */
  async runSlow({ data }: SlowJob, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const tenant = tenantKey(data.workspace)
    const [alerts, polls] = await Promise.all([store.alerts.all(tenant), store.polls.all(tenant)])
    const at = now()
    const turn = { at, tick: at, budgetMs: this.#budgets.slowMs, isInShard: false, ending }
    const startedAt = performance.now()
    for (const account of toAccounts(alerts, polls, at)) await this.#tryTurn(account, turn)
    ending.throwIfAborted()
    if (performance.now() - startedAt > this.#budgets.shardMs) return
    await store.polls.change(tenant, records.POLL_ID, (poll) => ({ ...poll, isSlow: undefined }))
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
    let { pending } = account.poll
    if (!isUpcoming(account.poll.failing?.retryAt, turn.at)) {
      const result = await this.#polls.request(account, turn)
      if (turn.isInShard && result.error instanceof ReadLimitError) return false
      const poll = await this.#polls.store(account, result)
      if (!poll) return true
      pending = poll.pending
    }
    const deliveredIds = new Set<string>()
    for (const alert of account.alerts) {
      if (!pending.includes(alert.id)) continue
      if (performance.now() > deadline || turn.ending.aborted) return false
      const mustContinue = await this.#deliver(alert)
      if (!mustContinue) deliveredIds.add(alert.id)
      // Lets other work run between alerts.
      await nextTurn()
    }
    await this.#endPending(account.tenant, deliveredIds)
    return true
  }

  async #endPending(tenant: TenantKey, deliveredIds: ReadonlySet<string>): Promise<void> {
    if (deliveredIds.size === 0) return
    await this.#services.store.polls.change(tenant, records.POLL_ID, (poll) => ({
      ...poll,
      pending: poll.pending.filter((id) => !deliveredIds.has(id)),
    }))
  }

  /** @returns whether the next poll has to continue */
  async #deliver(alert: records.AlertRecord): Promise<boolean> {
    try {
      return await this.#deliverAlert(alert)
    } catch (error) {
      const context = { err: error, tenant: tenantKey(alert.workspace), alert: alert.id }
      this.#services.log.error(context, 'alert delivery failed')
      return true
    }
  }
}

function toAccounts(
  alerts: readonly records.AlertRecord[],
  polls: readonly records.PollRecord[],
  now: EpochMs,
): readonly PolledAccount[] {
  const pollByTenant = new Map(polls.map((poll) => [tenantKey(poll.workspace), poll]))
  const active = alerts.filter((alert) => !records.isMuted(alert, now))
  const accounts: PolledAccount[] = []
  for (const [tenant, tenantAlerts] of Map.groupBy(active, ({ workspace }) => tenantKey(workspace))) {
    const poll = pollByTenant.get(tenant) ?? createPoll(tenantAlerts)
    if (poll) accounts.push({ tenant, alerts: tenantAlerts, poll })
  }
  return accounts
}

/** Replaces a missing or unreadable row. Earlier calls are found again, but conversations show none of them twice. */
function createPoll(alerts: readonly records.AlertRecord[]): records.PollRecord | undefined {
  const [first] = alerts
  if (!first) return undefined
  const since = Math.min(...alerts.map((alert) => alert.since))
  return { workspace: first.workspace, since, pending: alerts.map(({ id }) => id) }
}
