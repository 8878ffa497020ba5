import { takeClickAck, takeCommandAck, takeSuggestions } from './acknowledgements.ts'
import { Actors } from './actors.ts'
import { AppClient, type AppResponse } from './app-client.ts'
import type { Core } from './core.ts'
import { payloadName, type Team } from './directory.ts'
import { actionOf, findElement, isStateful, stateKey, stateValues } from './elements.ts'
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
} from './inputs.ts'
import { Modals } from './modals.ts'
import { commandFields, eventEnvelope, interactionFields, surfaceFields } from './payloads.ts'
import type { Json } from './shapes.ts'
import { Shortcuts } from './shortcuts.ts'
import { type Surface, teamOf } from './surfaces.ts'

/** What people do, sent to the app as Slack sends it: signed, form-encoded, over HTTP. */
export class UserActions {
  readonly #core: Core
  readonly #actors: Actors
  readonly #app: AppClient
  readonly #modals: Modals
  readonly #shortcuts: Shortcuts

  constructor(core: Core) {
    this.#core = core
    this.#actors = new Actors(core)
    this.#app = new AppClient(core)
    this.#modals = new Modals(core, this.#actors, this.#app)
    this.#shortcuts = new Shortcuts(core, this.#actors, this.#app)
  }

  close(): Promise<void> {
    return this.#app.close()
  }

  /** Types a slash command. */
  command(appUrl: string, input: CommandInput): Promise<Exchange> {
    const core = this.#core
    const { command, text = '' } = input
    const { user, team } = this.#actors.author(input.user)
    const channel = input.channel ?? this.#actors.channelIn(team)
    const { path, url } = core.responseUrls.issue({
      kind: 'commands',
      team,
      channel: channel.id,
      user: user.id,
      original: undefined,
    })
    const { id: triggerId, trigger } = core.triggers.issue(team, user.id)
    const responseUrl = `${core.origin}${path}`
    const fields = {
      ...commandFields({ team, user, channel, command, text, responseUrl, triggerId }),
      ...input.fields,
    }
    const exchange = new Exchange(fields, core.changes)
    url.exchange = exchange
    trigger.exchange = exchange
    return this.#app.sendForm(appUrl, fields, exchange, (response) =>
      takeCommandAck(exchange, response, { team, user, channel }, core),
    )
  }

  /** Clicks, or chooses, what was shown. @throws Error where there is no such element, or nobody could click it. */
  async click(appUrl: string, input: ClickInput): Promise<Exchange> {
    const { message, view, choose, values = {} } = input
    const target = findElement((message ?? view).blocks, input.action_id, input.block_id)
    if (target.block.type === 'input' && target.block.dispatch_action !== true)
      throw new Error(
        `${input.action_id} is read when its view is submitted: its block has no dispatch_action`,
      )
    const action = actionOf(target, choose, this.#core.ids.nextTs())
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

  /** A click with an action that nothing on the screen has. */
  async clickRaw(appUrl: string, input: RawClickInput): Promise<Exchange> {
    const action = { type: 'button', block_id: 'forged', action_ts: this.#core.ids.nextTs(), ...input.action }
    return this.#sendAction(appUrl, input, action, {})
  }

  /** Chooses a shortcut in the menu of a message. @throws Error where the message has no such menu */
  shortcut(appUrl: string, input: ShortcutInput): Promise<Exchange> {
    return this.#shortcuts.choose(appUrl, input)
  }

  /** Types into an external select. @throws Error below its `min_query_length`, where Slack asks for nothing. */
  async suggest(appUrl: string, input: SuggestInput): Promise<Exchange> {
    const { blocks } = input.message ?? input.view
    const { element, block } = findElement(blocks, input.action_id, input.block_id)
    const least = element.min_query_length ?? 3
    if (input.value.length < least) throw new Error(`Slack asks for nothing below ${least} characters`)
    const payload = {
      ...interactionFields('block_suggestion', teamOf(input), this.#actors.on(input, input.user)),
      ...this.#surfaceFields(input),
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

  /** Submits a modal. @throws Error where Slack would not: a required field is empty, or the view is closed. */
  submit(appUrl: string, input: SubmitInput): Promise<Exchange> {
    return this.#modals.submit(appUrl, input)
  }

  /** Closes a modal; the app is told where the view asked for that with `notify_on_close`. */
  closeView(appUrl: string, input: CloseInput): Promise<Exchange | undefined> {
    return this.#modals.close(appUrl, input)
  }

  /** An event of the Events API, as JSON. */
  event(
    appUrl: string,
    event: Json,
    options: { readonly team?: Team } & PayloadOverrides = {},
  ): Promise<AppResponse> {
    const team = options.team ?? this.#actors.author().team
    const envelope = eventEnvelope(team, event, this.#core.now(), this.#core.ids.nextTs())
    return this.raw(appUrl, {
      body: JSON.stringify({ ...envelope, ...options.fields }),
      headers: { 'content-type': 'application/json' },
    })
  }

  /** Any body, with a signature that may be forged or stale; its headers replace the ones made. */
  raw(appUrl: string, request: RawRequest): Promise<AppResponse> {
    return this.#app.send(appUrl, request)
  }

  #sendAction(appUrl: string, input: ClickInput | RawClickInput, action: Json, state: Json) {
    const core = this.#core
    const { message, view } = input
    const user = this.#actors.on(input, input.user)
    const team = teamOf(input)
    const { id: triggerId, trigger } = core.triggers.issue(team, user.id, view?.id)
    const issued =
      message &&
      core.responseUrls.issue({
        kind: 'actions',
        team,
        channel: message.channel,
        user: user.id,
        original: message.ts,
      })
    const payload = {
      ...interactionFields('block_actions', team, user, { isEphemeral: message?.onlyFor !== undefined }),
      ...this.#surfaceFields(input),
      trigger_id: triggerId,
      ...(issued === undefined ? {} : { response_url: `${core.origin}${issued.path}` }),
      ...state,
      actions: [action],
      ...input.fields,
    }
    const exchange = new Exchange(payload, core.changes)
    trigger.exchange = exchange
    if (issued !== undefined) issued.url.exchange = exchange
    if (view !== undefined) core.views.mustGet(view).exchange = exchange
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
  }

  #surfaceFields(surface: Surface): Json {
    if (surface.view !== undefined) {
      return surfaceFields(surface, this.#core.views.mustGet(surface.view).entered)
    }
    const { team, channel: id } = surface.message
    const channel = this.#core.directory.channel(team, id)
    return surfaceFields(surface, undefined, channel && payloadName(channel))
  }
}
