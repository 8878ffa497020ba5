import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Job, QueueWork } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import * as records from '../../store/alerts.ts'
import { SHARDS } from '../../store/engine/rows.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import { mapConcurrent } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { AccountPolls, type PolledAccount, type Turn } from './account-polls.ts'
import { isUpcoming } from './failing.ts'

const SHARDS_AT_A_TIME = 8
/** A poll mostly waits for the service. */
const POLLS_AT_A_TIME = 25
/** An account gets this to be read, and again for its posts. Enough for 180 pages of half a second, three at a time. */
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

/** Enqueues the next run, once. @param dueAt of the current run, which a database's clock may have started early */
export function enqueueShard({ jobs, config, now }: Services, shard: number, dueAt = 0): Promise<void> {
  const at = getNextTick(shard, config.alertEveryMs, Math.max(now(), dueAt))
  return jobs.enqueue(shardQueue, `${shard}/${at}`, { shard, at }, new Date(at))
}

/** Polls accounts with alerts. Each account has a time limit, and a failure in one account affects no other one. */
export class Poller {
  readonly #services
  readonly #polls
  readonly #deliverAlert
  readonly #budgetMs

  constructor(
    services: Services,
    deliverAlert: (alert: records.AlertRecord) => Promise<void>,
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
      const alerts = await this.#services.store.alerts.listShard(shard)
      if (alerts.length > 0) await enqueueShard(this.#services, shard)
    }
  }

  async runShard({ data }: ShardJob, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const { shard, at: dueAt } = data
    const [alerts, polls] = await Promise.all([store.alerts.listShard(shard), store.polls.listShard(shard)])
    if (alerts.length === 0) return
    const turn = { startedAt: now(), dueAt, ending }
    const pollByTenant = new Map(polls.map((poll) => [tenantKey(poll.workspace), poll]))
    const accounts = Map.groupBy(alerts, ({ workspace }) => tenantKey(workspace))
    await mapConcurrent([...accounts], POLLS_AT_A_TIME, ([tenant, accountAlerts]) =>
      this.#tryPoll(tenant, accountAlerts, pollByTenant.get(tenant), turn),
    )
    ending.throwIfAborted()
    await enqueueShard(this.#services, shard, dueAt)
  }

  async #tryPoll(
    tenant: TenantKey,
    alerts: readonly records.AlertRecord[],
    stored: records.PollRecord | undefined,
    turn: Turn,
  ): Promise<void> {
    const { ending, startedAt } = turn
    const unmuted = alerts.find((alert) => !records.isMuted(alert, startedAt))
    if (ending.aborted || !unmuted) return
    try {
      const poll = stored ?? (await this.#createPoll(tenant, unmuted.workspace, alerts))
      await this.#pollAndDeliver({ tenant, alerts, poll }, turn)
    } catch (error) {
      if (!ending.aborted) this.#services.log.error({ err: error, tenant }, 'account poll failed')
    }
  }

  /** Replaces a missing or unreadable row. Earlier calls are found again, but no conversation shows them twice. */
  async #createPoll(tenant: TenantKey, workspace: Workspace, alerts: readonly records.AlertRecord[]) {
    const poll: records.PollRecord = { workspace, since: Math.min(...alerts.map(({ since }) => since)) }
    await this.#services.store.polls.set(tenant, records.POLL_ID, poll)
    return poll
  }

  async #pollAndDeliver(account: PolledAccount, turn: Turn): Promise<void> {
    const { tenant } = account
    const mustWait = isUpcoming(account.poll.failing?.retryAt, turn.startedAt)
    const alerts = mustWait ? account.alerts : await this.#polls.run(account, turn, this.#budgetMs)
    // Posts what was found even if finding it took all the time for reading.
    const postUntil = performance.now() + this.#budgetMs
    for (const alert of alerts) {
      if (performance.now() >= postUntil || turn.ending.aborted) return
      if (records.isMuted(alert, turn.startedAt) || !records.isPending(alert)) continue
      // A failure of one alert affects no other one.
      await this.#deliverAlert(alert).catch((error: unknown) => {
        this.#services.log.error({ err: error, tenant, alert: alert.id }, 'alert delivery failed')
      })
      // Lets other work run between alerts.
      await nextTurn()
    }
  }
}
