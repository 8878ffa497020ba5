import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../src/config/config.ts'
import { createLog } from '../../../src/log.ts'
import { type Server, startServer } from '../../../src/server.ts'
import type { EpochMs, Milliseconds } from '../../../src/util/units.ts'
import { readManifest } from '../../manifest.ts'
import { createSandbox, type Sandbox } from '../../service/app.ts'
import type { ResponseFault } from '../../service/faults.ts'
import { type ServedSandbox, serveSandbox } from '../../service/serve.ts'
import { readableText } from '../../slack/readable-text.ts'
import { type Actor, type Channel, type Slack, startSlack } from '../../slack/slack.ts'
import { createWorkspaces, type DemoWorkspaces } from '../workspaces.ts'

export interface StageOptions {
  /** Not connected where the samples are about that. */
  readonly isConnected?: boolean
  /** To be installed by OAuth rather than there with one token. */
  readonly hasOAuth?: boolean
  readonly calls?: number
  readonly config?: Partial<Config>
  /** The most that an interaction reads for. */
  readonly readForMs?: Milliseconds
}

/** A Thursday afternoon in Berlin: the samples are the same on any day. */
const begin = Date.parse('2026-11-05T14:32:10Z')
const patienceMs: Milliseconds = 15_000
export const publicUrl = 'https://calls.example.com'
export const minuteMs: Milliseconds = 60_000

/** What a stage is made of. */
export async function stageParts(options: StageOptions) {
  const clock = { now: begin }
  const sandbox = createSandbox({ calls: options.calls ?? 400, now: () => new Date(clock.now) })
  const [folder, served, slack] = await Promise.all([
    mkdtemp(join(tmpdir(), 'callboard-gallery-')),
    serveSandbox(sandbox),
    startSlack({ scopes: readManifest().scopes, now: () => clock.now, ackTimeoutMs: patienceMs }),
  ])
  return { options, clock, sandbox, folder, served, slack }
}

/**
 * The real app, with a stand-in for Slack and a sandbox of the phone service, by a clock that stands still unless it is moved.
 */
export class Stage {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly workspaces: DemoWorkspaces
  /** By their names: an administrator, a member and a guest, in #support, and whom a chapter adds. */
  readonly people: Map<string, Actor>
  readonly #options: StageOptions
  readonly #clock: { now: EpochMs }
  readonly #folder: string
  readonly #served: ServedSandbox
  #isServed = true
  #key = 1
  #server: Server | undefined

  constructor(parts: Awaited<ReturnType<typeof stageParts>>) {
    this.#options = parts.options
    this.#clock = parts.clock
    this.#folder = parts.folder
    this.#served = parts.served
    this.slack = parts.slack
    this.sandbox = parts.sandbox
    this.workspaces = createWorkspaces(parts.slack)
    const [{ people, channels }] = this.workspaces
    const where = { channel: channels[0].channel }
    this.people = new Map(people.map(({ user }) => [user.name, this.slack.as(user, where)]))
  }

  get now(): EpochMs {
    return this.#clock.now
  }

  channel(name: string): Channel {
    const found = this.workspaces[0].channels.find(({ channel }) => channel.name === name)
    if (!found) throw new Error(`there is no channel ${name}`)
    return found.channel
  }

  /** Somebody more, in #support. */
  add(name: string, realName: string, tz?: string): void {
    const user = this.slack.addPerson({ name, real_name: realName, ...(tz !== undefined && { tz }) })
    this.people.set(name, this.slack.as(user, { channel: this.channel('support') }))
  }

  /** `ada`, in #support; `ada in finance`; or `ada in direct`, where she talks to the app. */
  actor(where: string): Actor {
    const [name = '', channel] = where.split(' in ')
    const person = this.people.get(name)
    if (!person) throw new Error(`there is nobody called ${name}`)
    if (channel === undefined) return person
    const { user } = person
    const direct = () =>
      this.slack.directChannel(user) ??
      this.slack.addChannel({ id: `D${user.id.slice(1)}`, name: 'directmessage', directWith: user.id })
    return this.slack.as(user, { channel: channel === 'direct' ? direct() : this.channel(channel) })
  }

  /** Stops the app and starts it again. */
  async restart(between: () => void = () => {}): Promise<void> {
    await this.#server?.stop()
    between()
    const { slack } = this
    const { hasOAuth, config, readForMs } = this.#options
    const { clientId, clientSecret } = slack.oauth
    const oauth = {
      clientId,
      clientSecret,
      stateSecret: 'an invented secret of states',
      publicUrl,
      supportUrl: 'mailto:help@example.com',
    }
    const own = { signingSecret: slack.signingSecret, apiUrl: slack.apiUrl }
    const key = createSecretKey(Buffer.alloc(32, this.#key))
    this.#server = await startServer(
      {
        slack: hasOAuth ? { ...own, oauth } : { ...own, botToken: slack.botToken },
        telephonyBaseUrl: this.#served.baseUrl,
        recordingsBaseUrl: undefined,
        storeUrl: `sqlite:${join(this.#folder, 'store.sqlite')}`,
        encryptionKeys: [{ id: `k${this.#key}`, key }],
        port: 0,
        host: '127.0.0.1',
        logLevel: 'silent',
        fetchAhead: false,
        mcp: true,
        alertEveryMs: minuteMs,
        invoiceOperation: true,
        metricsToken: undefined,
        supportUrl: undefined,
        ...config,
      },
      {
        ...createLog('silent'),
        now: () => this.#clock.now,
        jobTimes: { pollEveryMs: 20 },
        scheduleTickMs: 20,
        service: { timeoutMs: 3500, backoffMs: 5, restMs: 100 },
        exportCheckMs: 200,
        ...(readForMs !== undefined && { readingTimes: { readForMs } }),
      },
    )
    slack.appUrl = `http://127.0.0.1:${this.#server.port}`
  }

  /** The app can't read any more what it kept encrypted. */
  loseKey(): Promise<void> {
    return this.restart(() => {
      this.#key += 1
    })
  }

  /** The phone service is not there any more. */
  unplug(): Promise<void> {
    this.#isServed = false
    return this.#served.close()
  }

  async stop(): Promise<void> {
    if (this.#isServed) await this.unplug()
    await this.#server?.stop()
    await this.slack.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** The names of the ids that stand in the samples. */
  get directory() {
    const { people, channels } = this.workspaces[0]
    return {
      people: people.map(({ user: { id, real_name: name } }) => ({ id, name })),
      channels: channels.map(({ channel: { id, name } }) => ({ id, name })),
    }
  }

  /** Time goes by. */
  pass(minutes: number): void {
    this.#clock.now += minutes * minuteMs
  }

  /** The same, whatever that does. */
  async tick(minutes: number, waitMs = 80): Promise<void> {
    this.pass(minutes)
    await sleep(waitMs)
  }

  /** Lets minutes go by until the account was asked for its calls again. */
  async watch(): Promise<void> {
    const count = () => this.sandbox.requests.count('incoming')
    const before = count()
    for (let n = 0; n < 30 && count() === before; n += 1) await this.tick(1)
    await sleep(80)
  }

  /** Every request takes that long from now on. */
  slowly(ms: Milliseconds): void {
    this.sandbox.faults.clear()
    this.sandbox.faults.always({ kind: 'delay', ms })
  }

  /** A service that kept failing works again, and what was read is not kept any more. */
  async recover(): Promise<void> {
    this.sandbox.faults.clear()
    await sleep(150)
    this.pass(2)
  }

  /** The service answers a few requests more, and then goes wrong. */
  async failsAfter(requests: number, fault: ResponseFault): Promise<void> {
    const { requests: log } = this.sandbox
    const end = log.count() + requests
    await this.until(() => log.count() >= end || undefined, `${requests} requests`)
    this.sandbox.faults.clear()
    this.sandbox.faults.always(fault)
  }

  /** As many outgoing calls to a number, an hour apart. */
  addCalls(number: string, count: number): void {
    const calls = Array.from({ length: count }, (_, index) => ({
      id: `${number}-${index}`,
      direction: 'outgoing' as const,
      number,
      at: new Date(this.now - (2 + index) * 60 * minuteMs),
      seconds: index % 4 === 1 ? 0 : (index * 97 + 31) % 1500,
      answered: index % 4 !== 1,
      cost: '0.0150',
      recording: '',
      agentId: '1001',
    }))
    this.sandbox.accounts.lively.addCalls(...calls)
  }

  async until<T>(probe: () => T | undefined, what: string): Promise<T> {
    const deadline = performance.now() + patienceMs
    for (;;) {
      const found = probe()
      if (found !== undefined) return found
      if (performance.now() > deadline) {
        const shown = [...this.slack.messages().slice(-3), ...this.slack.openViews().slice(-1)]
        throw new Error(`this did not come: ${what}. Instead:\n${shown.map(readableText).join('\n---\n')}`)
      }
      await sleep(5)
    }
  }
}
