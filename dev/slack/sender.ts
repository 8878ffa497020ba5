import { takeClickAck, takeCommandAck, takeSuggestions } from './acks.ts'
import type { Core } from './core.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'
import type { Team } from './directory.ts'
import { actionOf, findElement, isStateful, stateKey, stateValues } from './elements.ts'
import type {
  Altered,
  ClickInput,
  CloseInput,
  CommandInput,
  Place,
  RawClickInput,
  RawInput,
  SubmitInput,
  SuggestInput,
} from './inputs.ts'
import { Interaction } from './interaction.ts'
import { Modals } from './modals.ts'
import { commandFields, eventEnvelope, interactionFields, placeFields } from './payloads.ts'
import type { Json } from './shapes.ts'
import type { Answer } from './signing.ts'
import { type Defaults, teamIn, Who } from './who.ts'

export interface SenderOptions extends DeliveryOptions {
  /** The address that response_urls start with. */
  readonly origin: string
  readonly defaults: Defaults
}

/** What people do, sent to the app as Slack sends it: signed, form-encoded, over HTTP. */
export class Sender {
  readonly #core: Core
  readonly #origin: string
  readonly #who: Who
  readonly #delivery: Delivery
  readonly #modals: Modals

  constructor(core: Core, options: SenderOptions) {
    this.#core = core
    this.#origin = options.origin
    this.#who = new Who(core, options.defaults)
    this.#delivery = new Delivery(core, options)
    this.#modals = new Modals(core, this.#who, this.#delivery)
  }

  close(): Promise<void> {
    return this.#delivery.close()
  }

  /** Types a slash command. */
  command(appUrl: string, input: CommandInput): Promise<Interaction> {
    const core = this.#core
    const { user, team } = this.#who.author(input.user)
    const channel = input.channel ?? this.#who.channelIn(team)
    const place = { kind: 'commands', team, channel: channel.id, user: user.id, original: undefined } as const
    const { path, url } = core.responseUrls.issue(place)
    const { id: triggerId, trigger } = core.triggers.issue(team, user.id)
    const { command, text = '' } = input
    const responseUrl = `${this.#origin}${path}`
    const fields = {
      ...commandFields({ team, user, channel, command, text, responseUrl, triggerId }),
      ...input.fields,
    }
    const interaction = new Interaction(fields, core.changes)
    url.interaction = interaction
    trigger.interaction = interaction
    return this.#delivery.form(appUrl, fields, interaction, (answer) =>
      takeCommandAck(interaction, answer, { team, user, channel }, core),
    )
  }

  /** Clicks, or chooses, what was shown. @throws Error where there is no such element, or nobody could click it. */
  async click(appUrl: string, input: ClickInput): Promise<Interaction> {
    const { message, view, choose, values = {} } = input
    const found = findElement((message ?? view).blocks, input.action_id, input.block_id)
    const action = actionOf(found, choose, this.#core.nextTs())
    if (view !== undefined) {
      const held = this.#who.held(view)
      this.#modals.enter(held, stateValues(view.blocks, values, held.entered))
      if (isStateful(found.element)) {
        const { action_id: actionId, block_id: blockId, action_ts: _ts, ...value } = action
        held.entered.set(stateKey(String(blockId), String(actionId)), value)
      }
      return this.#act(appUrl, input, action, {})
    }
    const chosen = choose === undefined || !isStateful(found.element) ? {} : { [input.action_id]: choose }
    return this.#act(appUrl, input, action, { state: { values: stateValues(message.blocks, chosen) } })
  }

  /** A click with an action that nothing on the screen has. */
  async clickRaw(appUrl: string, input: RawClickInput): Promise<Interaction> {
    const action = { type: 'button', block_id: 'forged', action_ts: this.#core.nextTs(), ...input.action }
    return this.#act(appUrl, input, action, {})
  }

  /** Types into an external select. @throws Error below its `min_query_length`, where Slack asks for nothing. */
  async suggest(appUrl: string, input: SuggestInput): Promise<Interaction> {
    const { element, block } = findElement(
      (input.message ?? input.view).blocks,
      input.action_id,
      input.block_id,
    )
    const least = element.min_query_length ?? 3
    if (input.value.length < least) throw new Error(`Slack asks for nothing below ${least} characters`)
    const payload = {
      ...interactionFields('block_suggestion', teamIn(input), this.#who.actor(input, input.user)),
      ...this.#placeFields(input),
      action_id: element.action_id,
      block_id: block.block_id,
      value: input.value,
      ...input.fields,
    }
    const interaction = new Interaction(payload, this.#core.changes)
    return this.#delivery.payload(appUrl, payload, interaction, (answer) =>
      takeSuggestions(interaction, answer, this.#core),
    )
  }

  /** Submits a modal. @throws Error where Slack would not: a required field is empty, or the view is closed. */
  submit(appUrl: string, input: SubmitInput): Promise<Interaction> {
    return this.#modals.submit(appUrl, input)
  }

  /** Closes a modal; the app hears of it where the view asked for that with `notify_on_close`. */
  closeView(appUrl: string, input: CloseInput): Promise<Interaction | undefined> {
    return this.#modals.close(appUrl, input)
  }

  /** An event of the Events API, as JSON. */
  event(appUrl: string, event: Json, options: { readonly team?: Team } & Altered = {}): Promise<Answer> {
    const team = options.team ?? this.#who.author().team
    const envelope = {
      ...eventEnvelope(team, event, this.#core.now(), this.#core.nextTs()),
      ...options.fields,
    }
    return this.raw(appUrl, {
      body: JSON.stringify(envelope),
      headers: { 'content-type': 'application/json' },
    })
  }

  /** Any body, with a signature that may be forged or stale; headers given replace the ones made. */
  raw(appUrl: string, input: RawInput): Promise<Answer> {
    return this.#delivery.raw(appUrl, input)
  }

  #act(appUrl: string, input: ClickInput | RawClickInput, action: Json, state: Json): Promise<Interaction> {
    const core = this.#core
    const { message, view } = input
    const user = this.#who.actor(input, input.user)
    const team = teamIn(input)
    const { id: triggerId, trigger } = core.triggers.issue(team, user.id, view?.id)
    const issued =
      message === undefined
        ? undefined
        : core.responseUrls.issue({
            kind: 'actions',
            team,
            channel: message.channel,
            user: user.id,
            original: message.ts,
          })
    const payload = {
      ...interactionFields('block_actions', team, user),
      ...this.#placeFields(input),
      trigger_id: triggerId,
      ...(issued === undefined ? {} : { response_url: `${this.#origin}${issued.path}` }),
      ...state,
      actions: [action],
      ...input.fields,
    }
    const interaction = new Interaction(payload, core.changes)
    trigger.interaction = interaction
    if (issued !== undefined) issued.url.interaction = interaction
    if (view !== undefined) this.#who.held(view).interaction = interaction
    return this.#delivery.payload(appUrl, payload, interaction, (answer) =>
      takeClickAck(interaction, answer, core),
    )
  }

  #placeFields(place: Place): Json {
    if (place.view !== undefined) return placeFields(place, this.#who.held(place.view).entered)
    const { team, channel } = place.message
    return placeFields(place, undefined, this.#core.directory.channel(team, channel)?.name)
  }
}
