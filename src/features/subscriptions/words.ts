import { escapeText, placeText } from '../../slack/blocks/blocks.ts'
import { isMuted } from '../../store/alerts.ts'
import { dayTimeLabel, instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { mutedText } from './mute.ts'
import { rhythmTexts, type Schedule, type ScheduleDraft } from './schedule-rows.ts'

/** `15 Dec, 09:00`, the time of the next post. */
export function nextText({ rhythm, time, due, billingDay }: Schedule, zone: Zone, now: EpochMs): string {
  const at = new Date(now)
  if (!due) return 'not planned'
  if (rhythm !== 'billing-date') return instantLabel(zone, new Date(due.at), at)
  const isAhead = billingDay !== undefined && billingDay >= due.day
  return isAhead ? dayTimeLabel(billingDay, time, localDay(zone, at)) : `on the billing date, ${time}`
}

/** For the audit log: `every Monday at 09:00, by line` */
export const scheduleDetail = ({ rhythm, time, by }: ScheduleDraft): string =>
  `${rhythmTexts[rhythm]} at ${time}${by === undefined ? '' : `, by ${by}`}`

/** `#finance, every Monday at 09:00 (Europe/Berlin), by line`. mrkdwn. */
export function scheduleText({ channel, rhythm, time, by }: ScheduleDraft, zone: Zone): string {
  const grouping = by === undefined ? '' : `, by ${by}`
  return `${capital(placeText(channel))}, ${rhythmTexts[rhythm]} at ${time} (${escapeText(zone)})${grouping}`
}

/** Status of a schedule in lines of mrkdwn. @param trouble why it can't post at present */
export function scheduleState(
  schedule: Schedule,
  zone: Zone,
  now: EpochMs,
  trouble?: string,
): readonly string[] {
  const { muted, stopped, owner } = schedule
  const failure = stopped ? `⚠ Stopped. ${stopped.why}` : trouble && `⚠ Not posting. ${trouble}`
  return [
    [
      ...(muted && isMuted(schedule, now) ? [`${mutedText(muted, zone, now)} by <@${muted.by}>`] : []),
      ...(failure === undefined && schedule.due ? [`Next: ${nextText(schedule, zone, now)}`] : []),
      `Scheduled by <@${owner}>`,
    ].join(' · '),
    ...(failure === undefined ? [] : [failure]),
  ]
}

// Notices to the owner.

export const unconfirmedPostText = (post: string, channel: string, planned: string): string =>
  `The ${post} scheduled for ${planned} may be missing from ${placeText(channel)}: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing.`

export const skippedText = (post: string, channel: string, planned: string): string =>
  `The ${post} scheduled for ${planned} in ${placeText(channel)} was skipped: it would have been more than a day late. The next one comes on schedule.`

export function stoppedText(posts: string, schedule: Schedule, zone: Zone, isAccount: boolean): string {
  const { stopped } = schedule
  const then = isAccount
    ? 'They continue by themselves once the account is connected again.'
    : "Turn them on again once that's fixed."
  return `${capital(posts)} have stopped: ${scheduleText(schedule, zone)}. ${stopped?.why ?? ''} ${then}`
}
