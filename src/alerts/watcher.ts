import { z } from 'zod'
import { type Again, type Job, UselessJobError } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { NotConnectedError } from '../slack/access/errors.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import type { AlertRecord, AlertTrouble, WatchRecord } from '../store/alerts.ts'
import { UndecryptableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type TenantKey, tenantKey, tenantRecord } from '../store/tenant.ts'
import type { CredentialsRecord } from '../store/workspaces.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching } from './alert-state.ts'
import type { Alerts } from './alerts.ts'
import type { AlertDispatcher, Dispatched } from './dispatcher.ts'
import { type Look, lookAt } from './look.ts'
import { longestPaceMs, nextLook, turnAfter } from './pace.ts'
import { LookRanges } from './ranges.ts'
import { SeenDays } from './seen-days.ts'
import { afterFailure, retryAfterOf } from './watch-trouble.ts'
import { changedLists, orUndecryptable, type WatchedAccount, watchedAccount } from './watched-account.ts'

const watchJob = z.object({ tenant: tenantRecord, run: z.string() })

/** That the service answered is kept so often, as long as nothing else is. */
const keepLookEveryMs: Milliseconds = 5 * 60_000

/** An account at the beginning of a look. */
interface Turn {
  readonly tenant: TenantKey
  readonly at: EpochMs
  readonly run: string
  readonly watch: WatchRecord
  readonly alerts: readonly AlertRecord[]
}

/** Runs the job that watches an account: one look, and when the next one is. */
export class Watcher {
  readonly #services
  readonly #ranges = new LookRanges()

  constructor(services: {
    store: Store
    alerts: Alerts
    dispatcher: AlertDispatcher
    /** Tells those whose alerts these are, once. */
    tellOwners: (alerts: readonly AlertRecord[], trouble: AlertTrouble) => Promise<void>
    telephony: TelephonyClient
    workspaces: Workspaces
    metrics: Pick<Metrics, 'alerts'>
    everyMs: Milliseconds
    log: Pick<Log, 'info'>
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /** Where its job was given up, after a while. @throws {StoreError} */
  async beginAnew({ data }: Job): Promise<void> {
    const { alerts, now } = this.#services
    const job = watchJob.safeParse(data)
    if (job.success) await alerts.watchAgain(tenantKey(job.data.tenant), now() + longestPaceMs)
  }

  /** @throws {UselessJobError | StoreError}, and the signal's reason */
  async run({ data }: Job, ending: AbortSignal): Promise<Again | undefined> {
    const { store, alerts: allAlerts, workspaces, now } = this.#services
    const job = watchJob.safeParse(data)
    if (!job.success) throw new UselessJobError('the job that watches is malformed', { cause: job.error })
    const { tenant: team, run } = job.data
    const tenant = tenantKey(team)
    const at = now()
    // At once: over PostgreSQL that is one query.
    const [watch, credentials, { zone }] = await Promise.all([
      store.watches.get(tenant),
      orUndecryptable(store.credentials.get(tenant)),
      workspaces.zone(tenant, ''),
    ])
    if (watch?.run !== run) {
      if (watch?.run !== undefined) await allAlerts.enqueueWatch(team, watch.run)
      return undefined
    }
    const alerts = (await allAlerts.ofVersion(tenant, watch.version)).filter(isWatching)
    const turn: Turn = { tenant, at, run, watch, alerts }
    if (alerts.length === 0) return this.#end(turn)
    if (credentials === undefined) {
      await this.#noteFailure(turn, new NotConnectedError('the workspace is not connected'))
      return this.#end(turn)
    }
    if (credentials instanceof UndecryptableError) {
      await this.#noteFailure(turn, credentials)
      return { again: new Date(at + longestPaceMs) }
    }
    const account = watchedAccount(tenant, credentials, watch, allAlerts.lookedAt(tenant, watch))
    const start = performance.now()
    const look = await this.#look(turn, account, credentials, zone, ending)
    const tookMs = performance.now() - start
    const told = await this.#tell(turn, look, account)
    if (told === 'deleted') return undefined
    const { noteSeen, ...next } = told
    const changes = { ...account.changes, ...changedLists(account, look), ...next }
    const noted = look.error
      ? await this.#noteFailure(turn, look.error, changes)
      : await this.#noteSuccess(turn, changes)
    // Last: whoever is killed before leaves it known when there is something to tell.
    await noteSeen?.()
    return this.#again(turn, look, { tookMs, watch: noted })
  }

  #look(
    { tenant, at, alerts }: Turn,
    { id: accountId, since, lookedAt, lists }: WatchedAccount,
    { key, secret }: CredentialsRecord,
    zone: Zone,
    ending: AbortSignal,
  ): Promise<Look> {
    const { store, telephony } = this.#services
    const earliest = Math.max(since, Math.min(...alerts.map((alert) => alert.since)))
    const range = this.#ranges.of(zone, at, { lookedAt, since: earliest })
    let days: Promise<SeenDays> | undefined
    const seenDays = () => {
      days ??= SeenDays.read(store, tenant, at)
      return days
    }
    const account = { tenant, credentials: { key, secret } }
    return lookAt(telephony, account, { alerts, range, accountId, lists, days: seenDays }, ending)
  }

  /** What is new, and what waited for its time. */
  async #tell(
    { tenant, at, watch }: Turn,
    look: Look,
    { id: accountId, since, lookedAt }: WatchedAccount,
  ): Promise<Partial<Dispatched> | 'deleted'> {
    const isDue = watch.due !== undefined && watch.due <= at
    const hasNews = look.news.values().some(({ calls }) => calls.length > 0)
    if (!isDue && !hasNews) return {}
    return this.#services.dispatcher.dispatch({ tenant, look, accountId, since, lookedAt })
  }

  /** @returns what is noted by now */
  async #noteSuccess(turn: Turn, changes: Partial<WatchRecord>): Promise<WatchRecord> {
    const { tenant, at, watch } = turn
    this.#services.alerts.noteLook(tenant, at)
    const isDue = at - (watch.lookedAt ?? 0) >= keepLookEveryMs
    const isAsBefore = Object.keys(changes).length === 0 && !watch.failing && !watch.trouble
    if (isAsBefore && !isDue) return watch
    return this.#note(turn, { ...watch, ...changes, failing: undefined, trouble: undefined, lookedAt: at })
  }

  async #noteFailure(turn: Turn, error: unknown, own: Partial<WatchRecord> = {}): Promise<WatchRecord> {
    const { alerts: allAlerts, tellOwners, log } = this.#services
    const { tenant, at: failedAt, watch, alerts } = turn
    const cause = error instanceof Error ? error.message : 'unknown'
    log.info({ cause }, 'missed calls could not be looked for')
    const failure = afterFailure(watch, error, { failedAt, lookedAt: allAlerts.lookedAt(tenant, watch) })
    const noted = await this.#note(turn, { ...watch, ...own, ...failure })
    const { trouble } = failure
    if (!trouble || trouble.isTold) return noted
    await tellOwners(alerts, trouble)
    return this.#note(turn, { ...noted, trouble: { ...trouble, isTold: true } })
  }

  /** Unless another job watches by now, which knows better. */
  async #note({ tenant, run }: Turn, next: WatchRecord): Promise<WatchRecord> {
    await this.#services.store.watches.change(tenant, ({ run: current, version }) =>
      current === run ? { ...next, run, version } : undefined,
    )
    return next
  }

  async #end({ tenant, run }: Turn): Promise<undefined> {
    await this.#services.store.watches.change(tenant, (watch) =>
      watch.run === run ? { ...watch, run: undefined } : undefined,
    )
    return undefined
  }

  #again(
    { tenant, at }: Turn,
    { error }: Look,
    { tookMs, watch }: { tookMs: Milliseconds; watch: WatchRecord },
  ): Again {
    const { everyMs, metrics, now } = this.#services
    const lateMs = everyMs - (turnAfter(tenant, everyMs, at) - at)
    metrics.alerts.look(error?.outcome ?? 'ok', lateMs)
    const { failing, isIdle = false, due = Number.POSITIVE_INFINITY } = watch
    const retryAfterMs = retryAfterOf(error)
    const course = { tookMs, failures: error ? (failing?.count ?? 1) : 0, retryAfterMs, isIdle }
    const next = nextLook(tenant, everyMs, course, now())
    return { again: new Date(Math.min(next, Math.max(due, now() + 1000))) }
  }
}
