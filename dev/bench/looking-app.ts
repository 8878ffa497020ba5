import '../prepare.ts'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { POLL_QUEUE } from '../../src/alerts/alerts.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { createServices } from '../../src/services.ts'
import { shardOf } from '../../src/store/sharded-rows.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { several } from '../../src/util/several.ts'
import { listen } from '../listen.ts'
import { channelOf } from './load/watch/channels.ts'
import type { LookReport } from './measured-process.ts'
import { enterprise, teamId } from './workspaces.ts'

// The app's watcher by itself, and the same requests by bare undici. Over IPC, `look MS` looks at the accounts of the first
// workspaces for so long, shard by shard, as the jobs that poll them do, and `ask MS` asks for the same without any of
// the app: each tells how often. LOOKED_AT is how many workspaces that is.

/** Jobs that are due are begun together. */
const AT_A_TIME = 20
const PER_SECOND = 1000
const config = readConfig(process.env)
const services = createServices(config, createLog(config.logLevel))
const watcher = createApp(services).jobs.find(({ queue }) => queue === POLL_QUEUE)
if (!watcher) throw new Error('nothing polls')

const { alerts, store } = services
const teams = Array.from({ length: Number(process.env['LOOKED_AT']) }, (_, n) => n)

/** Has one watched. @returns its shard */
async function watchOne(n: number): Promise<number> {
  const tenant = { enterpriseId: enterprise, teamId: teamId(n) }
  const [since, channel, id] = [Date.now(), channelOf(n), `alert-${n}`]
  await alerts.keep({ id, tenant, owner: 'U1', channel, since, lines: [], agents: [], isPaused: false })
  return shardOf(tenantKey(tenant))
}

/** The address of its request. */
async function pathOf(n: number): Promise<string> {
  const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(n) })
  const credentials = await store.credentials.get(tenant)
  const today = new Date().toISOString().slice(0, 10).split('-').reverse().join('-')
  const query = new URLSearchParams({
    key: credentials?.key ?? '',
    secret: credentials?.secret ?? '',
    timezone: '+00:00',
    from: today,
    to: today,
    status: 'Not Answered',
    page: '1',
  })
  return `/api/v1/incoming?${query}`
}

const ending = new AbortController().signal
const agent = new Agent({ keepAliveTimeout: 60_000 })
const origin = new URL(config.telephonyBaseUrl).origin

async function look(shard: number): Promise<void> {
  await watcher?.handle({ id: `${shard}`, data: { shard, at: Date.now() } }, ending)
}

async function ask(path: string): Promise<void> {
  const { body, statusCode } = await agent.request({ origin, path, method: 'GET' })
  await body.json()
  if (statusCode !== 200) throw new Error(`answered with ${statusCode}`)
}

/** As often on either side: what a system call costs depends on how busy whoever answers is. */
async function workFor<T>(ms: number, items: readonly T[], work: (item: T) => Promise<void>) {
  let count = 0
  const start = performance.now()
  const next = async () => {
    const item = items[count++ % items.length]
    if (item !== undefined) await work(item)
  }
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - start) {
    await Promise.all(Array.from({ length: AT_A_TIME }, next))
    const wait = (count / PER_SECOND) * 1000 - (performance.now() - start)
    if (wait > 0) await sleep(wait)
  }
  return { looks: count } satisfies LookReport
}

async function work(what: string, ms: number): Promise<LookReport> {
  if (what === 'ask') return workFor(ms, await several(teams, AT_A_TIME, pathOf), ask)
  shards ??= several(teams, AT_A_TIME, watchOne)
  return lookFor(ms, await shards)
}

/** Shard after shard, as many accounts a second as are asked for by `workFor`. @param of the shard of each account */
async function lookFor(ms: number, of: readonly number[]): Promise<LookReport> {
  let count = 0
  const start = performance.now()
  for (;;)
    for (const [shard, accounts] of Map.groupBy(of, (one) => one)) {
      if (performance.now() - start > ms) return { looks: count }
      await look(shard)
      count += accounts.length
      const wait = (count / PER_SECOND) * 1000 - (performance.now() - start)
      if (wait > 0) await sleep(wait)
    }
}

let shards: Promise<readonly number[]> | undefined

process.on('message', (question) => {
  const [, what, ms] = /^(look|ask) (\d+)$/.exec(String(question)) ?? []
  if (what === undefined) return
  work(what, Number(ms)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

// It is up once it is ready.
await listen(createServer(), config.port)
