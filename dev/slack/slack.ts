import { createServer, type Server } from 'node:http'
import { close, listen, loopbackOnly } from '../listen.ts'
import {
  takeClickAck,
  takeCommandAck,
  takeSubmissionAck,
  takeSuggestions,
} from './actions/acknowledgements.ts'
import { Actor } from './actions/actor.ts'
import { AppClient, type AppResponse } from './actions/app-client.ts'
import { createAction, findElement, isStateful, stateKey, stateValues } from './actions/elements.ts'
import { Exchange } from './actions/exchange.ts'
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
import { commandFields, eventEnvelope, interactionFields, viewJson } from './actions/payloads.ts'
import {
  assertSubmittable,
  begin,
  describeSurface,
  getAuthor,
  getFirstChannel,
  getShortcutTarget,
  getViewer,
} from './actions/requests.ts'
import { Slackbot } from './actions/slackbot.ts'
import type { Fault } from './api/faults.ts'
import type { ConsentOffer, OAuth } from './api/oauth.ts'
import { requestListener } from './api/server.ts'
import { rateLimited } from './api/web-api.ts'
import type { Changes } from './changes.ts'
import { type Call, Core, type LocatedViolation } from './core.ts'
import { type Channel, payloadName, type Team, type TeamOptions, type Workspace } from './directory.ts'
import type { SlackFile } from './files.ts'
import type { NewUser, People, User } from './people.ts'
import type { Json } from './shapes.ts'
import { getTeam, type Message, type View } from './surfaces.ts'

export type { Actor } from './actions/actor.ts'
export type { Choice } from './actions/elements.ts'
export type { Exchange } from './actions/exchange.ts'
export type { Fault } from './api/faults.ts'
export type { Call } from './core.ts'
export type { Channel, Team } from './directory.ts'
export type { People, User } from './people.ts'
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

/** A local Slack. It sends people's actions to the app as signed requests, and records the app's calls. */
export class Slack {
  readonly #core: Core
  readonly #server: Server
  readonly #app: AppClient
  /** Address of the app, for actions by `Slack.as`. */
  appUrl = ''
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
    this.#app = new AppClient(core)
    this.slackbot = new Slackbot(core, this.#app)
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
    return new Actor(this, user, where)
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
  waitFor<T>(probe: () => T | undefined, timeoutMs = 15_000, what = 'what the test waits for'): Promise<T> {
    return this.#core.changes.until(probe, timeoutMs, () => what)
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
    const { command, text = '' } = input
    const { user, team } = getAuthor(this.#core, input.user)
    const channel = input.channel ?? getFirstChannel(this.#core, team)
    const issuing = { team, user, replies: { kind: 'commands', channel: channel.id } } as const
    const exchange = begin(
      this.#core,
      issuing,
      ({ trigger_id: triggerId, response_url: responseUrl = '' }) => ({
        ...commandFields({ team, user, channel, command, text, responseUrl, triggerId }),
        ...input.fields,
      }),
    )
    return this.#app.sendForm(appUrl, exchange.payload, exchange, (response) =>
      takeCommandAck(exchange, response, { team, user, channel }, this.#core),
    )
  }

  /** Clicks a button or chooses an option. @throws {Error} if there is no such element, or the person can't use it */
  async click(appUrl: string, input: ClickInput): Promise<Exchange> {
    const { message, view, choose, values = {} } = input
    const target = findElement((message ?? view).blocks, input.action_id, input.block_id)
    if (target.block.type === 'input' && target.block.dispatch_action !== true)
      throw new Error(`${input.action_id} is only sent on submit: its block has no dispatch_action`)
    const action = createAction(target, choose, this.nextTs())
    const { action_id: actionId, block_id: blockId, action_ts: _ts, ...value } = action
    const chosen = new Map(
      isStateful(target.element) ? [[stateKey(String(blockId), String(actionId)), value]] : [],
    )
    if (view !== undefined) {
      const open = this.#core.views.mustGet(view)
      open.enter(stateValues(view.blocks, values, open.entered))
      for (const [key, one] of chosen) open.entered.set(key, one)
      return this.#sendAction(appUrl, input, action, {})
    }
    const state = { values: stateValues(message.blocks, {}, chosen) }
    return this.#sendAction(appUrl, input, action, { state })
  }

  /** Sends a click on an action that isn't on the screen. */
  async clickRaw(appUrl: string, input: RawClickInput): Promise<Exchange> {
    const action = { type: 'button', block_id: 'forged', action_ts: this.nextTs(), ...input.action }
    return this.#sendAction(appUrl, input, action, {})
  }

  /**
   * Chooses a shortcut in the menu of a message: a payload of the type `message_action`.
   * https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
   * @throws Error if the message has no shortcuts
   */
  shortcut(appUrl: string, { callback_id, message, user: chosenBy, fields }: ShortcutInput) {
    const core = this.#core
    const { user, team } = getAuthor(core, chosenBy)
    const { json, channel } = getShortcutTarget(core, { user, team }, message)
    const issuing = { team, user, replies: { kind: 'actions', channel: channel.id } } as const
    // Bolt's type of it knows no `api_app_id`.
    const { api_app_id: _, ...common } = interactionFields('message_action', team, user)
    const exchange = begin(core, issuing, (issued) => ({
      ...common,
      callback_id,
      action_ts: core.ids.nextTs(),
      ...issued,
      channel: { id: channel.id, name: payloadName(channel) },
      message_ts: json['ts'],
      message: json,
      ...fields,
    }))
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
  }

  /** Types into an external select. @throws Error if the text is shorter than its `min_query_length` */
  async suggest(appUrl: string, input: SuggestInput): Promise<Exchange> {
    const { blocks } = input.message ?? input.view
    const { element, block } = findElement(blocks, input.action_id, input.block_id)
    const min = element.min_query_length ?? 3
    if (input.value.length < min) throw new Error(`Slack sends no request below ${min} characters`)
    const payload = {
      ...interactionFields('block_suggestion', getTeam(input), getViewer(this.#core, input, input.user)),
      ...describeSurface(this.#core, input),
      action_id: element.action_id,
      block_id: block.block_id,
      value: input.value,
      ...input.fields,
    }
    const exchange = new Exchange(payload, this.#core.changes)
    return this.#app.sendPayload(appUrl, exchange, (response) =>
      takeSuggestions(exchange, response, this.#core),
    )
  }

  /** Submits a modal. @throws Error if it is closed or a required field is empty */
  async submit(appUrl: string, input: SubmitInput): Promise<Exchange> {
    const core = this.#core
    const { view, values = {}, force = false } = input
    const open = core.views.mustGet(view)
    const state = stateValues(view.blocks, values, open.entered)
    if (!force) assertSubmittable(view, state)
    open.enter(state)
    const user = getViewer(core, { view }, input.user)
    const exchange = begin(core, { team: view.team, user }, (issued) => ({
      ...interactionFields('view_submission', view.team, user),
      ...issued,
      view: viewJson(view, state),
      response_urls: [],
      ...input.fields,
    }))
    open.exchange = exchange
    await this.#app.sendPayload(appUrl, exchange, (response) => {
      exchange.result = takeSubmissionAck(exchange, response, open, core)
    })
    exchange.result ??= { action: 'failed', reason: exchange.error ?? 'failed' }
    return exchange
  }

  /**
   * Closes a modal without notifying the app, because no view asks for that.
   * @throws {Error} if it is closed, or belongs to another person
   */
  closeView({ view, user }: CloseInput): void {
    this.#core.views.mustGet(view)
    getViewer(this.#core, { view }, user)
    this.#core.views.close(view.id)
    this.#core.changes.emit('change')
  }

  event(appUrl: string, event: Json, { team, fields }: EventInput = {}): Promise<AppResponse> {
    const { team: first } = getAuthor(this.#core)
    const envelope = eventEnvelope(team ?? first, event, this.#core.now(), this.nextTs())
    const headers = { 'content-type': 'application/json' }
    return this.raw(appUrl, { body: JSON.stringify({ ...envelope, ...fields }), headers })
  }

  /** Sends any body; the signature may be forged or stale. Its headers replace the default ones. */
  raw(appUrl: string, request: RawRequest): Promise<AppResponse> {
    return this.#app.send(appUrl, request)
  }

  #sendAction(appUrl: string, input: ClickInput | RawClickInput, action: Json, state: Json) {
    const core = this.#core
    const { message, view } = input
    const [team, user] = [getTeam(input), getViewer(core, input, input.user)]
    const issuing = message
      ? { team, user, replies: { kind: 'actions', channel: message.channel, original: message.ts } as const }
      : { team, user }
    const exchange = begin(core, issuing, (issued) => ({
      ...interactionFields('block_actions', team, user, { isEphemeral: message?.onlyFor !== undefined }),
      ...describeSurface(core, input),
      ...issued,
      ...state,
      actions: [action],
      ...input.fields,
    }))
    if (view !== undefined) core.views.mustGet(view).exchange = exchange
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
  }

  async close(): Promise<void> {
    await this.#app.close()
    await close(this.#server)
  }
}
