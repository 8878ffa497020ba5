import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { createInstaller } from './features/install/installer.ts'
import { welcome } from './features/install/welcome.ts'
import { healthRoutes } from './http/health.ts'
import { openJobs } from './jobs/open.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import { readManifest } from './manifest.ts'
import { openMetrics } from './metrics.ts'
import { createNotices } from './slack/answers/notices.ts'
import { singleInstallation, storedInstallations } from './slack/api/installations.ts'
import { createRotation } from './slack/api/token-rotation.ts'
import { createWebApi, unwaitedForMs, waitedForMs } from './slack/api/web-api.ts'
import { createHttpReceiver } from './slack/inbound/http-receiver.ts'
import { createSocketReceiver } from './slack/inbound/socket-receiver.ts'
import { openStore } from './store/open.ts'
import { createTelephonyClient, type TelephonyClientOptions } from './telephony/client.ts'
import { warmZones } from './time/zones.ts'
import { createConnections } from './util/connections.ts'
import { type Load, watchLoad } from './util/event-loop-load.ts'
import { untilItWorks } from './util/retry-until-success.ts'

export interface Server {
  readonly port: number
  /** Says no to /readyz, finishes what is under way (10 s at most) and closes the store. */
  stop(): Promise<void>
}

export interface ServerParts {
  readonly log: Log
  readonly requestIds: RequestIds
  readonly load?: Load
  /** Epoch ms. */
  readonly now?: () => number
  /** How often the jobs in the process are polled for what is due. */
  readonly pollEveryMs?: number
  /** The service's deadline and the rest that it is given. */
  readonly service?: Pick<TelephonyClientOptions, 'timeoutMs' | 'restMs'>
}

const graceMs = 10_000

/** Wires the whole app from its configuration and listens. */
export async function startServer(
  config: Config,
  { log, requestIds, load = watchLoad(), now = Date.now, pollEveryMs, service = {} }: ServerParts,
): Promise<Server> {
  const store = openStore({ url: config.storeUrl, encryptionKeys: config.encryptionKeys, log })
  const dispatcher = createConnections()
  const telephony = createTelephonyClient({
    baseUrl: config.telephonyBaseUrl,
    dispatcher,
    ...service,
    onRequest(report) {
      metrics.request(report)
      log.debug(report, 'service')
    },
  })
  const { metrics, routes: metricsRoutes } = openMetrics(config.metricsToken, log, {
    waiting: () => telephony.state.waiting,
    isResting: () => telephony.state.isResting,
    jobs: () => jobs.underWay,
  })
  const slackApi = { apiUrl: config.slack.apiUrl, logger: slackLogger(log) }
  const webApi = createWebApi({ ...slackApi, timeoutMs: waitedForMs })
  const patientWebApi = createWebApi({ ...slackApi, timeoutMs: unwaitedForMs })
  const jobs = openJobs({ storeUrl: config.storeUrl, store, log, now, pollEveryMs })
  let isStopping = false

  const { slack } = config
  const { oauth } = slack
  const installations = slack.oauth
    ? storedInstallations({
        records: store.installations,
        rotate: createRotation({
          records: store.installations,
          claims: store.claims,
          webApi,
          clientId: slack.oauth.clientId,
          clientSecret: slack.oauth.clientSecret,
          now,
        }),
      })
    : singleInstallation({ webApi, botToken: slack.botToken })
  const notices = createNotices({ jobs, installations, webApi: patientWebApi, log, now })
  const installer =
    oauth &&
    createInstaller({
      oauth,
      apiUrl: config.slack.apiUrl,
      scopes: readManifest().scopes,
      store,
      installed: welcome(notices),
      log,
      now,
    })

  const http = createHttpReceiver({
    signingSecret: config.slack.signingSecret,
    routes: {
      ...healthRoutes({ store, isStopping: () => isStopping, log }),
      ...metricsRoutes,
      ...(installer
        ? { '/slack/install': installer.install, '/slack/oauth_redirect': installer.redirect }
        : {}),
    },
    port: config.port,
    host: config.host,
    log,
    onAcknowledged: metrics.acknowledged,
  })
  const { appToken, apiUrl } = config.slack
  const { acknowledged: onAcknowledged } = metrics
  const receiver =
    appToken === undefined ? http : createSocketReceiver({ http, appToken, apiUrl, log, onAcknowledged })
  const { work, catchUp } = createApp({
    receiver,
    installations,
    webApi,
    patientWebApi,
    jobs,
    metrics,
    notices,
    dispatcher,
    store,
    telephony,
    log,
    requestIds,
    recordingsBaseUrl: config.recordingsBaseUrl,
    fetchAhead: config.fetchAhead,
    invoiceOperation: config.invoiceOperation,
    oauth,
    isBusy: load.isBusy,
    now,
  })

  const port = await receiver.start()
  log.info({ port }, 'Callboard listens')
  setImmediate(warmZones)
  work()
  const catchingUp = untilItWorks(catchUp, (error) => log.warn({ err: error }, 'schedules were not read yet'))
  store.reencrypt().then(
    (count) => count > 0 && log.info({ count }, 'records were encrypted anew under the first key'),
    (error: unknown) => log.warn({ err: error }, 'records were not encrypted anew'),
  )

  return {
    port,
    async stop() {
      isStopping = true
      catchingUp.stop()
      load.stop()
      await Promise.all([receiver.stop(graceMs), jobs.stop()])
      await dispatcher.destroy()
      await store.close()
    },
  }
}
