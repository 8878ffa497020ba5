import '../prepare.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { POLL_QUEUE } from '../../src/alerts/alerts.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { HttpServer } from '../../src/http/http-server.ts'
import { createLog } from '../../src/log.ts'
import { createServices } from '../../src/services.ts'
import { HttpReceiver } from '../../src/slack/inbound/http-receiver.ts'
import { connectRoutes } from '../../src/slack/routing/router.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { shardOf } from '../../src/store/tenant-rows.ts'
import { utcOffset } from '../../src/time/offsets.ts'
import { several } from '../../src/util/promises.ts'
import { channelOf, tenantOf } from './workspaces.ts'

// The app, which besides answering people works where it is asked to over IPC: `scan N` reads N records of the first
// workspace, the outgoing ones first; `poll MS` polls the accounts of the first workspaces for so long, shard by shard, as
// the jobs do; and `request MS` sends the same requests without any of the app. POLLED is how many workspaces that is.

/** Jobs that are due are begun together. */
const AT_A_TIME = 20
const PER_SECOND = 1000

const config = readConfig(process.env)
const { signingSecret } = config.slack
if (signingSecret === undefined) throw new Error('the bench sends its requests over HTTP')
const { log, requestIds } = createLog(config.logLevel)
const services = await createServices(config, { log, requestIds })
const { alerts, store, telephony, metrics } = services
const http = new HttpServer({ port: config.port, host: config.host, log })
const onAcknowledged = (ms: number) => metrics.time('acknowledgement_seconds', {}, ms)
const receiver = new HttpReceiver({ http, signingSecret, log, onAcknowledged })
const app = createApp(services)
connectRoutes(receiver, app, services)

async function credentialsOf(n: number) {
  const credentials = await store.credentials.get(tenantKey(tenantOf(n)))
  if (!credentials) throw new Error(`workspace ${n} is not connected`)
  return credentials
}

async function scan(wanted: number) {
  const start = performance.now()
  const account = { tenant: tenantKey(tenantOf(0)), credentials: await credentialsOf(0) }
  let [left, pages] = [wanted, 0]
  for (const direction of ['outgoing', 'incoming'] as const) {
    if (left <= 0) break
    const query = { direction, offset: utcOffset('+01:00') }
    let read = { records: 0, pages: 0 }
    const onProgress = (progress: typeof read) => {
      read = progress
    }
    let rest = left
    for await (const { calls } of telephony.readCalls(account, [query], { onProgress })) {
      rest -= calls.length
      if (rest <= 0) break
    }
    left -= read.records
    pages += read.pages
  }
  return { ms: performance.now() - start, pages }
}

const teams = Array.from({ length: Number(process.env['POLLED'] ?? 0) }, (_, n) => n)
const polling = app.jobs.find(({ queue }) => queue === POLL_QUEUE)
const ending = new AbortController().signal

/** Has a workspace watched. @returns its shard */
async function watch(n: number): Promise<number> {
  const tenant = tenantOf(n)
  const [since, channel, id] = [Date.now(), channelOf(n), `alert-${n}`]
  await alerts.keep({ id, tenant, owner: 'U1', channel, since, lines: [], agents: [], isPaused: false })
  return shardOf(tenantKey(tenant))
}

/** Each unit of work polls a shard. */
async function pollsOf(): Promise<readonly Unit[]> {
  const shards = Map.groupBy(await several(teams, AT_A_TIME, watch), (shard) => shard)
  return [...shards].map(([shard, accounts]) => ({
    polls: accounts.length,
    run: async () => polling?.handle({ id: `${shard}`, data: { shard, at: Date.now() } }, ending),
  }))
}

const agent = new Agent({ keepAliveTimeout: 60_000 })
const origin = new URL(config.telephonyBaseUrl).origin

async function send(path: string): Promise<void> {
  const { body, statusCode } = await agent.request({ origin, path, method: 'GET' })
  await body.json()
  if (statusCode !== 200) throw new Error(`answered with ${statusCode}`)
}

/** Each unit of work sends the requests of as many accounts as are due together. */
async function requestsOf(): Promise<readonly Unit[]> {
  const today = new Date().toISOString().slice(0, 10).split('-').reverse().join('-')
  const day = { timezone: '+00:00', from: today, to: today, status: 'Not Answered', page: '1' }
  const paths = await several(teams, AT_A_TIME, async (n) => {
    const { key, secret } = await credentialsOf(n)
    return `/api/v1/incoming?${new URLSearchParams({ key, secret, ...day })}`
  })
  return Array.from({ length: Math.ceil(paths.length / AT_A_TIME) }, (_, n) => {
    const some = paths.slice(n * AT_A_TIME, (n + 1) * AT_A_TIME)
    return { polls: some.length, run: () => Promise.all(some.map(send)) }
  })
}

interface Unit {
  readonly polls: number
  readonly run: () => Promise<unknown>
}

const units = new Map<string, Promise<readonly Unit[]>>()

/** As many accounts a second on either side: what a system call costs depends on how busy whoever answers is. */
async function workFor(ms: number, all: readonly Unit[]) {
  let polls = 0
  const start = performance.now()
  for (;;)
    for (const unit of all) {
      if (performance.now() - start > ms) return { polls }
      await unit.run()
      polls += unit.polls
      const wait = (polls / PER_SECOND) * 1000 - (performance.now() - start)
      if (wait > 0) await sleep(wait)
    }
}

async function work(what: string, amount: number): Promise<object> {
  if (what === 'scan') return scan(amount)
  const prepared = units.get(what) ?? (what === 'poll' ? pollsOf() : requestsOf())
  units.set(what, prepared)
  return workFor(amount, await prepared)
}

process.on('message', (question) => {
  const [, what, amount] = /^(scan|poll|request) (\d+)$/.exec(String(question)) ?? []
  if (what === undefined) return
  work(what, Number(amount)).then(
    (found) => process.send?.(found),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

await http.start()
