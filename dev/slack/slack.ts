import type { AddressInfo } from 'node:net'
import { Actor } from './actor.ts'
import { Witness } from './call-log.ts'
import type { ConsentOffer } from './consent-page.ts'
import { Core } from './core.ts'
import type { Channel, Team, TeamOptions, User } from './directory.ts'
import type { Fault } from './faults.ts'
import type { OAuth } from './oauth.ts'
import type { SlackOptions } from './options.ts'
import { addPeople, type People } from './people.ts'
import { createSlackServer } from './server.ts'

export type { Actor } from './actor.ts'
export type { Breach, Call } from './core.ts'
export type { Channel, Team, User } from './directory.ts'
export type { Choice } from './elements.ts'
export type { Fault } from './faults.ts'
export type {
  ClickInput,
  CommandInput,
  RawClickInput,
  RawInput,
  SubmitInput,
  SuggestInput,
} from './inputs.ts'
export type { Interaction, Outcome, Post } from './interaction.ts'
export type { SlackOptions } from './options.ts'
export type { People } from './people.ts'
export type { Block, Element, MessageBody, Option, ViewBody } from './shapes.ts'
export type { Answer } from './signing.ts'
export type { Message, View } from './stores.ts'

/**
 * Starts a stand-in for Slack on a free port of loopback. Close it when the test is over.
 *
 *     const slack = await startSlack()
 *     const asked = await slack.command(appUrl, { command: '/calls', user: slack.people.admin })
 *     const message = await asked.waitForMessage()
 *     const clicked = await slack.click(appUrl, { message, action_id: 'calls.page.next' })
 *     expect(await clicked.waitForMessage()).toMatchObject({ text: … })
 *     expect(slack.violations).toEqual([])
 */
export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const core = new Core()
  const server = createSlackServer(core, options.scopes)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new Slack(core, options, address, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}

export class Slack extends Witness {
  /** For SLACK_API_URL. */
  readonly apiUrl: string
  readonly signingSecret: string
  readonly workspace: Team
  readonly people: People
  readonly general: Channel
  /** Where the app listens, for what people do by `as`. */
  appUrl = ''
  readonly #core: Core
  readonly #stop: () => Promise<void>

  constructor(core: Core, options: SlackOptions, { port }: AddressInfo, stop: () => Promise<void>) {
    const signingSecret = options.signingSecret ?? 'stand-in-signing-secret'
    const workspace = core.directory.addTeam(options.team)
    const people = addPeople(core, workspace)
    const general = core.directory.addChannel({ name: 'general' }, workspace)
    const origin = `http://127.0.0.1:${port}`
    const { ackTimeoutMs = 3000 } = options
    super(core, { signingSecret, origin, ackTimeoutMs, defaults: { user: people.member, channel: general } })
    this.apiUrl = `${origin}/api/`
    this.signingSecret = signingSecret
    this.workspace = workspace
    this.people = people
    this.general = general
    this.#core = core
    this.#stop = stop
  }

  /** What one person does, in #general unless a channel is given. */
  as(user: User, where: { readonly channel?: Channel } = {}): Actor {
    return new Actor(this, user, where)
  }

  /** The first workspace's. */
  get botToken(): string {
    return this.workspace.botToken
  }

  /** Slack's side of an installation by OAuth. */
  get oauth(): OAuth {
    return this.#core.oauth
  }

  /** Waits until `probe` gives something, looked at whenever the app called or answered. */
  waitFor<T>(probe: () => T | undefined, timeoutMs = 5000, what = 'what the test waits for'): Promise<T> {
    return this.#core.changes.until(probe, timeoutMs, () => what)
  }

  addTeam(options: TeamOptions = {}): { team: Team; people: People; general: Channel } {
    const team = this.#core.directory.addTeam(options)
    const people = addPeople(this.#core, team)
    return { team, people, general: this.#core.directory.addChannel({ name: 'general' }, team) }
  }

  /** Calls `hear` at every change, until the function that it returns is called. */
  listen(hear: () => void): () => void {
    return this.#core.changes.listen(hear)
  }

  /** A time stamp later than every one before, for what people write themselves. */
  nextTs(): string {
    return this.#core.nextTs()
  }

  /** Somebody more; any field of users.info may be given. */
  addPerson(fields: Partial<User> & { name: string }, team: Team = this.workspace): User {
    return this.#core.directory.addPerson(fields, team)
  }

  addChannel(fields: Partial<Channel> & { name: string }, team: Team = this.workspace): Channel {
    return this.#core.directory.addChannel(fields, team)
  }

  /** The conversation of the app with this person alone; undefined until the app has written to them. */
  directChannel(user: User): Channel | undefined {
    return this.#core.directory.channels.find(({ directWith }) => directWith === user.id)
  }

  /** The next call to a method, or the next post to a `response_url`, goes wrong. Several are taken in order. */
  failNext(target: string, fault: Fault): void {
    this.#core.faults.plan(target, fault)
  }

  /** https://docs.slack.dev/apis/web-api/rate-limits: 429 with Retry-After in seconds. */
  rateLimitNext(method: string, seconds: number): void {
    this.failNext(method, {
      status: 429,
      body: { ok: false, error: 'ratelimited' },
      headers: { 'retry-after': String(seconds) },
    })
  }

  /** Whether any message with a table is refused with invalid_blocks. */
  get refuseTables(): boolean {
    return this.#core.refuseTables
  }

  set refuseTables(refuse: boolean) {
    this.#core.refuseTables = refuse
  }

  /** Shows Slack's own pages: consent to an installation, and the way into a workspace. */
  offerConsent(offer: ConsentOffer): void {
    this.#core.consentOffer = offer
  }

  /** Where an app in Socket Mode is to connect to. */
  set socketUrl(url: string) {
    this.#core.socketUrl = url
  }

  /** Moves the clock that trigger_ids and response_urls run out by. */
  advance(ms: number): void {
    this.#core.advance(ms)
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#stop()
  }
}
