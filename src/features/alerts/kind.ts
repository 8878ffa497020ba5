import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { linesField } from '../../query/fields.ts'
import { callerUnknownText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { conversationText, cut, escapeText, isPersonId, option } from '../../slack/blocks/blocks.ts'
import { checkboxesField, numberField, people, time, weekdays } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import {
  type AlertHours,
  type AlertRecord,
  changeState,
  type Failing,
  getState,
  isMuted,
  MAX_REMINDED_PEOPLE,
  POLL_ID,
  type Remind,
} from '../../store/alerts.ts'
import { getShard } from '../../store/engine/rows.ts'
import { tenantKey } from '../../store/tenant.ts'
import { isOfLine, LineNames } from '../../telephony/lines.ts'
import { weekdaysText } from '../../time/days.ts'
import { recentLabel, type Zone } from '../../time/zones.ts'
import { capitalize, joinNames } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import {
  type SubscriptionInfo,
  type SubscriptionKind,
  type SubscriptionRow,
  subscriptionActions,
} from '../subscriptions/kind.ts'
import type { SubscriptionRoutes } from '../subscriptions/routes.ts'
import { mutedText, zoneHint } from '../subscriptions/view.ts'
import { isNotable } from './failing.ts'
import type { Announcements } from './handling/announcements.ts'
import { enqueueShard } from './poller.ts'

const MAX_CHOSEN_LINES = 60
const DEFAULT_MINUTES = 10
const atAnyTime: AlertHours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }

function createAlertForm(names: LineNames, record?: AlertRecord) {
  const { calls = 1, minutes = DEFAULT_MINUTES } = record?.threshold ?? {}
  const hours = record?.hours ?? atAnyTime
  return new Form({
    lines: linesField(record?.lines ?? [], names, MAX_CHOSEN_LINES),
    calls: numberField('Post after how many missed calls?', { min: 1, max: 100, initial: calls }),
    minutes: numberField('Within how many minutes?', { min: 1, max: 60, initial: minutes }),
    from: time('From', hours.from, {
      hint: `${zoneHint} Calls missed outside these hours arrive together when they start.`,
    }),
    to: time('Until', hours.to, {
      hint: 'The same time means all day. An end before the start means the next day.',
    }),
    weekdays: weekdays('Days', hours.weekdays).checked((days) =>
      days.length === 0 ? 'Choose at least one day.' : undefined,
    ),
    remind: numberField('Remind after how many minutes?', {
      min: 0,
      max: 720,
      initial: record?.remind?.afterMinutes ?? 0,
    }),
    mention: people('Mention in reminders', record?.remind?.people ?? [], {
      isOptional: true,
      hint: `If nobody has taken a call by then, the thread is reminded, three times at most, within the hours above. 0 means never. Up to ${MAX_REMINDED_PEOPLE} people are mentioned.`,
    }).checked((ids) =>
      ids.length > MAX_REMINDED_PEOPLE ? `Choose up to ${MAX_REMINDED_PEOPLE} people.` : undefined,
    ),
    broadcast: checkboxesField(
      'First reminder',
      z.literal('channel'),
      [option('Show it in the channel, too', 'channel')],
      record?.remind?.isBroadcast ? ['channel'] : [],
    ),
  })
}

type AlertOptions = Pick<AlertRecord, 'lines' | 'threshold' | 'hours' | 'remind'>

const MAX_NAMED_LINES = 3
const MAX_LISTED_NAME_LENGTH = 24

export const alertInfo: SubscriptionInfo = {
  needs: 'calls',
  command: 'calls',
  word: 'alert',
  posts: 'missed calls',
  title: 'Missed-call alert',
  intro: `The message says when a call was missed, and on which line. ${callerUnknownText} Calls missed within the next ten minutes join the same message.`,
  actions: subscriptionActions('calls.alert'),
  audit: 'an alert',
  meanwhile: "Calls missed meanwhile aren't posted.",
  listTitle: 'Missed-call alerts',
  perPage: 4,
  none: 'No missed-call alerts yet. An alert posts in a channel when a call is missed, and shows who takes it.',
  hint: "Times are in each channel's time zone, and in the workspace's for direct messages.",
}

/** ` on Sales Berlin`; empty for all lines. Not escaped. */
function formatScope({ lines }: Pick<AlertRecord, 'lines'>, names: LineNames): string {
  if (lines.length === 0) return ''
  const labels = lines.map((line) => cut(names.getLabel(line), MAX_LISTED_NAME_LENGTH))
  return ` on ${joinNames(labels, { max: MAX_NAMED_LINES, conjunction: 'or' })}`
}

const minutesText = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)

/** `each missed call on Sales Berlin`, `5 or more missed calls within 10 minutes`. Not escaped. */
export function formatAlert(alert: AlertRecord, names: LineNames): string {
  const { threshold } = alert
  const scope = formatScope(alert, names)
  if (threshold === undefined) return `each missed call${scope}`
  return `${threshold.calls} or more missed calls${scope} within ${minutesText(threshold.minutes)}`
}

export function formatHours({ weekdays, from, to }: AlertHours): string {
  const days = weekdaysText(weekdays)
  return from === to ? `${days}, all day` : `${days} ${from}–${to}`
}

/** Not escaped. */
function formatAlertHours({ hours, remind }: AlertRecord, zone: Zone): string {
  const text = hours === undefined ? 'At any time' : `${capitalize(formatHours(hours))} (${zone})`
  if (remind === undefined) return text
  return `${text}, reminds after ${minutesText(remind.afterMinutes)}`
}

interface AlertView {
  readonly alert: AlertRecord
  readonly names: LineNames
  /** Time zone of the channel. */
  readonly zone: Zone
  readonly postedAt: EpochMs | undefined
  /** Undefined for short failures. */
  readonly failing: Failing | undefined
  readonly now: EpochMs
}

/** Returns mrkdwn. */
export function formatStatus({ alert, zone, postedAt, failing, now }: Omit<AlertView, 'names'>): string {
  const label = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now))
  const posted = postedAt === undefined ? 'Nothing posted yet' : `Last posted: ${label(postedAt)}`
  const { muted } = alert
  if (muted && isMuted(alert, now)) return `${mutedText(muted, zone, now)} by <@${muted.by}> · ${posted}`
  if (!failing) return posted
  return `${posted}\n⚠ Not posting since ${label(failing.since)}. ${failing.why}`
}

export function toAlertRow(view: AlertView): SubscriptionRow {
  const { alert, names, zone, failing, now } = view
  return {
    id: alert.id,
    owner: alert.owner,
    isFailing: failing !== undefined,
    isOff: isMuted(alert, now),
    title: `${capitalize(conversationText(alert.channel))}: ${escapeText(formatAlert(alert, names))}`,
    lines: [`${escapeText(formatAlertHours(alert, zone))} · Set up by <@${alert.owner}>`, formatStatus(view)],
  }
}

interface RemindFields {
  readonly remind: number
  readonly mention: readonly string[]
  readonly broadcast: readonly string[]
}

function toRemind({ remind, mention, broadcast }: RemindFields): Remind | undefined {
  if (remind === 0) return undefined
  const reminders: Remind = { afterMinutes: remind, people: [...mention] }
  return broadcast.length > 0 ? { ...reminders, isBroadcast: true } : reminders
}

/** True if both may find the same call for a channel. */
function overlaps(one: AlertRecord, other: AlertRecord): boolean {
  if (one.channel !== other.channel || isPersonId(one.channel)) return false
  if (one.lines.length === 0 || other.lines.length === 0) return true
  return one.lines.some((line) => other.lines.some((own) => isOfLine(line, own)))
}

/** The routes of alerts. */
export type MissedCallAlerts = SubscriptionRoutes<AlertRecord, AlertOptions>

export function missedCallAlerts(
  services: Services,
  announcements: Announcements,
): SubscriptionKind<AlertRecord, AlertOptions> {
  const { store, workspaces, now } = services
  return {
    info: alertInfo,
    rows: store.alerts,
    async list(tenant) {
      const [all, poll, names] = await Promise.all([
        store.alerts.all(tenant),
        store.polls.get(tenant, POLL_ID),
        workspaces.lineNames(tenant),
      ])
      const listed = all.map(async (alert) => {
        const { zone } = await workspaces.zone(tenant, alert.channel)
        const state = await getState(store.alertStates, alert)
        const failing = [state.failing, poll?.failing].find((one) => one && isNotable(one, now()))
        return toAlertRow({ alert, names, zone, postedAt: state.postedAt, failing, now: now() })
      })
      return Promise.all(listed)
    },
    async describe(alert) {
      const names = await workspaces.lineNames(tenantKey(alert.workspace))
      const what = formatAlert(alert, names)
      return alert.hours ? `${what}, ${formatHours(alert.hours)}` : what
    },
    inputs: async (tenant, record) => createAlertForm(await workspaces.lineNames(tenant), record).inputs(),
    read(view) {
      const { values, errors } = createAlertForm(LineNames.none).read(view)
      if (!values) return { errors }
      const { calls, minutes, weekdays: days, from, to } = values
      const remind = toRemind(values)
      const threshold = calls === 1 ? undefined : { calls, minutes }
      const isAnyTime = days.length === atAnyTime.weekdays.length && from === to
      const hours = isAnyTime ? undefined : { weekdays: days, from, to }
      return { options: { lines: values.lines.toSorted(), threshold, hours, remind } }
    },
    make(draft, before) {
      // With the same lines, waiting calls are still posted.
      const hasSameLines = before && isDeepStrictEqual(before.lines, draft.lines)
      if (hasSameLines) return { ...before, ...draft, since: before.since }
      return { ...before, ...draft, since: now(), mutedFrom: undefined }
    },
    mute: (alert, muted) => ({ ...alert, muted }),
    turnOn({ muted, ...alert }, owner) {
      if (!isMuted({ muted }, now())) return { ...alert, owner }
      return { ...alert, owner, since: now(), mutedFrom: muted?.from }
    },
    /** Retries at once, because the cause of a failure may be fixed. */
    async changed(alert) {
      await changeState(store.alertStates, alert, ({ failing: _, ...state }) => state)
      await enqueueShard(services, getShard(tenantKey(alert.workspace)))
    },
    async deleted({ workspace, id }) {
      await store.alertStates.delete(tenantKey(workspace), id)
    },
    async announce(actor, alert) {
      const names = await workspaces.lineNames(actor.tenant)
      await announcements.tellMute(actor, alert, formatAlert(alert, names))
    },
    async warn(alert) {
      const tenant = tenantKey(alert.workspace)
      const all = await store.alerts.all(tenant)
      const other = all.find((one) => one.id !== alert.id && overlaps(one, alert))
      if (!other) return undefined
      const names = await workspaces.lineNames(tenant)
      const what = escapeText(formatAlert(other, names))
      return `Another alert here posts ${what}. Each call is posted once, by whichever alert comes first.`
    },
  }
}
