import { isDeepStrictEqual } from 'node:util'
import {
  type AlertNow,
  confirmed,
  current,
  isDue,
  lateness,
  mergeLists,
  openMessage,
  presentable,
  withFollowing,
} from '../../alerts/alert-state.ts'
import { isAhead } from '../../alerts/poll-times.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/post-message.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import {
  channelRefusal,
  failureOfError,
  failureOfResult,
  type PermanentFailure,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import {
  ALERT_MESSAGES_KEPT_MS,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  alertMessageId,
  type CallList,
  WATCH_ID,
} from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { backoff, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { alertMessage } from './message.ts'
import { eitherOutText, ownerOutText, stoppedNotice, unconfirmedText } from './words.ts'

/** Longer than it takes to hand a message to Slack, and to keep that it took it. */
const sendingMs: Milliseconds = 30_000
/** A try is half a minute early, so that it is the poll at the end of the wait that makes it. */
const earlyMs: Milliseconds = 30_000
const longestRetryMs = hourMs
/** Nobody is notified of what is over before. */
const awayForMs = 15 * minuteMs
/** How often it is tried again what somebody has to mend. */
const troubledEveryMs: Milliseconds = 10 * 60_000
/**
 * A message that turns out to be in the channel, or not to be there any more, and the one that is sent then. The longest: a post
 * arrived though its answer was lost, its message is to have what was missed since, was deleted, and is posted anew.
 */
const mostSteps = 3
/** Somebody clicks in between: then a message is shown once more. */
const mostShown = 4

/**
 * A message that was deleted, is another app's, or is too old for the workspace to have it edited. None of them changes any
 * more, so that what it has not shown is posted anew.
 */
const unchangeableCodes = ['message_not_found', 'cant_update_message', 'edit_window_closed']

/** It may be in the channel or not: a repeat is better than a missed call that nobody hears of. */
const unknown: PostFailure = { kind: 'transient', retryAfterMs: undefined }

type Sent = { readonly kind: 'sent'; readonly ts: string; readonly conversation: string } | PostFailure

function sentOf(result: PostResult): Sent {
  if (result.kind === 'unknown') return unknown
  if (result.kind !== 'sent') return failureOfResult(result)
  return result.ts === undefined ? unknown : { kind: 'sent', ts: result.ts, conversation: result.channel }
}

/** It is tried ever less often, and after a while its owner is notified. */
function afterTransient(
  { failing, trouble, retryAt = 0 }: AlertState,
  { retryAfterMs }: { readonly retryAfterMs: Milliseconds | undefined },
  at: EpochMs,
): AlertState {
  // What failed long ago, and was not tried again when it was to be, is another matter.
  const known = at - retryAt < longestRetryMs ? failing : undefined
  const since = known?.since ?? at
  const count = (known?.count ?? 0) + 1
  const waitMs = retryAfterMs ?? backoff(count, { firstMs: minuteMs, longestMs: longestRetryMs }) - earlyMs
  const isLong = at - since >= awayForMs - earlyMs
  return {
    failing: { since, count },
    retryAt: at + waitMs,
    trouble: trouble ?? (isLong ? { since, why: unconfirmedText } : undefined),
  }
}

/** What somebody has to mend is other trouble than Slack's own, of which the owner may have been notified. */
function afterPermanent({ trouble }: AlertState, { why }: PermanentFailure, at: EpochMs): AlertState {
  const known = trouble?.why === unconfirmedText ? undefined : trouble
  return { trouble: { since: known?.since ?? at, why, isTold: known?.isTold }, retryAt: at + troubledEveryMs }
}

/**
 * Posts what is pending of alerts, at least once: a call stays pending until Slack has confirmed the message that shows it,
 * so that it is sent again after a failure or the end of the process that sent it.
 */
export function alertDelivery({
  store,
  workspaces,
  background: { guards, channels },
  delivery,
  notices,
  metrics,
  log,
  backgroundWebApi,
  now,
}: Services) {
  async function deliver(alert: AlertRecord, state: AlertState): Promise<void> {
    let next: AlertState | undefined = state
    for (let steps = 0; next && steps < mostSteps; steps += 1) next = await step(alert, next)
  }

  /** @returns the state where there may be more to do at once */
  async function step(alert: AlertRecord, state: AlertState): Promise<AlertState | undefined> {
    const tenant = tenantKey(alert.tenant)
    const { message } = state
    const row = message && (await store.alertMessages.get(tenant, message.id))
    // Slack took it though it did not say so, or nobody kept that it did.
    if (row?.ts !== undefined && message?.postedAt === undefined) return confirm(alert, row.id, row)
    const isThere = row?.ts !== undefined && row.channel === alert.channel && !row.taken && !row.done
    const open = isThere && openMessage(state, now()) === row.id ? row : undefined
    const { zone } = await workspaces.zone(tenant, alert.channel)
    const one: AlertNow = { alert, zone, now: now() }
    const own = withFollowing(current(state, alert), open)
    if (!own.pending) {
      if (own.trouble) await checkTrouble(alert, own)
      return undefined
    }
    if (!isDue(own, one)) return undefined
    // Whoever has changed it since the turn began has had it polled anew: that poll goes by what holds now.
    const asOfNow = await store.alerts.get(tenant, alert.id)
    return isDeepStrictEqual(asOfNow, alert) ? send(one, open, row) : undefined
  }

  /** @param row of a message that is open, or of one that was sent in vain */
  async function send(
    one: AlertNow,
    open: AlertMessageRecord | undefined,
    row: AlertMessageRecord | undefined,
  ): Promise<AlertState | undefined> {
    const { alert } = one
    const actor = await admit(alert, { isUpdate: open !== undefined })
    if ('kind' in actor) return fail(alert, actor)
    // Whoever changes the row first sends it.
    const begun = await change(alert, (state) => {
      const own = withFollowing(current(state, alert), open)
      if (!isDue(own, one)) return undefined
      const { message } = own
      const isSentAgain = message !== undefined && message.postedAt === undefined
      const id = isSentAgain ? message.id : alertMessageId(one.now, alert.id)
      return { ...own, message: open ? message : { id }, sendingUntil: one.now + sendingMs }
    })
    const { pending, message } = begun ?? {}
    if (!pending || !message) return undefined
    const { list, tooOld } = presentable(pending, one)
    if (!list) {
      log.warn(
        { tenant: tenantKey(alert.tenant), alert: alert.id, count: tooOld },
        'calls of an alert were dropped',
      )
      metrics.count('alert_calls_dropped_total', {}, tooOld)
      return change(alert, (state) => ({ ...state, pending: undefined, sendingUntil: undefined }))
    }
    const before = row?.id === message.id ? row : undefined
    const sent = open
      ? await show(actor, open.id, (shown) => {
          const lateByMs = Math.max(shown.lateByMs ?? 0, lateness(list, one.now) ?? 0)
          return { ...mergeLists(shown, list), lateByMs: lateByMs > 0 ? lateByMs : undefined }
        })
      : await post(actor, alert, {
          id: message.id,
          openedAt: before?.openedAt ?? one.now,
          ...list,
          lateByMs: lateness(list, one.now),
          tooOld: tooOld > 0 ? tooOld : undefined,
          // Somebody may have found it in the channel though it was sent in vain.
          taken: before?.taken,
          done: before?.done,
        })
    // Somebody deleted, took or closed it: what it hasn't shown is posted anew.
    if (sent === 'gone')
      return change(alert, (state) => ({ ...state, message: undefined, sendingUntil: undefined }))
    if (sent.kind !== 'sent') return fail(alert, sent)
    metrics.count('alert_calls_total', {}, list.count)
    metrics.time('alert_call_delay_seconds', {}, now() - (list.calls[0]?.at ?? one.now))
    return confirm(alert, message.id, pending)
  }

  /** @returns whose token it is sent with, where its owner may still see calls and the channel is the workspace's own */
  async function admit(
    { tenant, owner, channel }: AlertRecord,
    { isUpdate = false } = {},
  ): Promise<Actor | PostFailure> {
    try {
      const actor = await guards.admit(tenant, owner, 'calls')
      if (isPersonId(channel)) {
        await guards.admit(tenant, channel, 'calls')
        return actor
      }
      const state = await (isUpdate ? channels.recentState(actor, channel) : channels.state(actor, channel))
      return state === 'ok' ? actor : permanentFailure(channelRefusal(state, channel))
    } catch (error) {
      const failure = failureOfError(error)
      if (!failure) throw error
      const isOwnerOut = failure.kind === 'permanent' && failure.isOwnerOut
      return isOwnerOut ? permanentFailure(isPersonId(channel) ? eitherOutText : ownerOutText, true) : failure
    }
  }

  async function post(
    { tenant, team, person, installation }: Actor,
    { id: alertId, channel, lines, agents }: AlertRecord,
    content: Omit<AlertMessageRecord, 'tenant' | 'alertId' | 'channel' | 'owner' | 'line' | 'agent' | 'ts'>,
  ): Promise<Sent> {
    const line = lines.length === 1 ? lines[0] : undefined
    const agent = agents.length === 1 ? agents[0] : undefined
    const row = { ...content, tenant: team, alertId, channel, owner: person.name, line, agent }
    await store.alertMessages.set(tenant, row.id, row, ALERT_MESSAGES_KEPT_MS)
    const result = await delivery.send(await answerOf(row), team, (form) =>
      postMessage(backgroundWebApi, installation.botToken, channel, form.message),
    )
    metrics.count('alert_messages_total', { outcome: result.kind })
    const sent = sentOf(result)
    if (sent.kind === 'sent')
      await store.alertMessages.change(tenant, row.id, (message) => ({
        ...message,
        ts: sent.ts,
        conversation: sent.conversation,
      }))
    return sent
  }

  /**
   * Shows a message as its row has it by now, whoever changes it meanwhile.
   * @param change adds calls: its row says so as soon as Slack has taken it. What is taken or done stays as it is
   * @returns `gone` where nothing can be added, Slack has it changed no more, or there is no row of it
   */
  async function show(
    { tenant, team, installation }: Actor,
    id: string,
    change?: (message: AlertMessageRecord) => AlertMessageRecord,
  ): Promise<Sent | 'gone'> {
    for (let shows = 1; ; shows += 1) {
      const row = await store.alertMessages.get(tenant, id)
      if (row?.ts === undefined) return 'gone'
      const isClosed = change !== undefined && (row.taken ?? row.done) !== undefined
      if (isClosed && shows === 1) return 'gone'
      const shown = isClosed ? row : (change?.(row) ?? row)
      const { ts, conversation: channel = row.channel } = row
      const result = await delivery.send(await answerOf(shown), team, (form) =>
        updateMessage(backgroundWebApi, installation.botToken, { channel, ts }, form.message),
      )
      if (result.kind === 'refused' && unchangeableCodes.includes(result.code)) return 'gone'
      if (result.kind !== 'sent') return sentOf(result)
      const kept = await store.alertMessages.change(tenant, id, (latest) =>
        isDeepStrictEqual(latest, row) ? shown : undefined,
      )
      if (kept) return isClosed ? 'gone' : sentOf(result)
      if (shows >= mostShown) return unknown
    }
  }

  async function answerOf(message: AlertMessageRecord): Promise<Answer> {
    const tenant = tenantKey(message.tenant)
    const [lines, { zone }] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, message.channel),
    ])
    return alertMessage(message, { lines, zone })
  }

  const confirm = (alert: AlertRecord, id: string, handled: CallList) =>
    change(alert, (state) => confirmed(state, { id, handled, now: now() }))

  /** It tries again by itself, and its owner is notified once of what somebody has to mend. */
  async function fail(alert: AlertRecord, failure: PostFailure): Promise<undefined> {
    const at = now()
    const isTransient = failure.kind === 'transient'
    const isOwnerOut = !isTransient && failure.isOwnerOut
    const kept = await change(alert, (state) => ({
      ...state,
      ...(isTransient ? afterTransient(state, failure, at) : afterPermanent(state, failure, at)),
      sendingUntil: undefined,
    }))
    const { failing, trouble: found } = kept ?? {}
    if (isTransient) {
      const attempt = failing?.count
      log.info({ tenant: tenantKey(alert.tenant), alert: alert.id, attempt }, 'an alert could not be posted')
    }
    if (!found || found.isTold) return
    const { since, why } = found
    const noticeId = `alert${tenantKey(alert.tenant)}/${alert.id}/${since}`
    const notice = stoppedNotice(alert.channel, why)
    await notices.notifyOwner(alert, { id: noticeId, notice, isOwnerOut })
    await change(alert, ({ trouble, ...state }) =>
      trouble?.since === since ? { ...state, trouble: { ...trouble, isTold: true } } : undefined,
    )
  }

  /** Where nothing is to be posted, whether it could be: nobody is to read of trouble that is over. */
  async function checkTrouble(alert: AlertRecord, { retryAt, trouble }: AlertState): Promise<void> {
    if (isAhead(retryAt, now())) return
    const actor = await admit(alert)
    if ('kind' in actor) await fail(alert, actor)
    else
      await change(alert, ({ trouble: latest, failing: _failing, retryAt: _, ...state }) =>
        latest?.since === trouble?.since ? state : undefined,
      )
  }

  /** @returns the state as it is then, or `undefined` where it was left as it is */
  async function change(
    { tenant, id }: AlertRecord,
    changeState: (state: AlertState) => AlertState | undefined,
  ): Promise<AlertState | undefined> {
    const changed = await store.watches.change(tenantKey(tenant), WATCH_ID, (watch) => {
      const state = changeState(watch.alerts[id] ?? {})
      return state && { ...watch, alerts: { ...watch.alerts, [id]: state } }
    })
    return changed?.alerts[id]
  }

  return { deliver, show }
}
