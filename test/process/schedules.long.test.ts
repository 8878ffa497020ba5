import { createSecretKey } from 'node:crypto'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { createLog } from '../../src/log.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { utcDay } from '../../src/time/days.ts'
import { createDatabase } from '../support/shared/database.ts'
import { leakedSipSecrets } from '../support/sip-secrets.ts'
import { AppProcess, unexpectedLines } from './app-process.ts'

const keyBytes = Buffer.alloc(32, 7)
const count = 50
/** Five jobs of each of the two processes. */
const underWay = 10

interface Scene {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly apps: readonly AppProcess[]
  /** How often each channel was posted to, in their order. */
  posts(): number[]
  notices(): string[]
  /** Waits until no job is under way, comes again after a failure, or is due: no process has anything left to do. */
  jobsDone(): Promise<void>
}

/** Two processes over one PostgreSQL, and fifty schedules that are due at the same moment. */
async function withScene(
  prepare: (scene: Pick<Scene, 'slack' | 'sandbox'>) => void,
  run: (scene: Scene) => Promise<void>,
  kind: 'billing' | 'report' = 'billing',
) {
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
    await store.credentials.set({ ...sandbox.accounts.lively, connectedBy: owner, connectedAt: 1 }, key)
    const due = Date.now() + 5000
    const dueDay = utcDay(new Date(due))
    const channels = Array.from({ length: count }, (_, n) => slack.addChannel({ name: `team-${n}` }).id)
    for (const [n, channel] of channels.entries()) {
      const day = { kind: 'weekly', weekday: 1 } as const
      const schedule = { id: `s${n}`, tenant, channel, day, time: '09:00', owner, due, dueDay }
      const report = { range: 'week', by: 'hour', onlyWithCalls: false } as const
      if (kind === 'billing') await store.schedules.set(key, schedule.id, schedule)
      else await store.reportSchedules.set(key, schedule.id, { ...schedule, report })
    }
    await store.close()
    prepare({ slack, sandbox })
    const env = {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: url,
      ENCRYPTION_KEYS: `k1:${keyBytes.toString('base64')}`,
      LOG_LEVEL: 'warn',
    }
    apps.push(...(await Promise.all([AppProcess.start(env), AppProcess.start(env)])))
    await run({
      slack,
      sandbox,
      apps,
      posts: () => channels.map((id) => slack.messages().filter(({ channel }) => channel === id).length),
      notices: () =>
        slack
          .callsTo('chat.postMessage')
          .filter(({ args }) => args['channel'] === owner)
          .map(({ args }) => String(args['text'])),
      jobsDone: () => until(async () => (await database.query(unfinished)).rowCount === 0),
    })
    const written = apps.map(({ output }) => output)
    expect(leakedSipSecrets(slack, sandbox, written)).toEqual([])
  } finally {
    for (const app of apps) app.kill('SIGKILL')
    await Promise.all(apps.map(({ exited }) => exited))
    await slack.close()
    await served.close()
    await database.end()
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

// Not expect.poll: it belongs to one test at a time, and these run side by side.
const until = async (probe: () => boolean | Promise<boolean>) => {
  await vi.waitUntil(probe, { timeout: 60_000, interval: 50 })
}
const unfinished = `
  SELECT id FROM callboard_jobs.job WHERE name IN ('billing-posts', 'report-posts', 'notices')
  AND (state IN ('active', 'retry') OR state = 'created' AND start_after <= now())`
const once = Array<number>(count).fill(1)

it.concurrent('two processes over one PostgreSQL post each of fifty once', { timeout: 90_000 }, () =>
  withScene(
    () => {},
    async ({ apps, posts, notices, jobsDone }) => {
      await until(() => sum(posts()) >= count)
      await jobsDone()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
      expect(apps.flatMap(({ output }) => unexpectedLines(output))).toEqual([])
      // In good order, with the database's jobs stopped too.
      for (const app of apps) app.kill('SIGTERM')
      expect(await Promise.all(apps.map(({ exited }) => exited))).toEqual([0, 0])
    },
  ),
)

it.concurrent('one is killed before it posts: none is lost, none is posted twice', { timeout: 90_000 }, () =>
  withScene(
    ({ sandbox }) =>
      sandbox.faults.next({ kind: 'delay', ms: 5000 }, { operation: 'billing', times: underWay }),
    async ({ apps, sandbox, posts, notices, jobsDone }) => {
      await until(() => sandbox.requests.count('billing') >= underWay)
      apps[0]?.kill('SIGKILL')
      await until(() => sum(posts()) >= count)
      await jobsDone()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
    },
  ),
)

it.concurrent(
  'one is killed while it reads for reports: none is lost or posted twice',
  { timeout: 90_000 },
  () =>
    withScene(
      ({ sandbox }) => sandbox.faults.next({ kind: 'delay', ms: 3000 }, { operation: 'incoming', times: 4 }),
      async ({ apps, sandbox, posts, notices, jobsDone }) => {
        await until(() => sandbox.requests.count('incoming') >= 4)
        apps[0]?.kill('SIGKILL')
        await until(() => sum(posts()) >= count)
        await jobsDone()
        expect(posts()).toEqual(once)
        expect(notices()).toEqual([])
      },
      'report',
    ),
)

it.concurrent(
  'one is killed while its posts are on their way: none is posted twice, and who has to look is told',
  { timeout: 90_000 },
  () =>
    withScene(
      ({ slack }) => {
        for (let n = 0; n < underWay; n++) slack.failNext('chat.postMessage', { delayMs: 2500 })
      },
      async ({ apps, slack, posts, notices, jobsDone }) => {
        await until(() => slack.callsTo('chat.postMessage').length >= underWay)
        apps[0]?.kill('SIGKILL')
        await until(() => sum(posts()) >= count && notices().length >= underWay / 2)
        await jobsDone()
        expect(posts()).toEqual(once)
        // Those of the process that was killed: they had left, and nobody noted that they had.
        expect(notices()).toHaveLength(underWay / 2)
        for (const text of notices()) expect(text).toContain('may be missing')
      },
    ),
)
