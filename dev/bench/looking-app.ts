import '../prepare.ts'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Job } from '../../src/jobs/jobs.ts'
import { createLog } from '../../src/log.ts'
import { createServices } from '../../src/services.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { several } from '../../src/util/several.ts'
import { listen } from '../listen.ts'
import { channelOf } from './load/watch/channels.ts'
import type { LookReport } from './measured-process.ts'
import { enterprise, teamId } from './workspaces.ts'

// The app's watcher by itself, and the same requests by bare undici. Over IPC, `look MS` looks at the accounts of the first
// workspaces one after the other for so long, as the jobs that watch them do, and `ask MS` asks for the same without any of
// the app: each tells how often. LOOKED_AT is how many workspaces that is.

/** Jobs that are due are begun together. */
const AT_A_TIME = 20
const PER_SECOND = 1000
const config = readConfig(process.env)
const services = createServices(config, createLog(config.logLevel))
const watcher = createApp(services).jobs.find(({ queue }) => queue === 'alert-watches')
if (!watcher) throw new Error('nothing watches')

const { alerts, store } = services
const teams = Array.from({ length: Number(process.env['LOOKED_AT']) }, (_, n) => n)

/** The job that watches one. Of two processes that watch one account, one ends. */
async function jobOf(n: number): Promise<Job> {
  const tenant = { enterpriseId: enterprise, teamId: teamId(n) }
  const [since, channel, id] = [Date.now(), channelOf(n), `alert-${n}`]
  await alerts.keep({ id, tenant, owner: 'U1', channel, since, lines: [], agents: [], isPaused: false })
  const run = (await store.watches.get(tenantKey(tenant)))?.run
  return { id: `${n}/${run}`, data: { tenant, run } }
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

async function look(job: Job): Promise<void> {
  if (!(await watcher?.handle(job, ending))) throw new Error('the account is not watched any more')
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
  jobs ??= several(teams, AT_A_TIME, jobOf)
  return workFor(ms, await jobs, look)
}

let jobs: Promise<readonly Job[]> | undefined

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
