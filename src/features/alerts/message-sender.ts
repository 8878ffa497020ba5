import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/post-message.ts'
import {
  channelRefusal,
  failureOfError,
  failureOfResult,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import type { AlertMessageRecord, AlertRecord } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { alertMessage } from './message.ts'

export type Sent = { readonly kind: 'sent'; readonly ts: string } | PostFailure

export const ownerOutText =
  "Whoever set it up can't see calls any more. Somebody who can may take it over by changing it."

/** What a message of this app's that was there says with, once it is not any more. */
const goneCodes = ['message_not_found', 'cant_update_message', 'edit_window_closed']

/** It may be in the channel or not: a repeat is better than a missed call that nobody hears of. */
const unknown: PostFailure = { kind: 'transient', retryAfterMs: undefined }

/** Somebody clicks in between: then it is shown once more. */
const mostTries = 3

/** Shows messages of alerts in their channels, as their rows have them. */
export class MessageSender {
  readonly #services

  constructor(
    services: Pick<
      Services,
      'guards' | 'channels' | 'delivery' | 'backgroundWebApi' | 'store' | 'workspaces' | 'metrics'
    >,
  ) {
    this.#services = services
  }

  /** @returns whose token it is sent with, where its owner may still see calls and the channel is the workspace's own */
  async admit({ tenant, owner, channel }: AlertRecord): Promise<Actor | PostFailure> {
    const { guards, channels } = this.#services
    try {
      const actor = await guards.admit(tenant, owner, 'calls')
      const state = await channels.state(actor, channel)
      return state === 'ok' ? actor : permanentFailure(channelRefusal(state, channel))
    } catch (error) {
      return failureOf(error)
    }
  }

  async post({ team, installation }: Actor, message: AlertMessageRecord): Promise<Sent> {
    const { backgroundWebApi, delivery, metrics } = this.#services
    const result = await delivery.send(await this.#answerOf(message), team, (form) =>
      postMessage(backgroundWebApi, installation.botToken, message.channel, form.message),
    )
    metrics.count('alert_messages_total', { outcome: result.kind })
    return sentOf(result)
  }

  /**
   * Shows a message as its row has it by now, whoever changes it meanwhile.
   * @param change what it is to say from now on: its row says so as soon as Slack has taken it
   * @returns `gone` where somebody deleted it, or there is no row of it
   */
  async show(
    { tenant, team, installation }: Actor,
    id: string,
    change?: (message: AlertMessageRecord) => AlertMessageRecord,
  ): Promise<Sent | 'gone'> {
    const { store, backgroundWebApi, delivery } = this.#services
    for (let tries = 1; ; tries += 1) {
      const row = await store.alertMessages.get(tenant, id)
      if (row?.ts === undefined) return 'gone'
      const shown = change?.(row) ?? row
      const { channel, ts } = row
      const result = await delivery.send(await this.#answerOf(shown), team, (form) =>
        updateMessage(backgroundWebApi, installation.botToken, { channel, ts }, form.message),
      )
      if (result.kind === 'refused' && goneCodes.includes(result.code)) return 'gone'
      if (result.kind !== 'sent') return sentOf(result)
      const kept = await store.alertMessages.change(tenant, id, (now) =>
        isDeepStrictEqual(now, row) ? shown : undefined,
      )
      if (kept) return sentOf(result)
      if (tries >= mostTries) return unknown
    }
  }

  async #answerOf(message: AlertMessageRecord) {
    const { workspaces } = this.#services
    const tenant = tenantKey(message.tenant)
    const [lines, { zone }] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, message.channel),
    ])
    return alertMessage(message, { lines, zone })
  }
}

/** @throws what is no failure of sending, such as a store that does not answer */
function failureOf(error: unknown): PostFailure {
  const failure = failureOfError(error)
  if (!failure) throw error
  return failure.kind === 'permanent' && failure.isOwnerOut ? permanentFailure(ownerOutText, true) : failure
}

function sentOf(result: PostResult): Sent {
  switch (result.kind) {
    case 'sent':
      return result.ts === undefined ? unknown : { kind: 'sent', ts: result.ts }
    case 'unknown':
      return unknown
    default:
      return failureOfResult(result)
  }
}
