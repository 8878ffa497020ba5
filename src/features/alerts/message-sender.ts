import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { Installation } from '../../slack/api/installations.ts'
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
   * @returns `gone` where somebody deleted it, or there is no row of it
   */
  async show(installation: Installation, { tenant, id }: AlertMessageRecord): Promise<Sent | 'gone'> {
    const { store, backgroundWebApi, delivery } = this.#services
    let row = await store.alertMessages.get(tenantKey(tenant), id)
    for (let tries = 0; ; tries += 1) {
      if (row?.ts === undefined) return 'gone'
      const { channel, ts } = row
      const result = await delivery.send(await this.#answerOf(row), tenant, (form) =>
        updateMessage(backgroundWebApi, installation.botToken, { channel, ts }, form.message),
      )
      if (result.kind === 'refused' && goneCodes.includes(result.code)) return 'gone'
      const now = await store.alertMessages.get(tenantKey(tenant), id)
      if (result.kind !== 'sent' || tries >= mostTries || JSON.stringify(now) === JSON.stringify(row))
        return sentOf(result)
      row = now
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
