import { takeClickAck } from './acknowledgements.ts'
import type { Actors } from './actors.ts'
import type { AppClient } from './app-client.ts'
import type { Core } from './core.ts'
import { payloadName } from './directory.ts'
import { Exchange } from './exchange.ts'
import type { ShortcutInput, WrittenMessage } from './inputs.ts'
import { interactionFields, messageJson } from './payloads.ts'
import type { Json } from './shapes.ts'
import type { Message } from './surfaces.ts'

const isOfApp = (message: Message | WrittenMessage): message is Message => 'via' in message

/**
 * What people choose in a message's menu: payloads of the type `message_action`.
 * https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
 */
export class Shortcuts {
  readonly #core: Core
  readonly #actors: Actors
  readonly #app: AppClient

  constructor(core: Core, actors: Actors, app: AppClient) {
    this.#core = core
    this.#actors = actors
    this.#app = app
  }

  /** @throws Error where the message has no menu with shortcuts */
  choose(appUrl: string, { callback_id, message, user: chosenBy, fields }: ShortcutInput): Promise<Exchange> {
    const core = this.#core
    const { user, team } = this.#actors.author(chosenBy)
    if (isOfApp(message) && message.onlyFor !== undefined)
      throw new Error('an ephemeral message has no shortcuts')
    const channel = isOfApp(message)
      ? core.directory.channel(team, message.channel)
      : (message.channel ?? this.#actors.channelIn(team))
    if (channel === undefined) throw new Error('the message is in no channel')
    const json = isOfApp(message) ? messageJson(message) : this.#written(message, team.teamId, user.id)
    const { id: triggerId, trigger } = core.triggers.issue(team, user.id)
    const issued = core.responseUrls.issue({
      kind: 'actions',
      team,
      channel: channel.id,
      user: user.id,
      original: undefined,
    })
    const payload = {
      ...interactionFields('message_action', team, user),
      callback_id,
      action_ts: core.ids.nextTs(),
      trigger_id: triggerId,
      response_url: `${core.origin}${issued.path}`,
      channel: { id: channel.id, name: payloadName(channel) },
      message_ts: json['ts'],
      message: json,
      ...fields,
    }
    const exchange = new Exchange(payload, core.changes)
    trigger.exchange = exchange
    issued.url.exchange = exchange
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
  }

  #written({ channel: _, ...message }: WrittenMessage, team: string, user: string): Json {
    return { type: 'message', user, team, ts: this.#core.ids.nextTs(), ...message }
  }
}
