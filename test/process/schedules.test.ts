import { createSecretKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { createLog } from '../../src/log.ts'
import { openStore } from '../../src/store/open.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { startPostgres } from '../support/postgres.ts'
import { leakedSipSecrets } from '../support/sip-secrets.ts'
import { type AppProcess, startProcess } from './app-process.ts'

const keyBytes = Buffer.alloc(32, 7)
const count = 50
/** Five jobs of each of the two processes. */
const underWay = 10

interface Scene {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly apps: readonly AppProcess[]
  readonly channels: readonly string[]
  /** How often each channel was posted to, in their order. */
  posts(): number[]
  notices(): string[]
}

/** Two processes over one PostgreSQL, and fifty schedules that are due at the same moment. */
async function withScene(
  prepare: (scene: Omit<Scene, 'apps'>) => void,
  run: (scene: Scene) => Promise<void>,
) {
  const postgres = await startPostgres()
  const slack = await startSlack()
  const sandbox = createSandbox({ calls: 40 })
  const served = await serveSandbox(sandbox)
  const apps: AppProcess[] = []
  try {
    const { log } = createLog('silent')
    const encryptionKeys = [{ id: 'k1', key: createSecretKey(keyBytes) }] as const
    const store = openStore({ url: postgres.url, encryptionKeys, log })
    const tenant = { enterpriseId: undefined, teamId: slack.workspace.teamId }
    const key = tenantKey(tenant)
    const owner = slack.people.admin.id
    await store.credentials.set({ ...sandbox.accounts.lively, connectedBy: owner, connectedAt: 1 }, key)
    const due = Date.now() + 5000
    const channels = Array.from({ length: count }, (_, n) => slack.addChannel({ name: `team-${n}` }).id)
    for (const [n, channel] of channels.entries()) {
      const day = { kind: 'weekly', weekday: 1 } as const
      await store.schedules.set(key, { id: `s${n}`, tenant, channel, day, time: '09:00', owner, due })
    }
    await store.close()
    const scene = {
      slack,
      sandbox,
      channels,
      posts: () => channels.map((id) => slack.messages().filter(({ channel }) => channel === id).length),
      notices: () =>
        slack
          .callsTo('chat.postMessage')
          .filter(({ args }) => args['channel'] === owner)
          .map(({ args }) => String(args['text'])),
    }
    prepare(scene)
    const env = {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: postgres.url,
      ENCRYPTION_KEYS: `k1:${keyBytes.toString('base64')}`,
      LOG_LEVEL: 'warn',
    }
    apps.push(...(await Promise.all([startProcess(env), startProcess(env)])))
    await run({ ...scene, apps })
    expect(
      leakedSipSecrets(
        slack,
        sandbox,
        apps.map(({ output }) => output()),
      ),
    ).toEqual([])
  } finally {
    for (const { child } of apps) child.kill('SIGKILL')
    await Promise.all(apps.map(({ exited }) => exited))
    await slack.close()
    await served.close()
    await postgres.stop()
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

// Not expect.poll: it belongs to one test at a time, and these run side by side.
async function until(probe: () => boolean, timeoutMs = 60_000): Promise<void> {
  for (const start = Date.now(); !probe(); await sleep(20)) {
    if (Date.now() - start > timeoutMs) throw new Error(`not seen within ${timeoutMs} ms`)
  }
}
const once = Array<number>(count).fill(1)
const settle = () => sleep(3000)

it.concurrent('two processes over one PostgreSQL post each of fifty once', { timeout: 90_000 }, () =>
  withScene(
    () => {},
    async ({ apps, posts, notices }) => {
      await until(() => sum(posts()) >= count)
      await settle()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
      expect(apps.map((app) => app.output())).toEqual(['', ''])
      // In good order, with the database's jobs stopped too.
      for (const { child } of apps) child.kill('SIGTERM')
      expect(await Promise.all(apps.map(({ exited }) => exited))).toEqual([0, 0])
    },
  ),
)

it.concurrent('one is killed before it posts: none is lost, none is posted twice', { timeout: 90_000 }, () =>
  withScene(
    ({ sandbox }) =>
      sandbox.faults.next({ kind: 'delay', ms: 2500 }, { operation: 'billing', times: underWay }),
    async ({ apps, sandbox, posts, notices }) => {
      await until(
        () =>
          sandbox.requests.entries().filter(({ operation }) => operation === 'billing').length >= underWay,
      )
      apps[0]?.child.kill('SIGKILL')
      await until(() => sum(posts()) >= count)
      await settle()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
    },
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
      async ({ apps, slack, posts, notices }) => {
        await until(() => slack.callsTo('chat.postMessage').length >= underWay)
        apps[0]?.child.kill('SIGKILL')
        await until(() => sum(posts()) >= count && notices().length >= underWay / 2)
        await settle()
        expect(posts()).toEqual(once)
        // Those of the process that was killed: they had left, and nobody noted that they had.
        expect(notices()).toHaveLength(underWay / 2)
        for (const text of notices()) expect(text).toContain('may be in')
      },
    ),
)
