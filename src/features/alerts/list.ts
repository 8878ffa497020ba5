import { alertButtons, alertFormActions, alertPages, MOST_ALERTS } from '../../alerts/alert-buttons.ts'
import { alertLine, alertState, alertText, alertTimes } from '../../alerts/alert-text.ts'
import type { AlertWithState } from '../../alerts/alerts.ts'
import {
  actionRow,
  type Block,
  context,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/list-buttons.ts'
import { textOfLines } from '../../slack/blocks/message-size.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { capital } from '../../util/text.ts'

/** As many as a message's 12,000 characters hold, each with a long reason why there is no news. */
const perPage = 4

export const notFound = 'That alert was already deleted.'
export const thereAlready = 'This alert is there already: see /calls alerts.'
export const full = `This workspace has ${MOST_ALERTS} missed-call alerts, the most it can have. Delete one first.`

// What was done just now, of one alert: there may be others for the same channel.
export const pausedNote = (alert: AlertRecord, names: LineNames): string =>
  `Paused: ${alertLine(alert, names)}. Nothing is posted until somebody resumes it, and calls that are missed until then aren't posted later.`
export const resumedNote = (alert: AlertRecord, names: LineNames): string =>
  `Resumed: ${alertLine(alert, names)}. It tells what is missed from now on.`
export const takenOverNote = (alert: AlertRecord, names: LineNames): string =>
  `Taken over: ${alertLine(alert, names)}. It's yours from now on.`
export const unmutedNote = (alert: AlertRecord, names: LineNames): string =>
  `Unmuted: ${alertLine(alert, names)}. It tells what is missed from now on.`
export const deletedNote = (alert: AlertRecord, names: LineNames): string =>
  `Deleted: ${alertLine(alert, names)}.`

const mutedUntilText = (alert: AlertRecord, zone: Zone, now: Date) =>
  recentLabel(zone, new Date(alert.mutedUntil ?? 0), now)

export const mutedNote = (alert: AlertRecord, names: LineNames, zone: Zone, now: Date): string =>
  `Muted until ${mutedUntilText(alert, zone, now)}: ${alertLine(alert, names)}. Calls that are missed until then aren't posted.`

/** What an alert is confirmed with: what will happen. mrkdwn. */
export function savedText(alert: AlertRecord, names: LineNames, zone: Zone, now: Date): string {
  const where = `<#${alert.channel}>`
  if (alert.isPaused) return `Saved. This alert is still paused, so nothing is posted in ${where}.`
  const what = escapeText(alertText(alert, names))
  const tells = `${what} ${alert.threshold === undefined ? 'is' : 'are'} posted in ${where}`
  const hours =
    alert.hours === undefined
      ? ''
      : ` Hours: ${escapeText(alertTimes(alert, zone))}. What is missed outside them is posted in one message when they begin.`
  if (isMuted(alert, now.getTime()))
    return `Saved. This alert is still muted until ${mutedUntilText(alert, zone, now)}. After that, ${tells}.${hours}`
  return `Saved. ${capital(tells)} from now on.${hours}`
}

function rowOf(one: AlertWithState, names: LineNames, page: number, now: Date): Block[] {
  const { alert, zone } = one
  const lines = [
    `*${alertLine(alert, names)}*`,
    `${escapeText(alertTimes(alert, zone))} · Set up by <@${alert.owner}>`,
    alertState(one, now.getTime()),
  ]
  return [section(lines.join('\n')), alertButtons(alert, now.getTime(), page)]
}

const noneText =
  'No missed-call alerts yet. An alert posts in a channel when a call is missed, so that somebody can call back.'

/**
 * A page of the workspace's alerts, with what can be done about each. Pure.
 * @param options.page from 1; the last one where there are not so many
 * @param options.note what was done just now
 */
export function alertsMessage(
  alerts: readonly AlertWithState[],
  names: LineNames,
  options: {
    readonly page: number
    readonly now: Date
    readonly nonce: string
    readonly note?: string | undefined
  },
): Message {
  const { now, nonce, note } = options
  const last = Math.max(1, Math.ceil(alerts.length / perPage))
  const page = Math.min(options.page, last)
  const rows = alerts.slice((page - 1) * perPage, page * perPage)
  const next = page < last ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const paging = pagingRow({ action: alertPages.page, page, last, next, valueFor, nonce })
  const isEmpty = alerts.length === 0
  const count = alerts.length === 1 ? '1 missed-call alert' : `${alerts.length} missed-call alerts`
  const text = isEmpty ? noneText : `${count}.`
  return {
    text: textOfLines([
      note === undefined ? text : `${note} ${text}`,
      ...rows.map((one) => `${alertLine(one.alert, names)}: ${alertState(one, now.getTime())}`),
    ]),
    blocks: [
      header('Missed-call alerts'),
      ...(note === undefined ? [] : [section(note)]),
      ...(isEmpty ? [section(text)] : rows.flatMap((one) => rowOf(one, names, page, now))),
      ...paging,
      ...actionRow([
        alertFormActions.new.button('New alert…', valueFor(page), isEmpty ? 'primary' : undefined),
      ]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      ...(isEmpty ? [] : [context("Times are in each channel's time zone.")]),
    ],
  }
}
