import { cut, escapeText, placeText } from '../../slack/blocks/blocks.ts'
import { type AlertHours, type AlertRecord, isMuted } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { weekdaysText } from '../../time/days.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { capital, joinNames } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { mutedText } from '../subscriptions/mute.ts'
import type { AlertWithState } from './alerts.ts'

const MAX_NAMED_LINES = 3
const MAX_LINE_NAME_LENGTH = 24

/** ` on Sales Berlin`; empty for all lines. Not escaped. */
function formatScope({ lines }: Pick<AlertRecord, 'lines'>, names: LineNames): string {
  const labels = lines.map((line) => cut(names.labelOf(line), MAX_LINE_NAME_LENGTH))
  return labels.length === 0 ? '' : ` on ${joinNames(labels, { most: MAX_NAMED_LINES, word: 'or' })}`
}

const minutesText = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)

/** `each missed call on Sales Berlin`, `5 or more missed calls within 10 minutes`. Not escaped. */
export function alertText(alert: AlertRecord, names: LineNames): string {
  const { threshold } = alert
  const scope = formatScope(alert, names)
  return threshold === undefined
    ? `each missed call${scope}`
    : `${threshold.calls} or more missed calls${scope} within ${minutesText(threshold.minutes)}`
}

/** `Monday to Friday 09:00–17:00`, `Saturday and Sunday, all day` */
export function hoursText({ weekdays, from, to }: AlertHours): string {
  const days = weekdaysText(weekdays)
  if (from !== to) return `${days} ${from}–${to}`
  return from === '00:00' ? `${days}, all day` : `${days}, all day from ${from}`
}

/** `At any time`, `Monday to Friday 09:00–17:00 (Europe/Berlin)`. Not escaped. */
export function alertTimes({ hours }: AlertRecord, zone: Zone): string {
  if (hours === undefined) return 'At any time'
  return `${capital(hoursText(hours))} (${zone})`
}

/** For the audit log: `each missed call, Monday to Friday 09:00–17:00` */
export const alertDetail = (alert: AlertRecord, names: LineNames): string =>
  [alertText(alert, names), ...(alert.hours ? [hoursText(alert.hours)] : [])].join(', ')

/** `#support: each missed call on Sales Berlin`. mrkdwn. */
export const alertLine = (alert: AlertRecord, names: LineNames): string =>
  `${capital(placeText(alert.channel))}: ${escapeText(alertText(alert, names))}`

/** Status of an alert: muted or failing, and when it last posted. mrkdwn. */
export function alertState(
  { alert, zone, postedAt, failing, isUnchecked }: AlertWithState,
  now: EpochMs,
): string {
  const label = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now))
  const posted = postedAt === undefined ? 'Nothing posted yet' : `Last posted: ${label(postedAt)}`
  const { muted } = alert
  if (muted && isMuted(alert, now)) return `${mutedText(muted, zone, now)} by <@${muted.by}> · ${posted}`
  if (!failing) return posted
  return `${posted}\n⚠ ${isUnchecked ? 'Not checked' : 'Not posting'} since ${label(failing.since)}. ${failing.why}`
}
