import { createSecretKey } from 'node:crypto'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { createLog } from '../../src/log.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { createDatabase } from '../support/shared/database.ts'
import { AppProcess, unexpectedLines } from './app-process.ts'

const keyBytes = Buffer.alloc(32, 7)
const count = 10
const account = (sandbox: Sandbox) => sandbox.accounts.quiet

interface Scene {
  readonly slack: Slack
  readonly sandbox: Sandbox
  start(): Promise<AppProcess>
  /** How many calls each channel's messages tell, in the order of the channels. */
  told(): number[]
  /** How many messages are in the channels. */
  posts(): number
  notices(): string[]
  /** How many jobs poll. */
  polls(): Promise<number>
}

const countIn = (text: string) =>
  Number(/^(\d+) missed calls/.exec(text)?.[1] ?? (text.startsWith('Missed call') ? 1 : 0))

/** One account, and an alert for each of ten channels, over one PostgreSQL. */
async function withScene(run: (scene: Scene) => Promise<void>) {
  const url = await createDatabase()
  const slack = await startSlack()
  const sandbox = createSandbox({ calls: 40 })
  const served = await serveSandbox(sandbox)
  const database = new pg.Client(url)
  await database.connect()
  const apps: AppProcess[] = []
  try {
    const { log } = createLog('silent')
    const encryptionKeys = [{ id: 'k1', key: createSecretKey(keyBytes) }] as const
    const store = new Store({ url, encryptionKeys, log })
    const tenant = { enterpriseId: undefined, teamId: slack.workspace.teamId }
    const key = tenantKey(tenant)
    const owner = slack.people.admin.id
    const { key: apiKey, secret } = account(sandbox)
    await store.credentials.set({ key: apiKey, secret, connectedBy: owner, connectedAt: 1 }, key)
    const channels = Array.from({ length: count }, (_, n) => slack.addChannel({ name: `team-${n}` }).id)
    for (const [n, channel] of channels.entries()) {
      const plan = { channel, owner, since: Date.now(), lines: [], agents: [], isPaused: false }
      await store.alerts.set(key, `a${n}`, { id: `a${n}`, tenant, ...plan })
    }
    await store.close()
    const env = {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: url,
      ENCRYPTION_KEYS: `k1:${keyBytes.toString('base64')}`,
      ALERT_EVERY_SECONDS: '30',
      LOG_LEVEL: 'warn',
    }
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
    const inChannel = (id: string) => slack.messages().filter(({ channel }) => channel === id)
    await run({
      slack,
      sandbox,
      async start() {
        const app = await AppProcess.start(env)
        apps.push(app)
        return app
      },
      told: () => channels.map((id) => sum(inChannel(id).map(({ text }) => countIn(text)))),
      posts: () => sum(channels.map((id) => inChannel(id).length)),
      notices: () =>
        slack
          .callsTo('chat.postMessage')
          .filter(({ args }) => args['channel'] === owner)
          .map(({ args }) => String(args['text'])),
      async polls() {
        const waiting = `SELECT id FROM callboard_jobs.job WHERE name = 'alert-polls' AND state < 'completed'`
        return (await database.query(waiting)).rowCount ?? 0
      },
    })
  } finally {
    for (const app of apps) app.kill('SIGKILL')
    await Promise.all(apps.map(({ exited }) => exited))
    await slack.close()
    await served.close()
    await database.end()
  }
}

// Not expect.poll: it belongs to one test at a time, and these run side by side.
const until = (probe: () => boolean | Promise<boolean>) =>
  vi.waitUntil(probe, { timeout: 100_000, interval: 50 })

const all = (calls: number) => Array<number>(count).fill(calls)

it.concurrent(
  'two processes that start at once poll an account once, and each call is told once',
  {
    timeout: 120_000,
  },
  () =>
    withScene(async ({ sandbox, start, told, posts, notices, polls }) => {
      const apps = await Promise.all([start(), start()])
      account(sandbox).missCalls(3)
      await until(() => told().every((calls) => calls === 3))
      account(sandbox).missCalls(40)
      await until(() => told().every((calls) => calls === 43))
      expect(posts()).toBe(count)
      expect(notices()).toEqual([])
      // Shards without an alert have no job after their first tick.
      await until(async () => (await polls()) === 1)
      for (const app of apps) app.kill('SIGTERM')
      expect(await Promise.all(apps.map(({ exited }) => exited))).toEqual([0, 0])
      expect(apps.flatMap(({ output }) => unexpectedLines(output))).toEqual([])
    }),
)

it.concurrent(
  'one is killed before it has told anything: the other one tells it all',
  { timeout: 120_000 },
  () =>
    withScene(async ({ slack, sandbox, start, told, posts, notices }) => {
      slack.failNext('conversations.info', { delayMs: 4000 })
      const first = await start()
      account(sandbox).missCalls(3)
      await until(() => slack.callsTo('conversations.info').length > 0)
      first.kill('SIGKILL')
      await first.exited
      await start()
      await until(() => told().every((calls) => calls === 3))
      expect(told()).toEqual(all(3))
      expect(posts()).toBe(count)
      expect(notices()).toEqual([])
    }),
)

it.concurrent(
  'one is killed while a message is on its way: it is sent again, and every call is in a message',
  {
    timeout: 180_000,
  },
  () =>
    withScene(async ({ slack, sandbox, start, told, posts, notices }) => {
      slack.failNext('chat.postMessage', { delayMs: 1500 })
      const first = await start()
      account(sandbox).missCalls(3)
      await until(() => slack.callsTo('chat.postMessage').length > 0)
      first.kill('SIGKILL')
      await first.exited
      await start()
      // The first one is in its channel twice: nobody knew that it had arrived.
      await until(() => posts() === count + 1)
      expect(told().toSorted((a, b) => a - b)).toEqual([...all(3).slice(1), 6])
      account(sandbox).missCalls(1)
      await until(() => told().every((calls) => calls === 4 || calls === 7))
      expect(posts()).toBe(count + 1)
      expect(notices()).toEqual([])
    }),
)
