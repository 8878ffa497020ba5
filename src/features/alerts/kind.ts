import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { type Block, cut, escapeText, placeText, section } from '../../slack/blocks/blocks.ts'
import { type Errors, Form, numberField, time, weekdays } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import { type AlertHours, type AlertRecord, isMuted } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { LineNames, lineKey } from '../../telephony/lines.ts'
import { weekdaysText } from '../../time/days.ts'
import { recentLabel, type Zone } from '../../time/zones.ts'
import { capitalize, joinNames, uncapitalize } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { linesField } from '../calls/query-form.ts'
import { callerUnknownText } from '../calls/words.ts'
import {
  type SubscriptionInfo,
  type SubscriptionKind,
  type SubscriptionRow,
  subscriptionActions,
} from '../subscriptions/kind.ts'
import { mutedText } from '../subscriptions/mute.ts'
import { type FormAuthor, placeFields, readPlace } from '../subscriptions/place-fields.ts'
import { Alerts, type AlertWithState } from './alerts.ts'

const MAX_CHOSEN_LINES = 60
const DAYS_PER_WEEK = 7
const DEFAULT_MINUTES = 10
const atAnyTime: AlertHours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }

interface AlertFormContext {
  /** The alert being edited; undefined when creating. */
  readonly record: AlertRecord | undefined
  /** Preselected; empty for direct messages. */
  readonly channel: string
  readonly names: LineNames
}

function createAlertForm({ names, record, channel }: AlertFormContext) {
  const { calls = 1, minutes = DEFAULT_MINUTES } = record?.threshold ?? {}
  const hours = record?.hours ?? atAnyTime
  return new Form({
    ...placeFields(channel),
    lines: linesField(record?.lines ?? [], names, MAX_CHOSEN_LINES),
    calls: numberField('Post after how many missed calls?', { min: 1, max: 100, initial: calls }),
    minutes: numberField('Within how many minutes?', { min: 1, max: 60, initial: minutes }),
    from: time('From', hours.from, { hint: "In the channel's time zone." }),
    to: time('Until', hours.to, {
      hint: 'The same time means all day. An end before the start means the next day.',
    }),
    weekdays: weekdays('Days', hours.weekdays).checked((days) =>
      days.length === 0 ? 'Choose at least one day.' : undefined,
    ),
  })
}

const alertBlocks = (context: AlertFormContext): readonly Block[] => [
  section(
    `The message says when a call was missed, and on which line. ${callerUnknownText} Calls missed within the next ten minutes join the same message.`,
  ),
  ...createAlertForm(context).inputs(),
]

type AlertDraft = Pick<AlertRecord, 'channel' | 'lines' | 'threshold' | 'hours'>

/** Reads a submitted form; errors by block id. @throws {ForgedValueError} */
function readAlert(
  view: ViewPayload,
  author: FormAuthor,
): { readonly draft: AlertDraft } | { readonly errors: Errors } {
  const { values, errors } = createAlertForm({ names: LineNames.none, record: undefined, channel: '' }).read(
    view,
  )
  if (!values) return { errors }
  const { calls, minutes, weekdays: days, from, to } = values
  const read = readPlace(values, author)
  if ('errors' in read) return read
  const lines = [...new Map(values.lines.map((line) => [lineKey(line), line])).values()]
  const threshold = calls === 1 ? undefined : { calls, minutes }
  const isAnyTime = days.length === DAYS_PER_WEEK && from === to
  const hours = isAnyTime ? undefined : { weekdays: days, from, to }
  return { draft: { channel: read.place, lines, threshold, hours } }
}

const MAX_NAMED_LINES = 3
const MAX_LISTED_NAME_LENGTH = 24

export const alertInfo: SubscriptionInfo = {
  needs: 'calls',
  command: 'calls',
  word: 'alert',
  longWord: 'missed-call alert',
  form: 'calls.alert',
  title: 'Missed-call alert',
  actions: subscriptionActions('calls.alert'),
  audit: 'alert',
  consequence: "It won't post missed calls there any more.",
  meanwhile: "Calls missed meanwhile aren't posted.",
  list: {
    title: 'Missed-call alerts',
    perPage: 4,
    none: 'No missed-call alerts yet. An alert posts in a channel when a call is missed, and shows who takes it.',
    hint: "Times are in each channel's time zone, and in the workspace's for direct messages.",
    button: { id: 'alerts', text: 'All alerts' },
  },
}

/** ` on Sales Berlin`; empty for all lines. Not escaped. */
function formatScope({ lines }: Pick<AlertRecord, 'lines'>, names: LineNames): string {
  const labels = lines.map((line) => cut(names.getLabel(line), MAX_LISTED_NAME_LENGTH))
  return labels.length === 0 ? '' : ` on ${joinNames(labels, { max: MAX_NAMED_LINES, conjunction: 'or' })}`
}

const minutesText = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)

/** `each missed call on Sales Berlin`, `5 or more missed calls within 10 minutes`. Not escaped. */
export function formatAlert(alert: AlertRecord, names: LineNames): string {
  const { threshold } = alert
  const scope = formatScope(alert, names)
  return threshold === undefined
    ? `each missed call${scope}`
    : `${threshold.calls} or more missed calls${scope} within ${minutesText(threshold.minutes)}`
}

/** `Monday to Friday 09:00–17:00`, `Saturday and Sunday, all day` */
export function formatHours({ weekdays, from, to }: AlertHours): string {
  const days = weekdaysText(weekdays)
  if (from !== to) return `${days} ${from}–${to}`
  return from === '00:00' ? `${days}, all day` : `${days}, all day from ${from}`
}

/** `At any time`, `Monday to Friday 09:00–17:00 (Europe/Berlin)`. Not escaped. */
function formatAlertHours({ hours }: AlertRecord, zone: Zone): string {
  if (hours === undefined) return 'At any time'
  return `${capitalize(formatHours(hours))} (${zone})`
}

/** For the audit log: `each missed call, Monday to Friday 09:00–17:00` */
const formatAuditDetail = (alert: AlertRecord, names: LineNames): string =>
  [formatAlert(alert, names), ...(alert.hours ? [formatHours(alert.hours)] : [])].join(', ')

/** `#support: each missed call on Sales Berlin`. mrkdwn. */
const nameAlert = (alert: AlertRecord, names: LineNames): string =>
  `${capitalize(placeText(alert.channel))}: ${escapeText(formatAlert(alert, names))}`

/** Status of an alert: muted or failing, and when it last posted. mrkdwn. */
export function formatStatus(
  { alert, zone, postedAt, failing, isAccountFailing }: AlertWithState,
  now: EpochMs,
): string {
  const label = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now))
  const posted = postedAt === undefined ? 'Nothing posted yet' : `Last posted: ${label(postedAt)}`
  const { muted } = alert
  if (muted && isMuted(alert, now)) return `${mutedText(muted, zone, now)} by <@${muted.by}> · ${posted}`
  if (!failing) return posted
  return `${posted}\n⚠ ${isAccountFailing ? 'Not checked' : 'Not posting'} since ${label(failing.since)}. ${failing.why}`
}

const lineKeys = ({ lines }: Pick<AlertRecord, 'lines'>) => lines.map(lineKey).toSorted()

/** Returns the content by which duplicates are recognized. */
const toContent = (one: AlertRecord | AlertDraft) => ({
  channel: one.channel,
  lines: lineKeys(one),
  threshold: one.threshold ?? null,
  hours: one.hours ?? null,
})

export function toAlertRow(one: AlertWithState, names: LineNames, now: EpochMs): SubscriptionRow {
  const { alert, zone, failing } = one
  const [title, state] = [nameAlert(alert, names), formatStatus(one, now)]
  return {
    id: alert.id,
    owner: alert.owner,
    // Alerts have no next time and keep their order.
    at: 0,
    isFailing: failing !== undefined,
    isOff: isMuted(alert, now),
    title,
    details: [`${escapeText(formatAlertHours(alert, zone))} · Set up by <@${alert.owner}>`],
    state: [state],
    line: `${title}: ${state}`,
  }
}

/** Confirms a saved alert. mrkdwn. */
function alertSavedText(alert: AlertRecord, names: LineNames, zone: Zone, now: EpochMs): string {
  const { muted, threshold, hours, channel } = alert
  const verb = threshold === undefined ? 'is' : 'are'
  const sentence = `${escapeText(formatAlert(alert, names))} ${verb} posted in ${placeText(channel)}`
  const times = hours
    ? ` Hours: ${escapeText(formatAlertHours(alert, zone))}. Calls missed outside these hours arrive together when they start.`
    : ''
  if (!muted || !isMuted(alert, now)) return `Saved. ${capitalize(sentence)} from now on.${times}`
  const afterMute = muted.until === undefined ? '' : ` After that, ${sentence}.${times}`
  return `Saved. This alert is still ${uncapitalize(mutedText(muted, zone, now))}.${afterMute}`
}

/** Turns an alert on. Calls that were missed while it was muted are never posted. */
function turnOn({ muted, ...alert }: AlertRecord, owner: string, now: EpochMs): AlertRecord {
  return { ...alert, owner, since: isMuted({ muted }, now) ? now : alert.since }
}

export function missedCallAlerts(services: Services): SubscriptionKind<AlertRecord, AlertDraft> {
  const { workspaces, now } = services
  const alerts = new Alerts(services)
  return {
    info: alertInfo,
    rows: alerts,
    async list(tenant) {
      const [all, names] = await Promise.all([alerts.list(tenant), workspaces.lineNames(tenant)])
      return all.map((one) => toAlertRow(one, names, now()))
    },
    async words(alert) {
      const names = await workspaces.lineNames(tenantKey(alert.tenant))
      return { name: nameAlert(alert, names), detail: formatAuditDetail(alert, names) }
    },
    mute: (alert, muted) => ({ ...alert, muted }),
    turnOn: (alert, owner) => turnOn(alert, owner, now()),
    async form({ tenant, record, channel }) {
      return alertBlocks({ record, channel, names: await workspaces.lineNames(tenant) })
    },
    read: readAlert,
    getContent: toContent,
    async save({ actor, tenant }, draft, { id, before }) {
      const make = (current?: AlertRecord): AlertRecord => {
        // With the same lines, waiting calls are still posted.
        const hasSameLines = current && isDeepStrictEqual(lineKeys(current), lineKeys(draft))
        const since = hasSameLines ? current.since : now()
        return { ...current, ...draft, id, tenant: actor.team, owner: actor.person.id, since }
      }
      const record = before ? await alerts.change(tenant, id, make) : await alerts.add(make())
      if (!record) return undefined
      const [names, { zone }] = await Promise.all([
        workspaces.lineNames(tenant),
        workspaces.zone(tenant, record.channel),
      ])
      return { record, text: alertSavedText(record, names, zone, now()) }
    },
  }
}
