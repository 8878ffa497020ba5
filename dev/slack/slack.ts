import { createServer, type Server } from 'node:http'
import { close, listen, loopbackOnly } from '../listen.ts'
import { Actor } from './actions/actor.ts'
import { AppClient, type AppResponse } from './actions/app-client.ts'
import type { Exchange } from './actions/exchange.ts'
import type {
  ClickInput,
  CloseInput,
  CommandInput,
  EventInput,
  RawClickInput,
  RawRequest,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
} from './actions/inputs.ts'
import { Requests } from './actions/requests.ts'
import { Slackbot } from './actions/slackbot.ts'
import type { Fault } from './api/faults.ts'
import type { ConsentOffer, OAuth } from './api/oauth.ts'
import { requestListener } from './api/server.ts'
import { rateLimited } from './api/web-api.ts'
import type { Changes } from './changes.ts'
import { type Call, Core, type LocatedViolation } from './core.ts'
import type { Channel, NewUser, People, Team, TeamOptions, User, Workspace } from './directory.ts'
import type { SlackFile } from './files.ts'
import type { Json } from './shapes.ts'
import type { Message, View } from './surfaces.ts'

export type { Actor } from './actions/actor.ts'
export type { Choice } from './actions/elements.ts'
export type { Exchange } from './actions/exchange.ts'
export type { Fault } from './api/faults.ts'
export type { Call } from './core.ts'
export type { Channel, People, Team, User } from './directory.ts'
export type { Message, View } from './surfaces.ts'

/**
 * Starts a stand-in for Slack on a free port of loopback. Close it when the test is over.
 *
 *     const slack = await startSlack()
 *     const command = await slack.command(appUrl, { command: '/calls', user: slack.people.admin })
 *     const message = await command.waitForMessage()
 *     const click = await slack.click(appUrl, { message, action_id: 'calls.page.next' })
 *     expect(await click.waitForMessage()).toMatchObject({ text: … })
 *     expect(slack.violations).toEqual([])
 */
export async function startSlack(options?: ConstructorParameters<typeof Core>[0]): Promise<Slack> {
  const core = new Core(options)
  const server = createServer(loopbackOnly(requestListener(core)))
  core.origin = `http://127.0.0.1:${await listen(server)}`
  return new Slack(core, server)
}

/** A simulated Slack. It sends people's actions to the app, and records the app's calls. */
export class Slack {
  readonly #core: Core
  readonly #server: Server
  readonly #requests: Requests
  /** For SLACK_API_URL. */
  readonly apiUrl: string
  readonly signingSecret: string
  readonly workspace: Team
  readonly people: People
  readonly general: Channel
  readonly oauth: OAuth
  readonly slackbot: Slackbot
  /** Types of blocks that Slack refuses, as if it didn't support them yet. */
  readonly refusedBlocks: Set<string>
  /** Emits changes of messages and views, and calls of the app. */
  readonly changes: Changes
  /** All violations so far; tests expect none. */
  readonly violations: readonly LocatedViolation[]
  /** Messages in acknowledgements of clicks, which Slack doesn't show. */
  readonly dropped: readonly unknown[]
  readonly calls: readonly Call[]
  /** Bodies of the app's acknowledgements. */
  readonly acknowledged: readonly string[]

  constructor(core: Core, server: Server) {
    this.#core = core
    this.#server = server
    const app = new AppClient(core)
    this.#requests = new Requests(core, app)
    this.slackbot = new Slackbot(core, app)
    this.refusedBlocks = core.refusedBlocks
    this.apiUrl = `${core.origin}/api/`
    this.signingSecret = core.signingSecret
    this.workspace = core.workspace.team
    this.people = core.workspace.people
    this.general = core.workspace.general
    this.oauth = core.oauth
    this.changes = core.changes
    this.violations = core.violations
    this.dropped = core.dropped
    this.calls = core.calls
    this.acknowledged = core.acknowledged
  }

  /** Returns the actions of one person, in #general by default. */
  as(user: User, where: { readonly channel?: Channel } = {}): Actor {
    return new Actor(this.#core, this.#requests, user, where)
  }

  /** Address of the app, for actions by `Slack.as`. */
  get appUrl(): string {
    return this.#core.appUrl
  }

  set appUrl(url: string) {
    this.#core.appUrl = url
  }

  get botToken(): string {
    return this.workspace.botToken
  }

  addTeam(options: TeamOptions = {}): Workspace {
    return this.#core.directory.addWorkspace(options)
  }

  /** Returns the next timestamp, for messages from people. */
  nextTs(): string {
    return this.#core.ids.nextTs()
  }

  /** Adds a person. Any field of users.info may be set. */
  addPerson(fields: NewUser, team: Team = this.workspace): User {
    return this.#core.directory.addPerson(fields, team)
  }

  join(user: User, team: Team): User {
    return this.#core.directory.join(user, team)
  }

  addChannel(fields: Partial<Channel> & { name: string }, team: Team = this.workspace): Channel {
    return this.#core.directory.addChannel(fields, team)
  }

  /** Returns the direct conversation with a person; undefined until the app has written to them. */
  directChannel(user: User): Channel | undefined {
    return this.#core.directory.channels.find(({ directWith }) => directWith === user.id)
  }

  /** Ends a person's session, which deletes their ephemeral messages. */
  endSession({ id }: User): void {
    this.#core.messages.deleteEphemeral(id)
    this.changes.emit('change')
  }

  /** Makes the next call to a method, or the next post to a `response_url`, fail. Several faults apply in order. */
  failNext(target: string, fault: Fault): void {
    this.#core.faults.plan(target, fault)
  }

  /** Makes the next call fail with status 429 and Retry-After in seconds. */
  rateLimitNext(method: string, seconds: number): void {
    this.failNext(method, rateLimited(seconds))
  }

  /** Serves Slack's own pages: the consent page, and links into a workspace. */
  offerConsent(offer: ConsentOffer): void {
    this.#core.consentOffer = offer
  }

  set socketUrl(url: string) {
    this.#core.socketUrl = url
  }

  /** Moves the clock that expires trigger_ids and response_urls. */
  advance(ms: number): void {
    this.#core.advance(ms)
  }

  /** Waits until `probe` returns a value; checks it after every call and acknowledgement. */
  waitFor<T>(probe: () => T | undefined, timeoutMs = 15_000): Promise<T> {
    return this.#core.changes.until(probe, timeoutMs, () => 'what the test waits for')
  }

  /** Returns the violations so far and removes them, for tests that cause some. */
  takeViolations(): readonly LocatedViolation[] {
    return this.#core.violations.splice(0)
  }

  callsTo(method: string): readonly Call[] {
    return this.calls.filter((call) => call.method === method)
  }

  /** Returns existing messages; with a person, only the ephemeral ones that they see. */
  messages({ channel, user }: { channel?: Channel; user?: User } = {}): readonly Message[] {
    const isVisible = ({ onlyFor }: Message) => !onlyFor || !user || onlyFor === user.id
    return this.#core.messages
      .all()
      .filter((one) => (!channel || one.channel === channel.id) && isVisible(one))
  }

  message(ts: string): Message | undefined {
    return this.#core.messages.get(ts)
  }

  /**
   * Returns the newest version of a message with this element, because Slack delivers clicks on outdated versions; undefined if
   * no version had it, or the message was deleted.
   */
  messageWith(ts: string, actionId: string, blockId?: string): Message | undefined {
    return this.#core.messages.withElement(ts, actionId, blockId)
  }

  get files(): readonly SlackFile[] {
    return this.#core.files.all()
  }

  view(id: string): View | undefined {
    return this.#core.views.get(id)?.current
  }

  home(user: User): View | undefined {
    const team = this.#core.directory.getTeam(user)
    return team === undefined ? undefined : this.#core.views.home(team, user.id)?.current
  }

  /** Returns the open modals, the lowest first. */
  openViews(): readonly View[] {
    const views = this.#core.views.all().map(({ current }) => current)
    return views.filter(({ type }) => type === 'modal')
  }

  command(appUrl: string, input: CommandInput): Promise<Exchange> {
    return this.#requests.command(appUrl, input)
  }

  click(appUrl: string, input: ClickInput): Promise<Exchange> {
    return this.#requests.click(appUrl, input)
  }

  clickRaw(appUrl: string, input: RawClickInput): Promise<Exchange> {
    return this.#requests.clickRaw(appUrl, input)
  }

  shortcut(appUrl: string, input: ShortcutInput): Promise<Exchange> {
    return this.#requests.shortcut(appUrl, input)
  }

  suggest(appUrl: string, input: SuggestInput): Promise<Exchange> {
    return this.#requests.suggest(appUrl, input)
  }

  submit(appUrl: string, input: SubmitInput): Promise<Exchange> {
    return this.#requests.submit(appUrl, input)
  }

  closeView(input: CloseInput): void {
    this.#requests.closeView(input)
  }

  event(appUrl: string, event: Json, options?: EventInput): Promise<AppResponse> {
    return this.#requests.event(appUrl, event, options)
  }

  raw(appUrl: string, request: RawRequest): Promise<AppResponse> {
    return this.#requests.raw(appUrl, request)
  }

  async close(): Promise<void> {
    await this.#requests.close()
    await close(this.#server)
  }
}
