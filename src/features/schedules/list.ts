import type { KindInfo, KindName } from '../../scheduler/kinds.ts'
import { scheduleButtons } from '../../scheduler/schedule-buttons.ts'
import {
  dayText,
  nextText,
  scheduleLine,
  scheduleState,
  scheduleText,
} from '../../scheduler/schedule-text.ts'
import type { ScheduleWithZone } from '../../scheduler/scheduler.ts'
import { actionRow, type Block, context, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/list-buttons.ts'
import { textOfLines } from '../../slack/blocks/message-size.ts'
import type { Schedule } from '../../store/schedules.ts'

/** As many as a message's 12,000 characters hold, each with a long reason why it is paused. */
const perPages: Readonly<Record<KindName, number>> = { billing: 7, report: 5 }

export const notFound = 'That schedule was already deleted.'

const named = ({ channel, day }: Schedule) => `<#${channel}>, ${dayText(day)}`

// What was done just now, of one schedule: there may be others for the same channel.
export const pausedNote = (schedule: Schedule) =>
  `Paused: ${named(schedule)}. Nothing is posted until somebody resumes it.`
export const resumedNote = (schedule: Schedule) => `Resumed: ${named(schedule)}. You're its owner now.`
export const deletedNote = (schedule: Schedule) => `Deleted: ${named(schedule)}.`

const rowOf = (info: KindInfo, one: ScheduleWithZone, page: number, now: Date): Block[] => [
  section([`*${scheduleText(one.schedule, one.zone)}*`, ...scheduleState(one, now)].join('\n')),
  scheduleButtons(info, one.schedule, page),
]

/** What a schedule is confirmed with. @param isNew whether nothing was posted by it yet */
export function savedText({ schedule, zone }: ScheduleWithZone, isNew: boolean, now: Date): string {
  const where = `<#${schedule.channel}>`
  return schedule.paused
    ? `Saved. This schedule is still paused, so nothing is posted in ${where}.`
    : `Saved. ${isNew ? 'First' : 'Next'} post in ${where}: ${nextText(schedule, zone, now)}.`
}

/**
 * A page of the workspace's schedules of one kind, with what can be done about each. Pure.
 * @param options.page from 1; the last one where there are not so many
 * @param options.note what was done just now
 */
export function schedulesMessage(
  info: KindInfo,
  schedules: readonly ScheduleWithZone[],
  options: { page: number; now: Date; nonce: string; note?: string | undefined },
): Message {
  const { now, nonce, note } = options
  const perPage = perPages[info.name]
  const last = Math.max(1, Math.ceil(schedules.length / perPage))
  const page = Math.min(options.page, last)
  const rows = schedules.slice((page - 1) * perPage, page * perPage)
  const next = page < last ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const paging = pagingRow({ action: info.actions.page, page, last, next, valueFor, nonce })
  const count = schedules.length === 1 ? '1 schedule' : `${schedules.length} schedules`
  const text =
    schedules.length === 0 ? `No ${info.posts} are scheduled yet.` : `Scheduled ${info.posts}: ${count}.`
  return {
    text: textOfLines([
      note === undefined ? text : `${note} ${text}`,
      ...rows.map((row) => scheduleLine(row, now)),
    ]),
    blocks: [
      header(`Scheduled ${info.posts}`),
      ...(note === undefined ? [] : [section(note)]),
      ...(schedules.length === 0 ? [section(text)] : rows.flatMap((one) => rowOf(info, one, page, now))),
      ...paging,
      ...actionRow([
        info.actions.new.button(
          'New schedule…',
          valueFor(page),
          schedules.length === 0 ? 'primary' : undefined,
        ),
      ]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      ...(schedules.length === 0 ? [] : [context('A post that would come more than a day late is skipped.')]),
    ],
  }
}
