import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRoutes } from './app.ts'
import { type Config, ConfigError } from './config/config.ts'
import { type HttpRoute, HttpServer, type RefusalReason } from './http/http-server.ts'
import { readBuild } from './log.ts'
import { createServices, type Runtime, type Services } from './services.ts'
import { HttpReceiver } from './slack/inbound/http-receiver.ts'
import { listRouteNames } from './slack/routing/route-table.ts'
import { connectRoutes } from './slack/routing/router.ts'
import type { Routes } from './slack/routing/routes.ts'
import { UnusableStoreError } from './store/errors.ts'
import { retryUntilSuccess } from './util/promises.ts'
import { getErrorCode } from './util/send-request.ts'
import type { Milliseconds } from './util/units.ts'

/** The grace period of every container is longer, so work isn't cut off. */
export const STOP_GRACE_MS: Milliseconds = 10_000

async function createReceiver(services: Services, http: HttpServer, routes: Routes) {
  const { config, metrics, log, slackTimes = {} } = services
  const { signingSecret, appToken, apiUrl } = config.slack
  const onAcknowledged = (ms: Milliseconds) => metrics.time('acknowledgement_seconds', {}, ms)
  const requiredRoutes = routes.events.filter(({ mustSucceed }) => mustSucceed)
  const requiredEvents = new Set(requiredRoutes.map(({ event }) => event))
  if (appToken === undefined) {
    const receiver = new HttpReceiver({ http, signingSecret, log, onAcknowledged, requiredEvents })
    for (const route of routes.signed) receiver.route(route)
    return receiver
  }
  // Loads undici's WebSocket, which HTTP mode doesn't need.
  const { SocketReceiver } = await import('./slack/inbound/socket-receiver.ts')
  const options = { appToken, apiUrl, log, onAcknowledged, requiredEvents }
  return new SocketReceiver({ ...options, ...slackTimes })
}

/** Starts jobs, and the work that is repeated until the database is there. */
function startBackgroundWork(services: Services, routes: Routes, signal: AbortSignal): void {
  const { store, jobs, notices, log } = services
  notices.work()
  for (const work of routes.jobs) jobs.work(work)
  const rotateKeys = async () => {
    const count = await store.rotateKeys()
    if (count > 0) log.info({ count }, 'records were re-encrypted with the first key')
    if (store.undecryptable.size === 0) return
    const undecryptable = Object.fromEntries(store.undecryptable)
    log.warn({ undecryptable }, "records can't be decrypted: their workspaces have to connect again")
  }
  const onFailure = (error: unknown) => log.warn({ err: error }, 'background work failed and will be retried')
  for (const run of [rotateKeys, ...routes.background])
    void retryUntilSuccess(() => run(signal), { signal, onFailure })
}

/** Starts counters at 0, because `rate()` sees no increase in a series that begins with 1. */
function startCounters({ metrics, store }: Services, routes: Routes): void {
  for (const interaction of listRouteNames(routes))
    metrics.count('interactions_total', { interaction, outcome: 'error' }, 0)
  for (const kind of store.database.kinds) metrics.count('malformed_rows_total', { kind }, 0)
}

function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** Anyone may ask, and each check queries the database. */
const CHECK_INTERVAL_MS: Milliseconds = 1000

/** Tells a load balancer whether this process takes requests. */
class Readiness {
  isStopping = false
  readonly #services
  #checkedAt = Number.NEGATIVE_INFINITY
  #latestCheck = Promise.resolve('')

  constructor(services: Services) {
    this.#services = services
  }

  /** Returns a sentence if the database doesn't answer, Slack refuses the token or the process stops, or else `''`. */
  async findProblem(): Promise<string> {
    if (this.isStopping) return 'stopping'
    const now = performance.now()
    if (now >= this.#checkedAt + CHECK_INTERVAL_MS) {
      this.#checkedAt = now
      this.#latestCheck = this.#check()
    }
    return this.#latestCheck
  }

  async #check(): Promise<string> {
    const { store, installations, log } = this.#services
    try {
      await store.ready()
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      return 'the store does not answer'
    }
    return installations.findProblem()
  }
}

function createHealthRoutes(readiness: Readiness): readonly HttpRoute[] {
  return [
    { path: '/healthz', handle: async (_request, response) => answerText(response, 200, 'ok') },
    {
      path: '/readyz',
      async handle(_request, response) {
        const problem = await readiness.findProblem()
        if (problem === '') answerText(response, 200, 'ready')
        else answerText(response, 503, problem)
      },
    },
  ]
}

function createHttp(services: Services, routes: Routes, readiness: Readiness): HttpServer {
  const { config, metrics, log } = services
  const onRefused = (reason: RefusalReason) => metrics.count('requests_refused_total', { reason })
  const http = new HttpServer({ port: config.port, host: config.host, log, onRefused })
  for (const route of [...createHealthRoutes(readiness), ...metrics.routes, ...routes.http]) http.get(route)
  return http
}

/** Resolves once the app listens. @throws {ConfigError | UnusableStoreError} */
export async function startServer(config: Config, runtime: Runtime) {
  const services = await createServices(config, runtime)
  const { store, jobs, installations, workspaces, dispatcher, log } = services
  const routes = createRoutes(services)
  startCounters(services, routes)
  const readiness = new Readiness(services)
  const http = createHttp(services, routes, readiness)
  const receiver = await createReceiver(services, http, routes)
  connectRoutes(receiver, routes, services)

  await store.open().catch((error: unknown) => {
    if (error instanceof UnusableStoreError) throw error
    // The app also starts while the database is down, and tells people who need it.
    log.warn({ err: error }, 'the database is not available yet')
  })
  const port = await http.start().catch((error: unknown) => {
    throw new ConfigError([`PORT, HOST: a free port and an address of this machine (${getErrorCode(error)})`])
  })
  await receiver.start()
  log.info({ port, ...readBuild() }, 'Callboard listens')
  // Logs a refused token before anyone uses the app.
  void installations.findProblem()
  const stopping = new AbortController()
  startBackgroundWork(services, routes, stopping.signal)

  return {
    port,
    workspaces,
    commands: routes.commands,
    /** Fails `/readyz` and goes on for a while, so that a load balancer notices; then finishes the work in progress. */
    async stop() {
      readiness.isStopping = true
      await sleep(config.drainMs)
      stopping.abort()
      await Promise.all([http.finish(STOP_GRACE_MS), receiver.stop(STOP_GRACE_MS), jobs.stop()])
      await http.close()
      await dispatcher.destroy()
      await store.close()
    },
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
