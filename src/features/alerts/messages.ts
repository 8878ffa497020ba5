import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/messages.ts'
import { SlackFailure } from '../../slack/api/slack-failure.ts'
import { withTeam } from '../../slack/blocks/block-team.ts'
import { isPersonId, type Message } from '../../slack/blocks/blocks.ts'
import * as failures from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import { inBatches, isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import { renderAlertMessage } from './view.ts'
import { addToMessage } from './waiting.ts'

/** Why Slack hasn't confirmed a message; undefined if it has. */
type PostFailure = failures.SubscriptionFailure | undefined

/** People may click while a message is updated; then it is updated again. */
const MAX_UPDATES = 4

function toFailure(result: Exclude<PostResult, { kind: 'sent' }>): failures.SubscriptionFailure {
  if (result.kind !== 'unknown') return failures.notPostedFailure(result)
  // The message may have arrived. Repeating it is better than losing a missed call.
  return { why: "Slack doesn't confirm that it took the messages.", isPermanent: false }
}

/** Whether Slack shows the stored message. `later`: the update must be repeated. `unchangeable`: no update is possible. */
export type SyncResult = 'shown' | 'later' | 'unchangeable'

/** Posts the messages of alerts, and updates them when their calls change. */
export class AlertMessages {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Leaves out calls without a row. */
  async readCalls({ workspace, calls }: records.AlertMessageRecord): Promise<readonly MissedCallRecord[]> {
    const { missedCalls } = this.#services.store
    const rows = await inBatches(calls, (id) => missedCalls.get(tenantKey(workspace), id))
    return rows.filter((row) => row !== undefined)
  }

  /** Checks that the owner may still see calls, and that the channel belongs to this workspace alone. */
  async admit(alert: records.AlertRecord, channel: string): Promise<Actor | failures.SubscriptionFailure> {
    const { guards, channels } = this.#services.background
    try {
      const actor = await guards.admit(alert.workspace, alert.owner, 'calls')
      const state = isPersonId(channel) ? 'ok' : await channels.getState(actor, channel)
      if (state === 'ok') return actor
      return { why: failures.channelRefusal(state, channel), isPermanent: true }
    } catch (error) {
      const failure = failures.toSubscriptionFailure(error)
      if (!failure) throw error
      return failure
    }
  }

  /** Stores the message before it is sent: otherwise a full disk would repeat it every minute. */
  async post({ tenant, installation }: Actor, message: records.AlertMessageRecord): Promise<PostFailure> {
    const { store, metrics } = this.#services
    // A message with `isNotPosted` shows no calls.
    const calls = message.isNotPosted ? [] : await this.readCalls(message)
    // If people have taken some of the calls in another conversation, no calls are added later.
    const mustClose = calls.some((call) => !isWaiting(call))
    const record: records.AlertMessageRecord = mustClose ? { ...message, isClosed: true } : message
    await store.alertMessages.set(tenant, record.id, record, records.MISSED_CALLS_KEPT_MS)
    const result = await this.#postOrUpdate(installation.botToken, record, calls)
    metrics.count('alert_messages_total', { outcome: result.kind })
    if (result.kind !== 'sent') return toFailure(result)
    const { ts, channel: conversation } = result
    await store.alertMessages.change(tenant, record.id, (latest) => ({ ...latest, ts, conversation }))
    return undefined
  }

  /** Adds calls, and stores them once Slack has accepted them. Returns `closed` if the message takes no more calls. */
  async add(actor: Actor, id: string, due: records.CallList): Promise<PostFailure | 'closed'> {
    const { tenant, installation, workspace } = actor
    const { alertMessages } = this.#services.store
    const record = await alertMessages.get(tenant, id)
    if (record?.ts === undefined || record.isClosed) return 'closed'
    const extended = { ...record, ...addToMessage(due, record) }
    const result = await this.#postOrUpdate(installation.botToken, extended)
    // For example, the message was deleted, or is too old to be edited.
    if (result.kind === 'refused') {
      await alertMessages.change(tenant, id, (latest) => ({ ...latest, isClosed: true }))
      return 'closed'
    }
    if (result.kind !== 'sent') return toFailure(result)
    const stored = await alertMessages.change(tenant, id, (latest) =>
      isDeepStrictEqual(latest, record) ? extended : undefined,
    )
    if (stored) return undefined
    // Someone took or finished its calls meanwhile, which closed it. A new revision shows it without the added calls.
    await alertMessages.change(tenant, id, (latest) => ({ ...latest, revision: latest.revision + 1 }))
    await this.sync(workspace, id)
    return 'closed'
  }

  /** Updates a message in Slack to match its calls, which people may change meanwhile. @throws {SlackFailure | StoreError} */
  async sync(workspace: Workspace, id: string): Promise<SyncResult> {
    const { alertMessages } = this.#services.store
    const tenant = tenantKey(workspace)
    for (let round = 1; round <= MAX_UPDATES; round += 1) {
      const record = await alertMessages.get(tenant, id)
      if (!record) return 'unchangeable'
      if (record.ts === undefined) return 'later'
      // In later rounds, it is sent nevertheless: the previous round may have overwritten what another process sent.
      const isMarkedShown = record.revision === record.shownRevision
      if (isMarkedShown && round === 1) return 'shown'
      const outcome = await this.#updateIfAllowed(workspace, record)
      if (outcome === 'not-now' || outcome === 'unknown') return 'later'
      // A refused update counts as shown, so that it isn't tried again.
      const isLatest = await this.#markShown(tenant, record)
      if (outcome === 'refused') return 'unchangeable'
      if (isLatest) return 'shown'
    }
    return 'later'
  }

  /** Returns false if there is a newer revision. */
  async #markShown(tenant: TenantKey, { id, revision }: records.AlertMessageRecord): Promise<boolean> {
    const marked = await this.#services.store.alertMessages.change(tenant, id, (latest) =>
      latest.revision === revision ? { ...latest, shownRevision: revision } : undefined,
    )
    return marked !== undefined
  }

  /** Updates a confirmed message. Refuses channels that aren't the workspace's own any more: they see nothing new. */
  async #updateIfAllowed(workspace: Workspace, record: records.AlertMessageRecord) {
    const { guards, channels } = this.#services.background
    const installation = await guards.getInstallation(workspace)
    const scope = { installation, workspace }
    const state = isPersonId(record.channel) ? 'ok' : await channels.getRecentState(scope, record.channel)
    if (state !== 'ok') return 'refused'
    const { kind } = await this.#postOrUpdate(installation.botToken, record)
    return kind
  }

  /** Tells a channel of a change. Isn't repeated, because the message about the calls shows the change, too. */
  async announce(actor: Actor, channel: string, message: Message): Promise<void> {
    if (isPersonId(channel)) return
    const { webApi, background, log } = this.#services
    const { installation, workspace } = actor
    try {
      const state = await background.channels.getState(actor, channel)
      if (state !== 'ok') return
      const result = await postMessage(webApi, installation.botToken, channel, withTeam(message, workspace))
      if (result.kind !== 'sent') log.info({ outcome: result.kind }, 'a channel was not told of a change')
    } catch (error) {
      if (!(error instanceof SlackFailure)) throw error
      log.info({ err: error }, 'a channel was not told of a change')
    }
  }

  /** Posts a message, or updates the one that Slack has confirmed. @param knownCalls omitted to read its calls */
  async #postOrUpdate(
    token: string,
    record: records.AlertMessageRecord,
    knownCalls?: readonly MissedCallRecord[],
  ) {
    const { workspaces, delivery, backgroundWebApi } = this.#services
    const { workspace, ts } = record
    const tenant = tenantKey(workspace)
    const [calls, lines, { zone }] = await Promise.all([
      knownCalls ?? this.readCalls(record),
      workspaces.getLineNames(tenant),
      workspaces.findZone(tenant, record.channel),
    ])
    const answer = renderAlertMessage({ message: record, calls, lines, zone })
    const channel = record.conversation ?? record.channel
    return delivery.send(answer, workspace, ({ message }) => {
      if (ts === undefined) return postMessage(backgroundWebApi, token, channel, message)
      return updateMessage(backgroundWebApi, token, { channel, ts }, message)
    })
  }
}
