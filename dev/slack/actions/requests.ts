import type { Core } from '../core.ts'
import type { User } from '../directory.ts'
import { type Channel, payloadName, type Team } from '../directory.ts'
import type { Json } from '../shapes.ts'
import { getTeam, type Message, type Surface, type View } from '../surfaces.ts'
import { takeClickAck, takeCommandAck, takeSubmissionAck, takeSuggestions } from './acknowledgements.ts'
import type { AppClient, AppResponse } from './app-client.ts'
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
  EventInput,
  RawClickInput,
  RawRequest,
  ShortcutInput,
  SubmitInput,
  SuggestInput,
  WrittenMessage,
} from './inputs.ts'
import type { ResponseUrl } from './issued.ts'
import {
  commandFields,
  eventEnvelope,
  interactionFields,
  messageJson,
  surfaceFields,
  viewJson,
} from './payloads.ts'

/** Sends people's actions to the app like Slack: signed, form-encoded, over HTTP. */
export class Requests {
  readonly #core: Core
  readonly #app: AppClient

  constructor(core: Core, app: AppClient) {
    this.#core = core
    this.#app = app
  }

  close(): Promise<void> {
    return this.#app.close()
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
    const action = createAction(target, choose, this.#core.ids.nextTs())
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
    const action = { type: 'button', block_id: 'forged', action_ts: this.#core.ids.nextTs(), ...input.action }
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
    const envelope = eventEnvelope(team ?? first, event, this.#core.now(), this.#core.ids.nextTs())
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
}

interface Issuing {
  readonly team: Team
  readonly user: User
  readonly replies?: Pick<ResponseUrl, 'kind' | 'channel'> & { readonly original?: string }
}

/** Creates an exchange whose trigger_id opens a modal, and whose response_url, if any, accepts posts. */
function begin(
  core: Core,
  { team, user, replies }: Issuing,
  createPayload: (issued: { readonly trigger_id: string; readonly response_url?: string }) => Json,
): Exchange {
  const { id, trigger } = core.triggers.issue(team, user.id)
  const issued = replies && core.responseUrls.issue({ team, user: user.id, original: undefined, ...replies })
  const responseUrl = issued && { response_url: `${core.origin}${issued.path}` }
  const exchange = new Exchange(createPayload({ trigger_id: id, ...responseUrl }), core.changes)
  trigger.exchange = exchange
  if (issued !== undefined) issued.url.exchange = exchange
  return exchange
}

/** Returns a person and their team; by default, the first workspace's member. */
export function getAuthor(
  { directory, workspace }: Core,
  user = workspace.people.member,
): { user: User; team: Team } {
  const team = directory.getTeam(user)
  if (team === undefined) throw new Error(`${user.name} is in no team`)
  return { user, team }
}

/** Returns the person who sees the message or view. @throws {Error} if another person was given */
function getViewer({ directory, workspace }: Core, surface: Surface, user: User | undefined): User {
  const seenBy = surface.message === undefined ? surface.view.user : surface.message.onlyFor
  const owner = seenBy === undefined ? undefined : directory.user(getTeam(surface), seenBy)
  if (user !== undefined && owner !== undefined && user.id !== owner.id)
    throw new Error(`only ${owner.name} sees that, so ${user.name} cannot click on it`)
  return user ?? owner ?? workspace.people.member
}

function getFirstChannel({ directory }: Core, { teamId, domain }: Team): Channel {
  const channel = directory.channels.find((one) => one.teamId === teamId)
  if (channel === undefined) throw new Error(`${domain} has no channel`)
  return channel
}

/** Returns the fields of a payload that describe the place of a click. */
function describeSurface({ views, directory }: Core, surface: Surface): Json {
  if (surface.view !== undefined) return surfaceFields(surface, views.mustGet(surface.view).entered)
  const channel = directory.channel(surface.message.team, surface.message.channel)
  return surfaceFields(surface, undefined, channel && payloadName(channel))
}

const isOfApp = (message: Message | WrittenMessage): message is Message => 'via' in message

/** Returns the message of a shortcut and its channel. @throws {Error} if the message has no shortcuts */
function getShortcutTarget(
  core: Core,
  { user, team }: { readonly user: User; readonly team: Team },
  message: ShortcutInput['message'],
): { json: Json; channel: Channel } {
  if (!isOfApp(message)) {
    const { channel = getFirstChannel(core, team), ...own } = message
    const json = { type: 'message', user: user.id, team: team.teamId, ts: core.ids.nextTs(), ...own }
    return { json, channel }
  }
  if (message.onlyFor !== undefined) throw new Error('an ephemeral message has no shortcuts')
  const channel = core.directory.channel(team, message.channel)
  if (channel === undefined) throw new Error('the message is in no channel')
  return { json: messageJson(message), channel }
}

/** @throws {Error} if Slack wouldn't submit the modal */
function assertSubmittable(view: View, state: StateValues): void {
  if (view.submit === undefined) throw new Error('the view has no submit button')
  for (const block of view.blocks) {
    if (block.type !== 'input' || block.optional === true) continue
    const values = Object.values(state[block.block_id ?? ''] ?? {})
    if (values.some(isEmpty))
      throw new Error(`Slack would not submit: ${block.element?.action_id} is required`)
  }
}
