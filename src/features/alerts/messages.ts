import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/web-api.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import { channelRefusal, notPostedFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import { ALERTS_KEPT_MS, type AlertMessageRecord } from '../../store/alerts.ts'
import { inBatches, type MissedCallRecord } from '../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import { alertMessage } from './message.ts'

/** People may click while a message is updated; then it is updated again. */
const MAX_UPDATES = 4

/** The message was deleted, belongs to another app, or is too old to be edited. */
const UNCHANGEABLE_CODES = ['message_not_found', 'cant_update_message', 'edit_window_closed']

export const transientText = "Slack doesn't confirm that it took the messages."

/** The message may have arrived. Repeating it is better than losing a missed call. */
const unknownOutcome: SubscriptionFailure = { why: transientText, isPermanent: false }

function toFailure(result: Exclude<PostResult, { kind: 'sent' }>): SubscriptionFailure {
  return result.kind === 'unknown' ? unknownOutcome : notPostedFailure(result)
}

/** Whether Slack shows a message as it is stored. `unchangeable`: it never will. `later`: Slack didn't take it now. */
export type SyncResult = 'shown' | 'later' | 'unchangeable'

/** Posts the messages of alerts, and updates them when their calls change. */
export class AlertMessages {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Leaves out calls without a row. */
  async readCalls(workspace: Workspace, ids: readonly string[]): Promise<readonly MissedCallRecord[]> {
    const { missedCalls } = this.#services.store
    const records = await inBatches(ids, (id) => missedCalls.get(tenantKey(workspace), id))
    return records.filter((record) => record !== undefined)
  }

  /**
   * Stores the message before it is sent: otherwise a full disk would repeat it every minute.
   * @returns undefined if Slack has confirmed the message
   */
  async post(
    { tenant, installation, workspace }: Actor,
    record: AlertMessageRecord,
  ): Promise<SubscriptionFailure | undefined> {
    const { store, delivery, backgroundWebApi, metrics } = this.#services
    await store.alertMessages.set(tenant, record.id, record, ALERTS_KEPT_MS)
    const result = await delivery.send(await this.#render(record), workspace, (form) =>
      postMessage(backgroundWebApi, installation.botToken, record.channel, form.message),
    )
    metrics.count('alert_messages_total', { outcome: result.kind })
    if (result.kind !== 'sent') return toFailure(result)
    const { ts, channel: conversation } = result
    await store.alertMessages.change(tenant, record.id, (message) => ({ ...message, ts, conversation }))
    return undefined
  }

  /**
   * Adds calls to a message.
   * @param add stored once Slack has accepted the calls
   * @returns `gone` if the message takes no more calls, undefined if Slack has confirmed them
   */
  async add(
    { tenant, installation }: Actor,
    id: string,
    add: (message: AlertMessageRecord) => AlertMessageRecord,
  ): Promise<SubscriptionFailure | 'gone' | undefined> {
    const { store } = this.#services
    for (let updates = 1; updates <= MAX_UPDATES; updates += 1) {
      const record = await store.alertMessages.get(tenant, id)
      if (record?.ts === undefined || (record.isClosed && updates === 1)) return 'gone'
      // Someone took calls of the message while it was updated, so it is restored.
      const shown = record.isClosed ? record : add(record)
      const result = await this.#update(installation.botToken, shown, record.ts)
      if (result.kind === 'refused' && UNCHANGEABLE_CODES.includes(result.code)) {
        await this.#close(tenant, id)
        return 'gone'
      }
      if (result.kind !== 'sent') return toFailure(result)
      const kept = await store.alertMessages.change(tenant, id, (latest) =>
        isDeepStrictEqual(latest, record) ? shown : undefined,
      )
      if (kept) return record.isClosed ? 'gone' : undefined
    }
    return unknownOutcome
  }

  async #close(tenant: TenantKey, id: string): Promise<void> {
    await this.#services.store.alertMessages.change(tenant, id, (record) => ({ ...record, isClosed: true }))
  }

  /** Updates a message in Slack to match its calls, which people may change meanwhile. @throws {SlackError | StoreError} */
  async sync(workspace: Workspace, id: string): Promise<SyncResult> {
    const { store, background } = this.#services
    const tenant = tenantKey(workspace)
    for (let updates = 1; updates <= MAX_UPDATES; updates += 1) {
      const record = await store.alertMessages.get(tenant, id)
      if (!record) return 'unchangeable'
      const { revision, shownRevision, ts, channel } = record
      if (ts === undefined) return 'later'
      if (updates === 1 && revision === shownRevision) return 'shown'
      const installation = await background.guards.installation(workspace)
      // A channel that is shared by now sees nothing new.
      const isRefused = await this.refuseChannel({ installation, workspace }, channel, { isUpdate: true })
      const result = isRefused ? undefined : await this.#update(installation.botToken, record, ts)
      const isUnchangeable = result === undefined || result.kind === 'refused'
      if (!isUnchangeable && result.kind !== 'sent') return 'later'
      const kept = await store.alertMessages.change(tenant, id, (latest) =>
        latest.revision === revision ? { ...latest, shownRevision: revision } : undefined,
      )
      if (isUnchangeable) return 'unchangeable'
      if (kept) return 'shown'
    }
    return 'later'
  }

  async #update(token: string, record: AlertMessageRecord, ts: string): Promise<PostResult> {
    const { delivery, backgroundWebApi } = this.#services
    const { workspace, conversation: channel = record.channel } = record
    return delivery.send(await this.#render(record), workspace, (form) =>
      updateMessage(backgroundWebApi, token, { channel, ts }, form.message),
    )
  }

  async #render(message: AlertMessageRecord) {
    const { workspaces } = this.#services
    const tenant = tenantKey(message.workspace)
    const [lines, { zone }, calls] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, message.channel),
      this.readCalls(message.workspace, message.isNotPosted ? [] : message.calls),
    ])
    return alertMessage({ message, calls, lines, zone })
  }

  /** Returns why nothing can be posted to a channel; undefined if it belongs to this workspace alone. */
  async refuseChannel(
    actor: Pick<Actor, 'installation' | 'workspace'>,
    channel: string,
    { isUpdate = false } = {},
  ): Promise<SubscriptionFailure | undefined> {
    const { channels } = this.#services.background
    if (isPersonId(channel)) return undefined
    const state = await (isUpdate ? channels.recentState(actor, channel) : channels.state(actor, channel))
    return state === 'ok' ? undefined : { why: channelRefusal(state, channel), isPermanent: true }
  }
}
