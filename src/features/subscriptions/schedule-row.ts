import { conversationText, escapeText } from '../../slack/blocks/blocks.ts'
import { isMuted } from '../../store/alerts.ts'
import { dayTimeLabel, instantLabel, localDay, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import type { SubscriptionRow } from './kind.ts'
import { allRhythms, type Schedule, type ScheduleOptions, type Slot } from './schedule.ts'
import { mutedText } from './view.ts'

/** `every Monday at 09:00 (Europe/Berlin), by agent` @param zone left out of the audit log */
export function describeRhythm({ rhythm, time, by }: ScheduleOptions, zone?: Zone): string {
  let text = `${allRhythms[rhythm].text} at ${time}`
  if (zone !== undefined) text += ` (${zone})`
  if (by !== undefined) text += `, by ${by}`
  return text
}

/** Returns mrkdwn. */
export function nameSchedule(schedule: Schedule, zone: Zone): string {
  const where = capitalize(conversationText(schedule.channel))
  return `${where}, ${escapeText(describeRhythm(schedule, zone))}`
}

/** A schedule of billing dates is due every day, but posts only on the next billing date. */
export function getNextPostAt({ rhythm, due, billingDay }: Schedule): EpochMs {
  if (!due) return Number.MAX_VALUE
  if (rhythm !== 'billing-date' || billingDay === undefined) return due.at
  return due.at + Math.max(0, Date.parse(billingDay) - Date.parse(due.day))
}

function nextText(schedule: Schedule, due: Slot, zone: Zone, now: EpochMs): string {
  const { rhythm, time, billingDay } = schedule
  if (rhythm !== 'billing-date') return instantLabel(zone, new Date(due.at), new Date(now))
  if (billingDay === undefined || billingDay < due.day) return `on the billing date, ${time}`
  return dayTimeLabel(billingDay, time, localDay(zone, new Date(now)))
}

export function toScheduleRow(schedule: Schedule, zone: Zone, now: EpochMs): SubscriptionRow {
  const { id, owner, stopped, due, muted } = schedule
  const facts: string[] = []
  if (muted && isMuted(schedule, now)) facts.push(`${mutedText(muted, zone, now)} by <@${muted.by}>`)
  if (due) facts.push(`Next: ${nextText(schedule, due, zone, now)}`)
  facts.push(`Scheduled by <@${owner}>`)
  const lines = [facts.join(' · ')]
  if (stopped) lines.push(`⚠ Stopped. ${stopped.why}`)
  const isFailing = stopped !== undefined
  const isOff = isFailing || isMuted(schedule, now)
  return { id, isFailing, isOff, title: nameSchedule(schedule, zone), lines }
}
