import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Job, QueueWork } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import * as records from '../../store/alerts.ts'
import { SHARDS } from '../../store/engine/rows.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { mapConcurrent } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { AccountPolls, type PolledAccount, type Turn } from './account-polls.ts'
import { isUpcoming } from './failing.ts'

const SHARDS_AT_A_TIME = 8
/** A poll mostly waits for the service. */
const POLLS_AT_A_TIME = 25
/** Enough for about 180 pages that take half a second, three at a time. */
const POLL_BUDGET_MS: Milliseconds = 30_000

const shardQueue = {
  name: 'alert-polls',
  schema: z.object({ shard: z.int().min(0).lt(SHARDS), at: z.number() }),
}
type ShardJob = Job<z.infer<typeof shardQueue.schema>>

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

/** Polls accounts with alerts. A failure in one account affects no other one, and a wait ends with the account's budget. */
export class Poller {
  readonly #services
  readonly #polls
  readonly #deliverAlert
  readonly #budgetMs

  /** @param deliverAlert returns whether the next poll has to continue */
  constructor(
    services: Services,
    deliverAlert: (alert: records.AlertRecord) => Promise<boolean>,
    budgetMs = POLL_BUDGET_MS,
  ) {
    this.#services = services
    this.#polls = new AccountPolls(services)
    this.#deliverAlert = deliverAlert
    this.#budgetMs = budgetMs
  }

  work(): QueueWork<ShardJob['data']> {
    return {
      queue: shardQueue,
      concurrency: SHARDS_AT_A_TIME,
      handle: (job, ending) => this.runShard(job, ending),
    }
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
    const turn = { at: now(), tick, ending }
    const accounts = toAccounts(alerts, polls, turn.at)
    await mapConcurrent(accounts, POLLS_AT_A_TIME, (account) => this.#tryPoll(account, turn))
    ending.throwIfAborted()
    await enqueueShard(this.#services, shard, tick)
  }

  async #tryPoll(account: PolledAccount, turn: Turn): Promise<void> {
    const { ending } = turn
    if (ending.aborted) return
    try {
      await this.#poll(account, turn)
    } catch (error) {
      const { tenant } = account
      if (!ending.aborted) this.#services.log.error({ err: error, tenant }, 'account poll failed')
    }
  }

  async #poll({ tenant, alerts, poll }: PolledAccount, turn: Turn): Promise<void> {
    const budget = AbortSignal.timeout(this.#budgetMs)
    let { pending } = poll
    if (!isUpcoming(poll.failing?.retryAt, turn.at)) {
      const polled = await this.#polls.run({ tenant, alerts, poll }, turn, budget)
      if (!polled) return
      pending = polled.pending
    }
    const deliveredIds = new Set<string>()
    for (const alert of alerts) {
      if (!pending.includes(alert.id)) continue
      if (budget.aborted || turn.ending.aborted) break
      const mustContinue = await this.#deliver(alert)
      if (!mustContinue) deliveredIds.add(alert.id)
      // Lets other work run between alerts.
      await nextTurn()
    }
    await this.#endPending(tenant, deliveredIds)
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
