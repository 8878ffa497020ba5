import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createConnections } from './connections.ts'
import { openJobs } from './jobs/open.ts'
import { type Load, watchLoad } from './load.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import { createHttpReceiver, type Route } from './slack/http-receiver.ts'
import { singleInstallation } from './slack/installations.ts'
import { createWebApi, unwaitedForMs, waitedForMs } from './slack/web-api.ts'
import { openStore } from './store/open.ts'
import { createTelephonyClient } from './telephony/client.ts'
import { warmZones } from './time/zones.ts'

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
  /** How often the jobs in the process look for what is due. */
  readonly lookEveryMs?: number
}

const graceMs = 10_000

/** Wires the whole app from its configuration and listens. */
export async function startServer(
  config: Config,
  { log, requestIds, load = watchLoad(), now = Date.now, lookEveryMs }: ServerParts,
): Promise<Server> {
  const store = openStore({ url: config.storeUrl, encryptionKeys: config.encryptionKeys, log })
  const dispatcher = createConnections()
  const telephony = createTelephonyClient({
    baseUrl: config.telephonyBaseUrl,
    dispatcher,
    onRequest: (report) => log.debug(report, 'service'),
  })
  const slackApi = { apiUrl: config.slack.apiUrl, logger: slackLogger(log) }
  const webApi = createWebApi({ ...slackApi, timeoutMs: waitedForMs })
  const jobs = openJobs({ storeUrl: config.storeUrl, store, log, now, lookEveryMs })
  let isStopping = false

  const say = (response: Parameters<Route>[0], status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(`${text}\n`)
  }
  const ready: Route = (response) => {
    if (isStopping) {
      say(response, 503, 'stopping')
      return
    }
    store.ready().then(
      () => say(response, 200, 'ready'),
      (error: unknown) => {
        log.warn({ err: error }, 'not ready')
        say(response, 503, 'the store does not answer')
      },
    )
  }

  const receiver = createHttpReceiver({
    signingSecret: config.slack.signingSecret,
    routes: { '/healthz': (response) => say(response, 200, 'ok'), '/readyz': ready },
    port: config.port,
    host: config.host,
    log,
  })
  const { work, catchUp } = createApp({
    receiver,
    installations: singleInstallation({ webApi, botToken: config.slack.botToken }),
    webApi,
    patientWebApi: createWebApi({ ...slackApi, timeoutMs: unwaitedForMs }),
    jobs,
    dispatcher,
    store,
    telephony,
    log,
    requestIds,
    recordingsBaseUrl: config.recordingsBaseUrl,
    fetchAhead: config.fetchAhead,
    invoiceOperation: config.invoiceOperation,
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

const againAfterMs = 5000

/** Tries until it works: the app starts while its database is down. */
function untilItWorks(work: () => Promise<void>, onFailure: (error: unknown) => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const attempt = () => {
    work().catch((error: unknown) => {
      onFailure(error)
      if (!isStopped) timer = setTimeout(attempt, againAfterMs).unref()
    })
  }
  attempt()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
