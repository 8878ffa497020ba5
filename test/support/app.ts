import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { readManifest } from '../../dev/manifest.ts'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Actor, type Slack, startSlack, type View } from '../../dev/slack/slack.ts'
import type { Config } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { Runtime } from '../../src/services.ts'
import { leakedSecrets } from './secrets.ts'
import { type StoredRow, StoredRows } from './stored-rows.ts'
import './shown.ts'

const { scopes } = readManifest()

/** A row with the next time of a job or a schedule. */
const timesSchema = z.object({
  at: z.number().optional(),
  due: z.object({ at: z.number() }).optional(),
  retryAt: z.number().optional(),
})

export interface AppOptions {
  readonly runtime?: Partial<Runtime>
  /** Whether the workspace is connected to the sandbox's lively account before each test. */
  readonly connected?: boolean
  /** Approximate number of calls of the lively account in ninety days. */
  readonly calls?: number
  readonly config?: Partial<Config> | ((slack: Slack) => Partial<Config> | Promise<Partial<Config>>)
}

/** Neither announces nor ends a reading that is slow because the machine is busy. */
export const unhurried = { readForMs: 600_000, progressAfterMs: 60_000 }

const encryptionKey = { id: 'k1', key: createSecretKey(randomBytes(32)) }

/** Store of a connected workspace. Connecting would take 30 ms in each test. */
let connectedStore: Buffer | undefined

const patience = { timeout: 20_000, interval: 20 }

/** The whole app on loopback: the real app over a store file, the sandbox, and a strict stand-in for Slack. */
export class TestApp {
  slack!: Slack
  sandbox!: Sandbox
  config!: Config
  logs: string[] = []
  /** Milliseconds by which the clock of the app and the service is ahead. */
  clock = { ahead: 0 }
  #server: Server | undefined
  readonly #options: AppOptions
  readonly #closers: (() => Promise<unknown>)[] = []

  constructor(options: AppOptions) {
    this.#options = options
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server?.port}`
  }

  /** The SQLite file. */
  get storePath(): string {
    return this.config.storeUrl.slice('sqlite:'.length)
  }

  get stored(): StoredRows {
    return new StoredRows(this.storePath)
  }

  /** Actors of the first workspace. For other people, use `slack.as`. */
  get admin(): Actor {
    return this.slack.as(this.slack.people.admin)
  }

  get member(): Actor {
    return this.slack.as(this.slack.people.member)
  }

  async start(): Promise<void> {
    this.logs = []
    this.clock = { ahead: 0 }
    const folder = await mkdtemp(join(tmpdir(), 'callboard-'))
    this.#closers.push(() => rm(folder, { recursive: true }))
    this.sandbox = createSandbox({ calls: this.#options.calls ?? 400, now: () => new Date(this.#now()) })
    const served = await serveSandbox(this.sandbox)
    this.#closers.push(() => served.close())
    const slack = await startSlack({ scopes, now: () => this.#now() })
    this.#closers.push(() => slack.close())
    this.slack = slack
    const { config } = this.#options
    this.config = {
      slack: { signingSecret: slack.signingSecret, botToken: slack.botToken, apiUrl: slack.apiUrl },
      telephonyBaseUrl: served.baseUrl,
      recordingsBaseUrl: undefined,
      storeUrl: `sqlite:${join(folder, 'store.sqlite')}`,
      encryptionKeys: [encryptionKey],
      port: 0,
      host: '127.0.0.1',
      logLevel: 'debug',
      fetchAhead: false,
      mcp: true,
      drainMs: 0,
      alertEveryMs: 60_000,
      invoiceOperation: true,
      metricsToken: undefined,
      supportUrl: undefined,
      ...(typeof config === 'function' ? await config(slack) : config),
    }
    const { connected } = this.#options
    const isUsual = connected && config === undefined
    if (isUsual && connectedStore) await writeFile(this.storePath, connectedStore, { mode: 0o600 })
    await this.#serve()
    this.#closers.push(async () => this.#server?.stop())
    if (connected && !(isUsual && connectedStore)) await this.connect()
    if (isUsual) connectedStore ??= this.stored.copyWithoutJobs(join(folder, 'copy.sqlite'))
  }

  /** Stops the app, calls the function and starts the app again. */
  async restart(between?: () => unknown): Promise<void> {
    await this.#server?.stop()
    await between?.()
    await this.#serve()
  }

  /** Connects the workspace of an admin. */
  async connect({ key, secret } = this.sandbox.accounts.lively, by = this.admin): Promise<View> {
    const modal = await by.submit(await by.open('/calls connect'), { key, secret })
    return by.sees(modal, 'Connected')
  }

  async disconnect(): Promise<void> {
    await this.admin.open(await this.admin.open('/calls disconnect'), 'setup.disconnect')
  }

  /** Waits until the log has that many lines with this text. */
  async logged(text: string, times = 1): Promise<void> {
    const count = () => this.logs.filter((line) => line.includes(text)).length
    await expect.poll(count, { ...patience, message: text }).toBeGreaterThanOrEqual(times)
  }

  /** Waits until all jobs and schedules that are due by the app's clock are done. */
  async jobsDone(): Promise<void> {
    await expect.poll(() => this.isIdle(), patience).toBe(true)
  }

  /** Returns whether no job or schedule is due by the app's clock. */
  isIdle(): boolean {
    const isDue = ({ namespace, value }: StoredRow) => {
      // Some tests make rows unreadable.
      if (!value.startsWith('{')) return false
      const { at, due, retryAt = due?.at } = timesSchema.catch({}).parse(JSON.parse(value))
      const next = namespace.startsWith('job:') ? at : retryAt
      return next !== undefined && next <= this.#now()
    }
    return !['job:%', 'schedules', 'report-schedules'].flatMap((kind) => this.stored.all(kind)).some(isDue)
  }

  /**
   * Fails the test if a message broke one of Slack's rules, was never shown, mentioned a whole channel, or had buttons
   * that don't name their workspace, or if a secret was logged or shown.
   */
  async close(): Promise<void> {
    const { slack, sandbox, logs } = this
    const metrics = await this.readMetrics()
    for (const close of this.#closers.splice(0).reverse()) await close()
    expect(leakedSecrets(slack, sandbox, [...logs, metrics])).toEqual([])
    expect(slack.violations).toEqual([])
    const rows = slack.messages().flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'actions'))
    expect(rows.filter(({ block_id }) => !block_id?.startsWith('@T'))).toEqual([])
    const toChannels = slack.messages().filter(({ onlyFor, channel }) => !onlyFor && !channel.startsWith('D'))
    const mentions = toChannels.filter(({ text, blocks }) => /<@/.test(text + JSON.stringify(blocks)))
    // Only reminders, which are replies, mention people.
    expect(mentions.filter(({ threadTs }) => threadTs === undefined)).toEqual([])
    expect(slack.dropped).toEqual([])
  }

  async readMetrics(): Promise<string> {
    const { metricsToken } = this.config
    if (metricsToken === undefined) return ''
    const headers = { authorization: `Bearer ${metricsToken}` }
    return (await fetch(`${this.url}/metrics`, { headers })).text()
  }

  readonly #now = () => Date.now() + this.clock.ahead

  async #serve(): Promise<void> {
    const { logs, config } = this
    const { readingTimes, ...runtime } = this.#options.runtime ?? {}
    this.#server = await startServer(config, {
      ...createLog(config.logLevel, { write: (line) => void logs.push(line) }),
      // The server and the app share one process, which is always busy.
      now: this.#now,
      jobTimes: { pollEveryMs: 20, retryAfterMs: 200 },
      scheduleTickMs: 20,
      service: { timeoutMs: 3500, backoffMs: 5, restMs: 300 },
      readingTimes: { ...unhurried, ...readingTimes },
      exportCheckMs: 20,
      // Opens forms without a placeholder even on a busy machine, because triggers last 3 s.
      slackTimes: { openModalWithinMs: 2000 },
      ...runtime,
    })
    this.slack.appUrl = this.url
  }
}

/** Provides an app for each test of the file or the surrounding `describe`. */
export function useApp(options: AppOptions = {}): TestApp {
  const app = new TestApp(options)
  beforeEach(() => app.start())
  afterEach(() => app.close())
  return app
}
