import { createSecretKey } from 'node:crypto'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { createLog } from '../../src/log.ts'
import { Store } from '../../src/store/store.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../src/store/tenant.ts'
import { AppProcess, ENCRYPTION_KEYS, type Surroundings, startSurroundings } from '../process/app-process.ts'
import { leakedSecrets } from './secrets.ts'
import { createDatabase } from './shared/database.ts'

const [id = '', key = ''] = ENCRYPTION_KEYS.split(':')
const encryptionKeys = [{ id, key: createSecretKey(key, 'base64') }] as const

/** Several processes over one store, with a connected workspace and a subscription for each of several channels. */
export interface ProcessScene extends Pick<Surroundings, 'slack' | 'sandbox'> {
  start(): Promise<AppProcess>
  /** Returns the texts of the posts in each channel, in order. */
  texts(): readonly (readonly string[])[]
  /** Returns the texts of the notices to the owner. */
  notices(): string[]
  /** Returns the number of rows in pg-boss's table of jobs that match a condition; only on PostgreSQL. */
  jobs(where: string): Promise<number>
}

/** @param options.subscribe stores the subscription of the nth channel */
export async function withProcesses(
  options: {
    readonly account: 'lively' | 'quiet'
    readonly channels: number
    readonly subscribe: (store: Store, tenant: TenantKey, n: number, own: SubscriptionOwner) => Promise<void>
    readonly env?: Readonly<Record<string, string>>
    readonly engine?: 'PostgreSQL' | 'SQLite'
  },
  run: (scene: ProcessScene) => Promise<void>,
): Promise<void> {
  const isSqlite = options.engine === 'SQLite'
  const around = await startSurroundings(40)
  const { slack, sandbox } = around
  const url = isSqlite ? around.env.STORE_URL : await createDatabase()
  const database = isSqlite ? undefined : new pg.Client(url)
  await database?.connect()
  const apps: AppProcess[] = []
  try {
    const { log } = createLog('silent')
    const store = new Store({ url, encryptionKeys, log })
    const tenant = { enterpriseId: undefined, teamId: slack.workspace.teamId }
    const owner = slack.people.admin.id
    const { key, secret } = sandbox.accounts[options.account]
    await store.credentials.set({ key, secret, connectedBy: owner, connectedAt: 1 }, tenantKey(tenant))
    const names = Array.from({ length: options.channels }, (_, n) => `team-${n}`)
    const channels = names.map((name) => slack.addChannel({ name }))
    for (const [n, { id: channel }] of channels.entries())
      await options.subscribe(store, tenantKey(tenant), n, { workspace: tenant, channel, owner })
    await store.close()
    const env = { ...around.env, STORE_URL: url, LOG_LEVEL: 'warn', ...options.env }
    await run({
      slack,
      sandbox,
      async start() {
        const app = await AppProcess.start(env)
        apps.push(app)
        return app
      },
      texts: () => channels.map((channel) => slack.messages({ channel }).map(({ text }) => text)),
      notices: () =>
        slack
          .callsTo('chat.postMessage')
          .filter(({ args }) => args['channel'] === owner)
          .map(({ args }) => String(args['text'])),
      jobs: async (where) =>
        (await database?.query(`SELECT id FROM callboard_jobs.job WHERE ${where}`))?.rowCount ?? 0,
    })
    const outputs = apps.map(({ output }) => output)
    expect(leakedSecrets(slack, sandbox, outputs)).toEqual([])
  } finally {
    for (const app of apps) app.kill('SIGKILL')
    await Promise.all(apps.map(({ exited }) => exited))
    await around.close()
    await database?.end()
  }
}

interface SubscriptionOwner {
  readonly workspace: Workspace
  readonly channel: string
  readonly owner: string
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Not expect.poll, because it works in one test at a time, and these tests run concurrently. */
export const until = (probe: () => boolean | Promise<boolean>) =>
  vi.waitUntil(probe, { timeout: 100_000, interval: 50 })
