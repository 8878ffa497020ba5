import type { AlertWithState } from '../../alerts/alerts.ts'
import { cut, escapeText, placeText } from '../../slack/blocks/blocks.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import { type AlertHours, type AlertRecord, isMuted } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { weekdaysText } from '../../time/days.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { capital, joinNames } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'

// What an alert does, and how it is, in words for people.

/** Of lines and of agents, as many are named. */
const mostNames = 3
/** Of a name, which is the service's or a person's. */
const nameLength = 24

const named = (names: readonly string[], word: 'and' | 'or') =>
  joinNames(
    names.map((name) => cut(name, nameLength)),
    { most: mostNames, word },
  )

/** Of whom and where: ` on Sales Berlin for Anna Smith`; nothing for all lines and all agents. Not escaped. */
function scopeText({ lines, agents }: Pick<AlertRecord, 'lines' | 'agents'>, names: LineNames): string {
  const own = lines.map(names.labelOf)
  const on = own.length === 0 ? '' : ` on ${named(own, 'or')}`
  const people = agents.map(({ id, name }) => name || id)
  return people.length === 0 ? on : `${on} for ${named(people, 'or')}`
}

const minutesText = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)

/** What it tells: `each missed call on Sales Berlin`, `5 or more missed calls within 10 minutes`. Not escaped. */
export function alertText(alert: AlertRecord, names: LineNames): string {
  const { threshold } = alert
  const scope = scopeText(alert, names)
  return threshold === undefined
    ? `each missed call${scope}`
    : `${threshold.calls} or more missed calls${scope} within ${minutesText(threshold.minutes)}`
}

/**
 * `Monday to Friday 09:00–17:00`; where they end on the next day: `every day 22:00–06:00`; where they last a day:
 * `Saturday and Sunday, all day`
 */
export function hoursText({ weekdays, from, to }: AlertHours): string {
  const days = weekdaysText(weekdays)
  if (from !== to) return `${days} ${from}–${to}`
  return from === '00:00' ? `${days}, all day` : `${days}, all day from ${from}`
}

/** When it speaks: `At any time`, `Monday to Friday 09:00–17:00 (Europe/Berlin)`. Not escaped. */
export function alertTimes({ hours }: AlertRecord, zone: Zone): string {
  if (hours === undefined) return 'At any time'
  return `${capital(hoursText(hours))} (${zone})`
}

/** For the audit log: `each missed call, Monday to Friday 09:00–17:00` */
export const alertDetail = (alert: AlertRecord, names: LineNames): string =>
  [alertText(alert, names), ...(alert.hours ? [hoursText(alert.hours)] : [])].join(', ')

/** One alert in a line of mrkdwn: `#support: each missed call on Sales Berlin` */
export const alertLine = (alert: AlertRecord, names: LineNames): string =>
  `${capital(placeText(alert.channel))}: ${escapeText(alertText(alert, names))}`

const by = (person: string | undefined) => (person === undefined ? '' : ` by <@${person}>`)

/** How it is: why it says nothing, or when it last checked; and when it last posted. mrkdwn. */
export function alertState(
  { alert, zone, polledAt, postedAt, trouble, troubleWith }: AlertWithState,
  now: EpochMs,
): string {
  const label = (at: EpochMs) => recentLabel(zone, new Date(at), new Date(now))
  const posted = postedAt === undefined ? 'Nothing posted yet' : `Last posted: ${label(postedAt)}`
  const { isPaused, pausedBy, mutedUntil, mutedBy } = alert
  if (alert.isAwaiting) return `Waiting for <@${alert.channel}> to agree`
  if (isPaused) return `Paused${by(pausedBy)} · ${posted}`
  const looked = polledAt === undefined ? 'Not checked yet' : `Last checked: ${label(polledAt)}`
  const muted =
    mutedUntil !== undefined && isMuted(alert, now) ? [`Muted until ${label(mutedUntil)}${by(mutedBy)}`] : []
  const line = [...muted, looked, posted].join(' · ')
  const stopped = troubleWith === 'posting' ? 'Not posting' : 'Not checked'
  return trouble === undefined ? line : `${line}\n⚠ ${stopped} since ${label(trouble.since)}. ${trouble.why}`
}

// What people are told whose alerts are on hold: why, and what to do.

export const ownerOutText =
  "Whoever set it up can't see calls any more. Anyone who can takes it over with *Edit…*."

/** Of an alert by direct message. */
export const eitherOutText = "Whoever set it up, or whoever it is for, can't see calls any more."

export const unconfirmedText = "Slack doesn't confirm that it took the messages."

const manageAlerts = { id: 'alerts', text: 'Manage alerts', command: '/calls alerts' }

/** @param why mrkdwn */
export const stoppedNotice = (channel: string, why: string): Notice => ({
  text: `Missed-call alerts in ${placeText(channel)} have stopped. ${why} The alerts resume by themselves once that's fixed.`,
  command: manageAlerts,
})

/** @param channels of the alerts @param since as people read it; none: there never was any */
export const noNewsNotice = (
  channels: readonly string[],
  why: string,
  since: string | undefined,
): Notice => ({
  text: `Missed calls haven't been checked${since === undefined ? '' : ` since ${since}`}, so alerts in ${joinNames(channels.map(placeText))} are on hold. ${why} The alerts resume by themselves once that's fixed.`,
  command: manageAlerts,
})
