import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { channelRefusal } from '../../slack/answers/channel-texts.ts'
import { describeFailure } from '../../slack/answers/error-texts.ts'
import { refusedPostText } from '../../slack/answers/post-texts.ts'
import type { Installation } from '../../slack/api/installations.ts'
import { type PostResult, postMessage, replaceMessage } from '../../slack/api/post-message.ts'
import { isUselessToken } from '../../slack/api/web-api.ts'
import { sendFirstForm } from '../../slack/posting/first-form.ts'
import type { AlertMessageRecord, AlertRecord } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { alertMessage } from './message.ts'

/** Why a message is not there: until somebody mends it, or for now. */
export type SendFailure =
  | {
      readonly kind: 'permanent'
      /** mrkdwn. */
      readonly why: string
      /** The alert's owner can do nothing about it. */
      readonly isOwnerOut: boolean
    }
  | { readonly kind: 'transient'; readonly retryAfterMs: Milliseconds | undefined }

export type Sent = { readonly kind: 'sent'; readonly ts: string } | { readonly kind: 'unknown' } | SendFailure

export const ownerOutText =
  "Whoever set it up can't see calls any more. Somebody who can may take it over by changing it."

/** What a message of this app's that was there says with, once it is not any more. */
const goneCodes = ['message_not_found', 'cant_update_message', 'edit_window_closed']

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
  async admit({ tenant, owner, channel }: AlertRecord): Promise<Actor | SendFailure> {
    const { guards, channels } = this.#services
    try {
      const actor = await guards.admit(tenant, owner, 'calls')
      const state = await channels.state(actor, channel)
      return state === 'ok'
        ? actor
        : { kind: 'permanent', why: channelRefusal(state, channel), isOwnerOut: false }
    } catch (error) {
      return failureOf(error)
    }
  }

  async post({ team, installation }: Actor, message: AlertMessageRecord): Promise<Sent> {
    const { backgroundWebApi, delivery, metrics } = this.#services
    const result = await sendFirstForm(delivery, await this.#answerOf(message), team, (form) =>
      postMessage(backgroundWebApi, installation.botToken, message.channel, form),
    )
    metrics.alerts.message(result.kind)
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
      const result = await sendFirstForm(delivery, await this.#answerOf(row), tenant, (form) =>
        replaceMessage(backgroundWebApi, installation.botToken, { channel, ts }, form),
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
function failureOf(error: unknown): SendFailure {
  const { kind, isPermanent, pauseText, retryAfterMs } = describeFailure(error)
  if (kind === 'error') throw error
  if (kind === 'not-allowed') return { kind: 'permanent', why: ownerOutText, isOwnerOut: true }
  return isPermanent
    ? { kind: 'permanent', why: pauseText, isOwnerOut: false }
    : { kind: 'transient', retryAfterMs }
}

function sentOf(result: PostResult): Sent {
  switch (result.kind) {
    case 'sent':
      return result.ts === undefined ? { kind: 'unknown' } : { kind: 'sent', ts: result.ts }
    case 'unknown':
      return result
    case 'refused': {
      const why = refusedPostText(result.code, isUselessToken(result.code))
      return { kind: 'permanent', why, isOwnerOut: false }
    }
    case 'not-now':
      return { kind: 'transient', retryAfterMs: result.retryAfterMs }
  }
}
