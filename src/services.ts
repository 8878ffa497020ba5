import { EventEmitter } from 'node:events'
import type { Config } from './config/config.ts'
import { InProcessJobs, type JobServices, type Jobs } from './jobs/jobs.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { Audit } from './slack/access/audit.ts'
import { type Actor, Guards } from './slack/access/guards.ts'
import { SingleInstallation, StoredInstallations } from './slack/access/installations.ts'
import { createPersonCache, People } from './slack/access/people.ts'
import { INSTALL_PATH } from './slack/access/scopes.ts'
import { Workspaces } from './slack/access/workspaces.ts'
import { Channels } from './slack/api/channels.ts'
import { Files } from './slack/api/files.ts'
import { ResponseUrls } from './slack/api/response-urls.ts'
import { backgroundTimeoutMs, createFetch, interactiveTimeoutMs, SlackWebApi } from './slack/api/web-api.ts'
import { Clicks } from './slack/deliver/clicks.ts'
import { Delivery } from './slack/deliver/delivery.ts'
import { Modals } from './slack/deliver/modals.ts'
import { Notices } from './slack/deliver/notices.ts'
import { Replies } from './slack/deliver/replies.ts'
import { Interactions } from './slack/routing/interactions.ts'
import { Store } from './store/store.ts'
import { AgentList } from './telephony/agent-list.ts'
import { TelephonyClient } from './telephony/client.ts'
import { LineList } from './telephony/line-list.ts'
import type { RequestOptions } from './telephony/requests.ts'
import { createDispatcher } from './util/send-request.ts'
import { type Milliseconds, minuteMs } from './util/units.ts'

/** Time limits of a reading that a person waits for. */
const defaultReadingTimes = {
  /** A longer reading ends, and shows what it has. */
  readForMs: 25_000,
  /** A longer reading is announced. */
  progressAfterMs: 2500,
}
export type ReadingTimes = typeof defaultReadingTimes

const defaultSettings = {
  now: Date.now,
  /** Interval at which an export checks whether it was cancelled. */
  exportCheckMs: 1000,
  /** Interval at which missing jobs that poll alerts are enqueued. */
  enqueueShardsEveryMs: 10 * minuteMs,
  /** Interval at which due schedules are looked for. */
  scheduleTickMs: minuteMs,
  /** Time limit of a Slackbot tool. */
  toolBudgetMs: 50_000,
}

/** Settings that don't come from the environment. Tests and the demo set intervals. */
export interface Runtime extends Partial<typeof defaultSettings> {
  readonly log: Log
  readonly requestIds: RequestIds
  readonly jobTimes?: Pick<JobServices, 'pollEveryMs' | 'retryAfterMs'>
  readonly readingTimes?: Partial<ReadingTimes>
  /** `reconnectAfterMs` and `connectWithinMs` are for Socket Mode. */
  readonly slackTimes?: {
    readonly openModalWithinMs?: Milliseconds
    readonly reconnectAfterMs?: Milliseconds
    readonly connectWithinMs?: Milliseconds
  }
  readonly service?: Pick<RequestOptions, 'timeoutMs' | 'backoffMs' | 'restMs'>
}

export async function createJobs(storeUrl: string, services: JobServices): Promise<Jobs> {
  if (storeUrl.startsWith('sqlite:')) return new InProcessJobs(services)
  // SQLite doesn't need this import.
  const { PgBossJobs } = await import('./jobs/pg-boss.ts')
  return new PgBossJobs(storeUrl, services)
}

async function createBase(config: Config, runtime: Runtime) {
  const readingTimes = { ...defaultReadingTimes, ...runtime.readingTimes }
  const settings = { ...defaultSettings, ...runtime, readingTimes }
  const { log, now } = settings
  const metrics = await createMetrics(config.metricsToken)
  const store = new Store({ url: config.storeUrl, encryptionKeys: config.encryptionKeys, log, now })
  const jobs = await createJobs(config.storeUrl, { store, log, now, ...runtime.jobTimes })
  store.on('malformed-row', (kind) => metrics.count('malformed_rows_total', { kind }))
  metrics.gauge('undecryptable_records', () => store.undecryptable)
  metrics.gauge('jobs_under_way', () => jobs.inFlight)
  return { ...settings, config, metrics, store, jobs, dispatcher: createDispatcher() }
}

type Base = Awaited<ReturnType<typeof createBase>>

function createTelephony({ config, service, metrics, store, dispatcher, log, now }: Base) {
  const telephony = new TelephonyClient({ baseUrl: config.telephonyBaseUrl, dispatcher, ...service })
  telephony.on('request', (report) => {
    const { operation, outcome, ms } = report
    metrics.count('service_requests_total', { operation, outcome })
    metrics.time('service_request_seconds', { operation }, ms)
    log.debug(report, 'service')
  })
  telephony.on('read', (report) => {
    const { outcome, records, ms } = report
    metrics.count('readings_total', { outcome })
    metrics.count('reading_records_total', {}, records)
    metrics.time('reading_seconds', {}, ms)
    log.debug(report, 'read')
  })
  metrics.gauge('service_queue_length', () => telephony.waitingCount)
  metrics.gauge('service_resting', () => telephony.restingCount)
  const agentList = new AgentList({ telephony, store, now })
  agentList.on('lookup', (isHit) =>
    metrics.count('cache_lookups_total', { cache: 'agents', result: isHit ? 'hit' : 'miss' }),
  )
  const lineList = new LineList({ telephony, store, now })
  return { telephony, agentList, lineList }
}

function createSlackAccess({ config, store, dispatcher, log, now }: Base) {
  const { apiUrl, oauth, botToken } = config.slack
  const options = { logger: slackLogger(log), fetch: createFetch(dispatcher) }
  const webApi = new SlackWebApi(apiUrl, { timeout: interactiveTimeoutMs, ...options })
  const backgroundWebApi = new SlackWebApi(apiUrl, { timeout: backgroundTimeoutMs, ...options })
  const installations = oauth
    ? new StoredInstallations(store, `${oauth.publicUrl}${INSTALL_PATH}`)
    : new SingleInstallation(webApi, botToken, log)
  const personCache = createPersonCache(now)
  const people = new People(webApi, personCache)
  const backgroundPeople = new People(backgroundWebApi, personCache)
  store.on('tenant-deleted', (tenant) => people.forget(tenant))
  return {
    webApi,
    backgroundWebApi,
    installations,
    people,
    channels: new Channels({ webApi, now }),
    files: new Files({ webApi: backgroundWebApi, dispatcher }),
    guards: new Guards({ store, installations, people, log, now }),
    /** Gives Slack more time than a waiting person would. */
    background: {
      channels: new Channels({ webApi: backgroundWebApi, now }),
      guards: new Guards({ store, installations, people: backgroundPeople, log, now }),
    },
    workspaces: new Workspaces(store),
    audit: new Audit({ trail: store.audit, log, now }),
  }
}

export async function createServices(config: Config, runtime: Runtime) {
  const base = await createBase(config, runtime)
  const access = createSlackAccess(base)
  const { dispatcher, log, now } = base
  const { webApi, backgroundWebApi, guards, background } = access
  const clicks = new Clicks(now)
  const openWithinMs = runtime.slackTimes?.openModalWithinMs
  const modals = new Modals({ webApi, guards, clicks, log, openWithinMs })
  const delivery = new Delivery({ log, now })
  const responseUrls = new ResponseUrls({ dispatcher, log })

  return {
    ...base,
    ...createTelephony(base),
    ...access,
    homeTab: new EventEmitter<{ outdated: [Actor] }>(),
    modals,
    clicks,
    notices: new Notices({ ...base, ...access, webApi: backgroundWebApi, channels: background.channels }),
    responseUrls,
    delivery,
    replies: new Replies({ clicks, delivery, responseUrls }),
    interactions: new Interactions({ ...base, ...access, responseUrls, supportUrl: config.supportUrl }),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
