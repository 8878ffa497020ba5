import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../src/config/config.ts'
import { createLog } from '../../../src/log.ts'
import { type Server, startServer } from '../../../src/server.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../../src/util/units.ts'
import { readManifest } from '../../manifest.ts'
import { createSandbox, type Sandbox } from '../../service/app.ts'
import { type ServedSandbox, serveSandbox } from '../../service/serve.ts'
import type { Consent } from '../../slack/api/oauth.ts'
import { isView, readableText } from '../../slack/readable-text.ts'
import {
  type Actor,
  type Channel,
  type Message,
  type Slack,
  startSlack,
  type View,
} from '../../slack/slack.ts'
import { createWorkspaces, type DemoWorkspaces, firstTeam } from '../workspaces.ts'

/** Something that Callboard showed, as Slack received it. */
export type SampleBody =
  | { readonly kind: 'message'; readonly body: Pick<Message, 'text' | 'blocks'> }
  /** `errors`: shown under its fields, by block_id. */
  | { readonly kind: 'modal'; readonly body: View; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'home'; readonly body: View }
  /** A whole page of HTML. */
  | { readonly kind: 'page'; readonly body: string }

interface StageOptions {
  /** Account that is connected first; `none` for samples about connecting. */
  readonly account?: 'lively' | 'quiet' | 'none'
  /** Whether the app is installed by OAuth instead of being configured with one token. */
  readonly hasOAuth?: boolean
  readonly calls?: number
  readonly config?: Partial<Config>
}

/** Samples of a feature that are recorded on a stage of their own. */
export interface Chapter {
  readonly feature: string
  readonly options: StageOptions
  readonly play: (stage: Stage) => Promise<unknown>
}

export const chapter = (feature: string, options: StageOptions, play: Chapter['play']): Chapter => ({
  feature,
  options,
  play,
})

/** A Thursday afternoon in Berlin, so that the samples are the same on any day. */
const begin = Date.parse('2026-11-05T14:32:10Z')
const patienceMs: Milliseconds = 15_000
const moreChannels =
  'front-desk orders returns deliveries repairs complaints partners sales-uk sales-fr night-shift weekend invoices'.split(
    ' ',
  )
const publicUrl = 'https://calls.example.com'

async function stageParts(options: StageOptions) {
  const clock = { now: begin }
  const { scopes } = readManifest()
  const sandbox = createSandbox({ calls: options.calls ?? 400, now: () => new Date(clock.now) })
  const [folder, served, slack] = await Promise.all([
    mkdtemp(join(tmpdir(), 'callboard-gallery-')),
    serveSandbox(sandbox),
    startSlack({ team: firstTeam, scopes, now: () => clock.now, ackTimeoutMs: patienceMs }),
  ])
  return { options, clock, sandbox, folder, served, slack }
}

/** Whether a modal shows a placeholder that will be replaced. */
const isLoading = (place: Message | View): boolean =>
  isView(place) &&
  place.submit === undefined &&
  /"text":"[A-Za-z ]+…/.test(JSON.stringify(place.blocks.slice(0, 1)))

/**
 * Records samples of the real app with a simulated Slack and a sandbox of the phone service. Its clock only moves when a
 * sample says so.
 */
export class Stage {
  readonly samples: (SampleBody & { readonly name: string })[] = []
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly workspaces: DemoWorkspaces
  /** Administrator, member and guest, in #support. */
  readonly ada: Actor
  readonly ben: Actor
  readonly gus: Actor
  readonly #added: Channel[] = []
  readonly #options: StageOptions
  readonly #clock: { now: EpochMs }
  readonly #folder: string
  readonly #served: ServedSandbox
  /** Versions of messages that `posted` has returned. */
  readonly #posted = new Set<string>()
  #server: Server | undefined

  static async start(options: StageOptions): Promise<Stage> {
    const stage = new Stage(await stageParts(options))
    await stage.#startServer()
    const { account = 'lively', hasOAuth = false } = options
    if (account !== 'none' && !hasOAuth) await stage.connect(stage.ada, account)
    return stage
  }

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
    this.ada = this.slack.as(people[0].user, where)
    this.ben = this.slack.as(people[1].user, where)
    this.gus = this.slack.as(people[2].user, where)
  }

  get now(): EpochMs {
    return this.#clock.now
  }

  channel(name: string): Channel {
    const found = this.workspaces[0].channels.find(({ channel }) => channel.name === name)
    if (!found) throw new Error(`there is no channel ${name}`)
    return found.channel
  }

  /** Adds a dozen channels. @returns Ada in each of them */
  addChannels(): readonly Actor[] {
    const channels = moreChannels.map((name) => this.slack.addChannel({ name }))
    this.#added.push(...channels)
    return channels.map((channel) => this.slack.as(this.ada.user, { channel }))
  }

  /** Records a message, modal or Home tab once it is complete. */
  async take<T extends Message | View>(name: string, shown: T | Promise<T>): Promise<T> {
    const place = await shown
    const errors = 'errors' in place ? { ...Object(place.errors) } : {}
    const done = Object.keys(errors).length > 0 ? place : await this.settled(place)
    if (!isView(done))
      this.samples.push({ name, kind: 'message', body: { text: done.text, blocks: done.blocks } })
    else if (done.type === 'home') this.samples.push({ name, kind: 'home', body: done })
    else this.samples.push({ name, kind: 'modal', body: done, errors })
    return place
  }

  settled(place: Message | View): Promise<Message | View> {
    const now = () => (isView(place) ? this.slack.view(place.id) : this.slack.message(place.ts)) ?? place
    return this.until(() => (isLoading(now()) ? undefined : now()), 'a complete answer')
  }

  /** Waits for the newest message in a channel, or from the app to a person alone, with this text; each version once. */
  async posted(where: Channel | Actor, text: string): Promise<Message> {
    const version = ({ ts, blocks }: Message) => ts + JSON.stringify(blocks)
    const find = () => {
      const id = 'user' in where ? this.slack.directChannel(where.user)?.id : where.id
      const matches = (one: Message) =>
        one.channel === id &&
        one.onlyFor === undefined &&
        !this.#posted.has(version(one)) &&
        readableText(one).includes(text)
      return this.slack.messages().findLast(matches)
    }
    const found = await this.until(find, text)
    this.#posted.add(version(found))
    return found
  }

  /** Opens a form and submits it. */
  async fillIn(by: Actor, command: string, values: Parameters<Actor['submit']>[1] = {}): Promise<View> {
    return by.submit(await by.open(command), values)
  }

  /** Connects the workspace to one of the accounts. */
  async connect(by = this.ada, account: 'lively' | 'quiet' = 'lively'): Promise<View> {
    const { key, secret } = this.sandbox.accounts[account]
    const shown = await this.fillIn(by, '/calls connect', { key, secret })
    await this.settled(shown)
    return shown
  }

  /** Names the account's own numbers, in the order of the form. */
  nameLines(...names: readonly string[]): Promise<View> {
    return this.fillIn(
      this.ada,
      '/calls lines',
      Object.fromEntries(names.map((name, n) => [`line-${n}`, name])),
    )
  }

  async page(name: string, path: string, cookie = '') {
    const { appUrl } = this.slack
    const url = path.startsWith('http') ? path.replace(publicUrl, appUrl) : `${appUrl}${path}`
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    const body = await response.text()
    if (name !== '') this.samples.push({ name, kind: 'page', body })
    const newCookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { cookie: newCookie, location: response.headers.get('location') ?? '' }
  }

  /** Follows the link that installs the app. @returns where Slack redirects to, with the cookie */
  async consent(consent: Consent): Promise<readonly [url: string, cookie: string]> {
    const { location, cookie } = await this.page('', '/slack/install')
    return [this.slack.oauth.consent(location, consent), cookie]
  }

  /** Installs the app in Ada's workspace. */
  async install(): Promise<void> {
    await this.page('', ...(await this.consent({ team: this.slack.workspace, user: this.ada.user })))
  }

  async #startServer(): Promise<void> {
    const { slack } = this
    const { hasOAuth, config } = this.#options
    const { clientId, clientSecret } = slack.oauth
    const oauth = {
      clientId,
      clientSecret,
      stateSecret: 'an invented secret of states',
      publicUrl,
      supportUrl: 'mailto:help@example.com',
    }
    const own = { signingSecret: slack.signingSecret, apiUrl: slack.apiUrl }
    this.#server = await startServer(
      {
        slack: hasOAuth ? { ...own, oauth } : { ...own, botToken: slack.botToken },
        telephonyBaseUrl: this.#served.baseUrl,
        recordingsBaseUrl: undefined,
        storeUrl: `sqlite:${join(this.#folder, 'store.sqlite')}`,
        encryptionKeys: [{ id: 'gallery', key: createSecretKey(Buffer.alloc(32, 1)) }],
        port: 0,
        host: '127.0.0.1',
        logLevel: 'silent',
        fetchAhead: false,
        mcp: true,
        drainMs: 0,
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
        // A busy machine takes longer.
        readingTimes: { progressAfterMs: patienceMs },
        slackTimes: { openModalWithinMs: patienceMs },
      },
    )
    slack.appUrl = `http://127.0.0.1:${this.#server.port}`
  }

  async stop(): Promise<void> {
    await this.#served.close()
    await this.#server?.stop()
    await this.slack.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Names of the people and channels in the samples. */
  get directory() {
    const { people, channels } = this.workspaces[0]
    return {
      people: people.map(({ user: { id, real_name: name } }) => ({ id, name })),
      channels: [...channels.map(({ channel }) => channel), ...this.#added].map(({ id, name }) => ({
        id,
        name,
      })),
    }
  }

  /** Moves the clock. */
  pass(minutes: number): void {
    this.#clock.now += minutes * minuteMs
  }

  /** Moves the clock and gives background work a moment. */
  async tick(minutes: number, waitMs = 80): Promise<void> {
    this.pass(minutes)
    await sleep(waitMs)
  }

  /** Moves the clock until the account was polled again. */
  async watch(): Promise<void> {
    const count = () => this.sandbox.requests.count('incoming')
    const before = count()
    for (let n = 0; n < 30 && count() === before; n += 1) await this.tick(1)
    await sleep(80)
  }

  /** Delays every request. */
  slowly(ms: Milliseconds): void {
    this.sandbox.faults.clear()
    this.sandbox.faults.always({ kind: 'delay', ms })
  }

  /** Fails every request with a status while something is done. */
  async during(status: number, act: () => Promise<unknown>): Promise<void> {
    const { faults } = this.sandbox
    faults.always({ kind: 'status', status })
    await act()
    faults.clear()
    await sleep(150)
    this.pass(2)
  }

  /** Adds outgoing calls to a number, an hour apart. */
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
