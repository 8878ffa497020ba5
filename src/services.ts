import { EventEmitter } from 'node:events'
import type { Config } from './config/config.ts'
import { InProcessJobs, type JobServices, type Jobs } from './jobs/jobs.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { Audit } from './slack/access/audit.ts'
import { type Actor, Guards, People } from './slack/access/guards.ts'
import { SingleInstallation, StoredInstallations, Workspaces } from './slack/access/workspaces.ts'
import { Channels } from './slack/api/channels.ts'
import { Files } from './slack/api/files.ts'
import {
  backgroundTimeoutMs,
  createFetch,
  createWebApi,
  interactiveTimeoutMs,
  ResponseUrls,
  TokenRefusedError,
} from './slack/api/web-api.ts'
import { Modals } from './slack/deliver/modals.ts'
import { Notices } from './slack/deliver/notices.ts'
import { Clicks, Delivery, Replies } from './slack/deliver/replies.ts'
import { Interactions } from './slack/routing/router.ts'
import { Store } from './store/store.ts'
import { AgentList, LineList } from './telephony/account-cache.ts'
import { TelephonyClient } from './telephony/client.ts'
import type { RequestOptions } from './telephony/requests.ts'
import { createDispatcher } from './util/send-request.ts'
import { type EpochMs, type Milliseconds, minuteMs } from './util/units.ts'

/** Time limits of scans that a person waits for. */
export interface ReadingTimes {
  /** A longer scan ends, and shows what it has. */
  readonly readForMs: Milliseconds
  /** A longer scan is announced. */
  readonly progressAfterMs: Milliseconds
}

/** Settings that don't come from the environment: the log, and intervals for tests and the demo. */
export interface Runtime {
  readonly log: Log
  readonly requestIds: RequestIds
  readonly now?: () => EpochMs
  /** Interval for finding due jobs. */
  readonly jobPollMs?: Milliseconds
  readonly readingTimes?: Partial<ReadingTimes>
  readonly slackTimes?: {
    /** Delay after which a placeholder is opened for a modal that isn't ready. */
    readonly openModalWithinMs?: Milliseconds
    /** First wait before Socket Mode reconnects. */
    readonly reconnectAfterMs?: Milliseconds
  }
  /** Interval at which an export checks whether it was cancelled. */
  readonly exportCheckMs?: Milliseconds
  /** Interval for enqueueing the jobs of alert shards again. */
  readonly enqueueShardsEveryMs?: Milliseconds
  /** Interval for finding due schedules. */
  readonly scheduleTickMs?: Milliseconds
  /** Time limit of a Slackbot tool. */
  readonly toolBudgetMs?: Milliseconds
  readonly service?: Pick<RequestOptions, 'timeoutMs' | 'backoffMs' | 'restMs'>
}

/** Opens the engine that fits the store. */
export async function openJobs(storeUrl: string, services: JobServices): Promise<Jobs> {
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs(services)
  // Loaded here, because SQLite does not need it.
  const { PgBossJobs } = await import('./jobs/pg-boss.ts')
  return new PgBossJobs(storeUrl, services)
}

/** Creates the objects that live as long as the process, from which features take what they need. */
export async function createServices(config: Config, runtime: Runtime) {
  const { log, requestIds, now = Date.now, toolBudgetMs = 50_000, exportCheckMs = 1000 } = runtime
  const { enqueueShardsEveryMs = 10 * minuteMs, scheduleTickMs = minuteMs } = runtime
  const metrics = await createMetrics(config.metricsToken, log)

  const store = new Store({ url: config.storeUrl, encryptionKeys: config.encryptionKeys, log })
  const jobs = await openJobs(config.storeUrl, { store, log, now, pollEveryMs: runtime.jobPollMs })

  const dispatcher = createDispatcher()
  const telephony = new TelephonyClient({ baseUrl: config.telephonyBaseUrl, dispatcher, ...runtime.service })
  telephony.on('request', (report) => {
    const { operation, outcome, ms } = report
    metrics.count('service_requests_total', { operation, outcome })
    metrics.time('service_request_seconds', { operation }, ms)
    log.debug(report, 'service')
  })
  telephony.on('scan', (report) => {
    const { outcome, records, ms } = report
    metrics.count('readings_total', { outcome })
    metrics.count('reading_records_total', {}, records)
    metrics.time('reading_seconds', {}, ms)
    log.debug(report, 'scan')
  })
  const agentList = new AgentList({ telephony, store, now })
  agentList.on('lookup', (isHit) =>
    metrics.count('cache_lookups_total', { cache: 'agents', result: isHit ? 'hit' : 'miss' }),
  )
  const lineList = new LineList({ telephony, store, now })
  metrics.gauge('service_queue_length', () => telephony.waiting)
  metrics.gauge('service_resting', () => Number(telephony.isCircuitOpen))
  metrics.gauge('jobs_under_way', () => jobs.inFlight)
  metrics.gauge('undecryptable_records', () => store.undecryptable)

  const { apiUrl, oauth, botToken } = config.slack
  const logger = slackLogger(log)
  const fetch = createFetch(dispatcher)
  const webApi = createWebApi(apiUrl, { timeout: interactiveTimeoutMs, logger, fetch })
  const backgroundWebApi = createWebApi(apiUrl, { timeout: backgroundTimeoutMs, logger, fetch })
  const installations = oauth ? new StoredInstallations(store) : new SingleInstallation(webApi, botToken)
  const channels = new Channels({ webApi, now })
  const files = new Files({ webApi: backgroundWebApi, dispatcher })

  const people = new People({ webApi, now })
  const guards = new Guards({ store, installations, people, log, now })
  const backgroundPeople = new People({ webApi: backgroundWebApi, now, cacheSource: people })
  /** For background work, which gives Slack more time than a person would. */
  const background = {
    channels: new Channels({ webApi: backgroundWebApi, now }),
    guards: new Guards({ store, installations, people: backgroundPeople, log, now }),
  }
  const workspaces = new Workspaces(store)
  const audit = new Audit({ trail: store.audit, log, now })
  /** Emits `outdated` for a person whose home tab shows something that has changed. */
  const homeTab = new EventEmitter<{ outdated: [Actor] }>()
  store.on('tenant-deleted', (tenant) => people.forget(tenant))
  store.on('malformed-row', (kind) => metrics.count('malformed_rows_total', { kind }))

  const clicks = new Clicks(now)
  const modals = new Modals({ webApi, clicks, log, openWithinMs: runtime.slackTimes?.openModalWithinMs })
  const slack = { installations, webApi: backgroundWebApi, channels: background.channels }
  const notices = new Notices({ ...slack, jobs, workspaces, log, now })
  const delivery = new Delivery({ log, now })
  const responseUrls = new ResponseUrls(dispatcher)
  const replies = new Replies({ clicks, delivery, responseUrls, log })
  const { supportUrl } = config
  const interactions = new Interactions({ store, guards, modals, log, requestIds, metrics, supportUrl })

  /** Logs at the start what would otherwise fail at the first command. */
  async function checkToken(): Promise<void> {
    if (!(installations instanceof SingleInstallation)) return
    await installations.check().catch((error: unknown) => {
      const isRefused = error instanceof TokenRefusedError
      log.error({ err: error }, isRefused ? 'Slack rejects SLACK_BOT_TOKEN' : "Slack can't be reached")
    })
  }

  return {
    config,
    checkToken,
    log,
    now,
    readingTimes: { readForMs: 25_000, progressAfterMs: 2500, ...runtime.readingTimes },
    enqueueShardsEveryMs,
    exportCheckMs,
    scheduleTickMs,
    toolBudgetMs,
    metrics,
    store,
    jobs,
    dispatcher,
    telephony,
    agentList,
    lineList,
    webApi,
    backgroundWebApi,
    channels,
    files,
    people,
    guards,
    background,
    workspaces,
    audit,
    homeTab,
    modals,
    notices,
    responseUrls,
    delivery,
    replies,
    interactions,
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
