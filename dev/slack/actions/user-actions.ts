import type { Core } from '../core.ts'
import { type Channel, payloadName, type Team } from '../directory.ts'
import type { User } from '../people.ts'
import type { Json } from '../shapes.ts'
import { getTeam, type Message, type Surface, type View } from '../surfaces.ts'
import { takeClickAck, takeCommandAck, takeSubmissionAck, takeSuggestions } from './acknowledgements.ts'
import { AppClient, type AppResponse } from './app-client.ts'
import {
  createAction,
  findElement,
  isEmpty,
  isStateful,
  type StateValues,
  stateKey,
  stateValues,
} from './elements.ts'
import { Exchange } from './exchange.ts'
import type {
  ClickInput,
  CloseInput,
  CommandInput,
  PayloadOverrides,
  RawClickInput,
  RawRequest,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
  WrittenMessage,
} from './inputs.ts'
import {
  commandFields,
  eventEnvelope,
  interactionFields,
  messageJson,
  surfaceFields,
  viewJson,
} from './payloads.ts'
import type { ResponseUrl } from './response-urls.ts'
import { Slackbot, type ToolInfo } from './slackbot.ts'

const isOfApp = (message: Message | WrittenMessage): message is Message => 'via' in message

/** Sends people's actions to the app like Slack: signed, form-encoded, over HTTP. */
export class UserActions {
  protected readonly core: Core
  readonly #app: AppClient
  readonly #slackbot: Slackbot

  constructor(core: Core) {
    this.core = core
    this.#app = new AppClient(core)
    this.#slackbot = new Slackbot(core, this.#app)
  }

  close(): Promise<void> {
    return this.#app.close()
  }

  /** Returns the tools that the app offers to Slackbot. */
  tools(appUrl: string): Promise<readonly ToolInfo[]> {
    return this.#slackbot.tools(appUrl)
  }

  /** Calls a tool like Slackbot, because a person asked for it or clicked a button of its answer. */
  callTool(appUrl: string, input: { readonly user: User; readonly tool: string; readonly args: Json }) {
    const { user, team } = this.#author(input.user)
    return this.#slackbot.call(appUrl, { ...input, user, teamId: team.teamId })
  }

  command(appUrl: string, input: CommandInput): Promise<Exchange> {
    const { command, text = '' } = input
    const { user, team } = this.#author(input.user)
    const channel = input.channel ?? this.#channelIn(team)
    const issuing = { team, user, replies: { kind: 'commands', channel: channel.id } } as const
    const exchange = this.#begin(issuing, ({ trigger_id: triggerId, response_url: responseUrl = '' }) => ({
      ...commandFields({ team, user, channel, command, text, responseUrl, triggerId }),
      ...input.fields,
    }))
    return this.#app.sendForm(appUrl, exchange.payload, exchange, (response) =>
      takeCommandAck(exchange, response, { team, user, channel }, this.core),
    )
  }

  /** Clicks a button or chooses an option. @throws {Error} if there is no such element, or the person can't use it */
  async click(appUrl: string, input: ClickInput): Promise<Exchange> {
    const { message, view, choose, values = {} } = input
    const target = findElement((message ?? view).blocks, input.action_id, input.block_id)
    if (target.block.type === 'input' && target.block.dispatch_action !== true)
      throw new Error(
        `${input.action_id} is read when its view is submitted: its block has no dispatch_action`,
      )
    const action = createAction(target, choose, this.core.ids.nextTs())
    const { action_id: actionId, block_id: blockId, action_ts: _ts, ...value } = action
    const chosen = new Map(
      isStateful(target.element) ? [[stateKey(String(blockId), String(actionId)), value]] : [],
    )
    if (view !== undefined) {
      const open = this.core.views.mustGet(view)
      open.enter(stateValues(view.blocks, values, open.entered))
      for (const [key, one] of chosen) open.entered.set(key, one)
      return this.#sendAction(appUrl, input, action, {})
    }
    const state = { values: stateValues(message.blocks, {}, chosen) }
    return this.#sendAction(appUrl, input, action, { state })
  }

  /** Sends a click on an action that isn't on the screen. */
  async clickRaw(appUrl: string, input: RawClickInput): Promise<Exchange> {
    const action = { type: 'button', block_id: 'forged', action_ts: this.core.ids.nextTs(), ...input.action }
    return this.#sendAction(appUrl, input, action, {})
  }

  /**
   * Chooses a shortcut in the menu of a message: a payload of the type `message_action`.
   * https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
   * @throws Error if the message has no shortcuts
   */
  shortcut(appUrl: string, { callback_id, message, user: chosenBy, fields }: ShortcutInput) {
    const { core } = this
    const { user, team } = this.#author(chosenBy)
    if (isOfApp(message) && message.onlyFor !== undefined)
      throw new Error('an ephemeral message has no shortcuts')
    const channel = isOfApp(message)
      ? core.directory.channel(team, message.channel)
      : (message.channel ?? this.#channelIn(team))
    if (channel === undefined) throw new Error('the message is in no channel')
    const written = ({ channel: _, ...own }: WrittenMessage): Json => {
      return { type: 'message', user: user.id, team: team.teamId, ts: core.ids.nextTs(), ...own }
    }
    const json = isOfApp(message) ? messageJson(message) : written(message)
    const issuing = { team, user, replies: { kind: 'actions', channel: channel.id } } as const
    // Bolt's type of it knows no `api_app_id`.
    const { api_app_id: _, ...common } = interactionFields('message_action', team, user)
    const exchange = this.#begin(issuing, (issued) => ({
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
    const least = element.min_query_length ?? 3
    if (input.value.length < least) throw new Error(`Slack asks for nothing below ${least} characters`)
    const payload = {
      ...interactionFields('block_suggestion', getTeam(input), this.#on(input, input.user)),
      ...this.#surfaceFields(input),
      action_id: element.action_id,
      block_id: block.block_id,
      value: input.value,
      ...input.fields,
    }
    const exchange = new Exchange(payload, this.core.changes)
    return this.#app.sendPayload(appUrl, exchange, (response) =>
      takeSuggestions(exchange, response, this.core),
    )
  }

  /** Submits a modal. @throws Error if it is closed or a required field is empty */
  async submit(appUrl: string, input: SubmitInput): Promise<Exchange> {
    const { core } = this
    const { view, values = {}, force = false } = input
    const open = core.views.mustGet(view)
    const state = stateValues(view.blocks, values, open.entered)
    if (!force) mustBeSubmittable(view, state)
    open.enter(state)
    const user = this.#on({ view }, input.user)
    const exchange = this.#begin({ team: view.team, user }, (issued) => ({
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
    this.core.views.mustGet(view)
    this.#on({ view }, user)
    this.core.views.close(view.id)
    this.core.changes.emit('change')
  }

  event(
    appUrl: string,
    event: Json,
    options: { readonly team?: Team } & PayloadOverrides = {},
  ): Promise<AppResponse> {
    const team = options.team ?? this.#author().team
    const envelope = eventEnvelope(team, event, this.core.now(), this.core.ids.nextTs())
    return this.raw(appUrl, {
      body: JSON.stringify({ ...envelope, ...options.fields }),
      headers: { 'content-type': 'application/json' },
    })
  }

  /**
   * Slack checks the certificate of the commands' URL now and then, with an unsigned request that is no command.
   * https://docs.slack.dev/interactivity/implementing-slash-commands#responding_basic_receipt
   */
  sslCheck(appUrl: string): Promise<AppResponse> {
    return this.raw(appUrl, { body: 'ssl_check=1&token=verification-token-nobody-reads', secret: null })
  }

  /** Sends any body; the signature may be forged or stale. Its headers replace the default ones. */
  raw(appUrl: string, request: RawRequest): Promise<AppResponse> {
    return this.#app.send(appUrl, request)
  }

  #sendAction(appUrl: string, input: ClickInput | RawClickInput, action: Json, state: Json) {
    const { core } = this
    const { message, view } = input
    const [team, user] = [getTeam(input), this.#on(input, input.user)]
    const issuing = message
      ? { team, user, replies: { kind: 'actions', channel: message.channel, original: message.ts } as const }
      : { team, user }
    const exchange = this.#begin(issuing, (issued) => ({
      ...interactionFields('block_actions', team, user, { isEphemeral: message?.onlyFor !== undefined }),
      ...this.#surfaceFields(input),
      ...issued,
      ...state,
      actions: [action],
      ...input.fields,
    }))
    if (view !== undefined) core.views.mustGet(view).exchange = exchange
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
  }

  /** Allows the app to open a modal, and to post to a response_url if there is one. */
  #begin(
    issuing: {
      readonly team: Team
      readonly user: User
      readonly replies?: Pick<ResponseUrl, 'kind' | 'channel'> & { readonly original?: string }
    },
    createPayload: (issued: { readonly trigger_id: string; readonly response_url?: string }) => Json,
  ): Exchange {
    const { core } = this
    const { team, user, replies } = issuing
    const { id, trigger } = core.triggers.issue(team, user.id)
    const issued =
      replies && core.responseUrls.issue({ team, user: user.id, original: undefined, ...replies })
    const responseUrl = issued && { response_url: `${core.origin}${issued.path}` }
    const exchange = new Exchange(createPayload({ trigger_id: id, ...responseUrl }), core.changes)
    trigger.exchange = exchange
    if (issued !== undefined) issued.url.exchange = exchange
    return exchange
  }

  #surfaceFields(surface: Surface): Json {
    if (surface.view !== undefined) {
      return surfaceFields(surface, this.core.views.mustGet(surface.view).entered)
    }
    const { team, channel: id } = surface.message
    const channel = this.core.directory.channel(team, id)
    return surfaceFields(surface, undefined, channel && payloadName(channel))
  }

  /** Returns the person who sees the message or view. @throws {Error} if another person was given */
  #on(surface: Surface, user: User | undefined): User {
    const seenBy = surface.message === undefined ? surface.view.user : surface.message.onlyFor
    const owner = seenBy === undefined ? undefined : this.core.directory.user(getTeam(surface), seenBy)
    if (user !== undefined && owner !== undefined && user.id !== owner.id) {
      throw new Error(`only ${owner.name} sees that, so ${user.name} cannot click on it`)
    }
    return user ?? owner ?? this.core.workspace.people.member
  }

  #author(user = this.core.workspace.people.member): { user: User; team: Team } {
    const team = this.core.directory.getTeam(user)
    if (team === undefined) throw new Error(`${user.name} is in no team`)
    return { user, team }
  }

  #channelIn({ teamId, domain }: Team): Channel {
    const channel = this.core.directory.channels.find((one) => one.teamId === teamId)
    if (channel === undefined) throw new Error(`${domain} has no channel`)
    return channel
  }
}

function mustBeSubmittable(view: View, state: StateValues): void {
  if (view.submit === undefined) throw new Error('the view has no submit button')
  for (const block of view.blocks) {
    if (block.type !== 'input' || block.optional === true) continue
    const values = Object.values(state[block.block_id ?? ''] ?? {})
    if (values.some(isEmpty))
      throw new Error(`Slack would not submit: ${block.element?.action_id} is required`)
  }
}
