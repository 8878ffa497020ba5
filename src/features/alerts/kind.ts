import type { types } from '@slack/bolt'
import { callerUnknownText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText, cut, escapeText, isPersonId, textMessage } from '../../slack/blocks/blocks.ts'
import * as records from '../../store/alerts.ts'
import { getShard } from '../../store/engine/rows.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { isOfLine, type LineNames } from '../../telephony/lines.ts'
import { weekdaysText } from '../../time/days.ts'
import { recentLabel, type Zone } from '../../time/zones.ts'
import { capitalize, joinNames } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import * as subscriptions from '../subscriptions/kind.ts'
import { mutedText } from '../subscriptions/view.ts'
import { muteActions } from './actions.ts'
import { isNotable } from './failing.ts'
import { type AlertOptions, createAlertForm, readAlertForm } from './form.ts'
import type { AlertMessages } from './messages.ts'
import { enqueueShard } from './poller.ts'
import { formatLabel } from './words.ts'

const MAX_NAMED_LINES = 3
const MAX_LISTED_NAME_LENGTH = 24

export const alertInfo: subscriptions.SubscriptionInfo = {
  needs: 'calls',
  command: 'calls',
  word: 'alert',
  title: 'Missed-call alert',
  intro: `The message says when a call was missed, and on which line. ${callerUnknownText} Calls missed within the next ten minutes join the same message.`,
  actions: subscriptions.createSubscriptionActions('calls.alert'),
  audit: 'an alert',
  mutedNote: "Calls missed meanwhile aren't posted.",
  listTitle: 'Missed-call alerts',
  none: 'No missed-call alerts yet. An alert posts in a channel when a call is missed, and shows who takes it.',
  hint: "Times are in each channel's time zone, and in the workspace's for direct messages.",
}

const minutesText = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)

/** `each missed call on Sales Berlin`, `5 or more missed calls within 10 minutes`. Not escaped. */
export function formatAlert({ lines, threshold }: records.AlertRecord, names: LineNames): string {
  const labels = lines.map((line) => cut(names.getLabel(line), MAX_LISTED_NAME_LENGTH))
  const lineText = joinNames(labels, { max: MAX_NAMED_LINES, conjunction: 'or' })
  const scope = lines.length === 0 ? '' : ` on ${lineText}`
  if (threshold === undefined) return `each missed call${scope}`
  return `${threshold.calls} or more missed calls${scope} within ${minutesText(threshold.minutes)}`
}

export function formatHours({ weekdays, from, to }: records.AlertHours): string {
  const days = weekdaysText(weekdays)
  return from === to ? `${days}, all day` : `${days} ${from}–${to}`
}

/** When the alert posts and reminds. Not escaped. */
function formatTiming({ hours, remind }: records.AlertRecord, zone: Zone): string {
  const text = hours === undefined ? 'At any time' : `${capitalize(formatHours(hours))} (${zone})`
  if (remind === undefined) return text
  return `${text}, reminds after ${minutesText(remind.afterMinutes)}`
}

interface AlertView {
  readonly alert: records.AlertRecord
  readonly names: LineNames
  /** Time zone of the channel. */
  readonly zone: Zone
  /** Undefined for short failures. */
  readonly failing: records.Failing | undefined
  readonly now: EpochMs
}

/** Returns mrkdwn. */
export function formatStatus({ alert, zone, failing, now }: Omit<AlertView, 'names'>): string {
  const { muted, state } = alert
  const { postedAt } = state
  const label = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now))
  const posted = postedAt === undefined ? 'Nothing posted yet' : `Last posted: ${label(postedAt)}`
  if (muted && records.isMuted(alert, now))
    return `${mutedText(muted, zone, now)} by <@${muted.by}> · ${posted}`
  if (!failing) return posted
  return `${posted}\n⚠ Not posting since ${label(failing.since)}. ${failing.why}`
}

export function toAlertRow(view: AlertView): subscriptions.SubscriptionRow {
  const { alert, names, zone, failing, now } = view
  return {
    id: alert.id,
    isFailing: failing !== undefined,
    isOff: records.isMuted(alert, now),
    title: `${capitalize(conversationText(alert.channel))}: ${escapeText(formatAlert(alert, names))}`,
    lines: [`${escapeText(formatTiming(alert, zone))} · Set up by <@${alert.owner}>`, formatStatus(view)],
  }
}

/** True if both may find the same call for a channel. */
function overlaps(alert: records.AlertRecord, other: records.AlertRecord): boolean {
  if (alert.channel !== other.channel || isPersonId(alert.channel)) return false
  // Without lines, an alert covers all.
  if (alert.lines.length === 0 || other.lines.length === 0) return true
  return alert.lines.some((line) => other.lines.some((otherLine) => isOfLine(line, otherLine)))
}

export class AlertKind implements subscriptions.SubscriptionKind<records.AlertRecord, AlertOptions> {
  readonly info = alertInfo
  readonly rows
  readonly read = readAlertForm
  readonly #services
  readonly #messages

  constructor(services: Services, messages: AlertMessages) {
    this.rows = services.store.alerts
    this.#services = services
    this.#messages = messages
  }

  async list(tenant: TenantKey): Promise<readonly subscriptions.SubscriptionRow[]> {
    const { store, workspaces, now } = this.#services
    const [alerts, poll, names] = await Promise.all([
      this.rows.all(tenant),
      store.polls.get(tenant, records.POLL_ID),
      workspaces.getLineNames(tenant),
    ])
    const readRow = async (alert: records.AlertRecord) => {
      const { zone } = await workspaces.findZone(tenant, alert.channel)
      const failures = [alert.state.failing, poll?.failing]
      const failing = failures.find((failure) => failure && isNotable(failure, now()))
      return toAlertRow({ alert, names, zone, failing, now: now() })
    }
    return Promise.all(alerts.map(readRow))
  }

  async describe(alert: records.AlertRecord): Promise<string> {
    const text = await this.#format(alert)
    return alert.hours ? `${text}, ${formatHours(alert.hours)}` : text
  }

  async #format(alert: records.AlertRecord): Promise<string> {
    const names = await this.#services.workspaces.getLineNames(tenantKey(alert.workspace))
    return formatAlert(alert, names)
  }

  async inputs(tenant: TenantKey, record: records.AlertRecord | undefined) {
    const names = await this.#services.workspaces.getLineNames(tenant)
    return createAlertForm(names, record).buildInputs()
  }

  make(draft: subscriptions.Draft<AlertOptions>, before?: records.AlertRecord): records.AlertRecord {
    if (!before) return { ...draft, since: this.#services.now(), state: records.idleState }
    // Retries at once, because the cause of a failure may be fixed.
    return { ...before, ...draft, state: { ...before.state, failing: undefined } }
  }

  mute(alert: records.AlertRecord, muted: records.Muted): records.AlertRecord {
    if (!alert.muted || !records.isMuted(alert, muted.from)) return { ...alert, muted }
    // A call of the mute that is replaced may not have been found yet, so the new one begins as early.
    return { ...alert, muted: { ...muted, from: alert.muted.from } }
  }

  turnOn(alert: records.AlertRecord, owner: string): records.AlertRecord {
    const now = this.#services.now()
    const state = { ...alert.state, failing: undefined }
    const { muted } = alert
    if (!muted || !records.isMuted(alert, now)) return { ...alert, owner, state }
    return { ...alert, owner, state, muted: { ...muted, until: now } }
  }

  /** The first alert of a shard has no job yet. */
  afterChange({ workspace }: records.AlertRecord): Promise<void> {
    return enqueueShard(this.#services, getShard(tenantKey(workspace)))
  }

  async announce(actor: Actor, alert: records.AlertRecord): Promise<void> {
    const { workspaces, now } = this.#services
    const { channel, muted } = alert
    const value = { alert: alert.id }
    const name = formatLabel(actor.person.name)
    const text = await this.#format(alert)
    const tell = (did: string, button: types.Button) => {
      const message = textMessage(`${name} ${did}: ${escapeText(text)}.`, [button])
      return this.#messages.announce(actor, channel, message)
    }
    if (!muted || !records.isMuted(alert, now()))
      return tell('turned this alert on', muteActions.mute.button('Mute for an hour', value))
    const { zone } = await workspaces.findZone(actor.tenant, channel)
    const { until } = muted
    const end = until === undefined ? '' : ` until ${recentLabel(zone, new Date(until), new Date(now()))}`
    return tell(`muted this alert${end}`, muteActions.turnOn.button('Turn on', value))
  }

  async warn(alert: records.AlertRecord): Promise<string | undefined> {
    const alerts = await this.rows.all(tenantKey(alert.workspace))
    const overlapping = alerts.find((other) => other.id !== alert.id && overlaps(other, alert))
    if (!overlapping) return undefined
    const text = await this.#format(overlapping)
    return `Another alert here posts ${escapeText(text)}. Each call is posted once, by whichever alert comes first.`
  }
}
