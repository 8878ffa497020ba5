import { z } from 'zod'
import { nextText, scheduleLine, scheduleText } from '../../scheduler/schedule-text.ts'
import type { ScheduleWithZone } from '../../scheduler/scheduler.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  actionRow,
  type Block,
  button,
  context,
  dangerButton,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/list-buttons.ts'
import { textOfLines } from '../../slack/blocks/message-size.ts'
import { readValue } from '../../slack/blocks/values.ts'

/** For a workspace. */
export const MOST_SCHEDULES = 50
/** As many as a message's 12,000 characters hold, each with a long reason why it is paused. */
const perPage = 7

const pageNumber = z.number().int().min(1).max(MOST_SCHEDULES)
const scheduleButton = z.strictObject({ id: z.string().max(40), page: pageNumber })

/** The schedule that a button is for, and the page that it is on. @throws {ForgedValueError} */
export const readScheduleButton = (value: string | undefined): { id: string; page: number } =>
  readValue(scheduleButton, value, 'a schedule')

/** @throws {ForgedValueError} */
export const readSchedulesPage = (value: string | undefined): number =>
  readValue(z.strictObject({ page: pageNumber }), value, 'a page of schedules').page

function rowOf({ schedule, zone }: ScheduleWithZone, page: number): Block[] {
  const value = JSON.stringify({ id: schedule.id, page })
  const state = schedule.paused
    ? `:double_vertical_bar: Paused. ${schedule.paused.why ?? ''}`.trim()
    : `Next: ${nextText(schedule, zone)}`
  const buttons = [
    button(ACTIONS.scheduleEdit, 'Edit', value),
    schedule.paused
      ? button(ACTIONS.scheduleResume, 'Resume', value)
      : button(ACTIONS.schedulePause, 'Pause', value),
    dangerButton(ACTIONS.scheduleDelete, 'Delete', value, {
      title: 'Delete this schedule?',
      text: 'Nothing is posted by it any more.',
    }),
  ]
  const text = `*${scheduleText(schedule, zone)}*\n${state}\nIn the name of <@${schedule.owner}>`
  return [section(text), ...actionRow(buttons)]
}

/** What a schedule is confirmed with. */
export function savedText({ schedule, zone }: ScheduleWithZone): string {
  const next = schedule.paused ? 'It is paused still' : `Next: ${nextText(schedule, zone)}`
  return `Saved: ${scheduleText(schedule, zone)}. ${next}. \`/billing schedules\` lists them all.`
}

/**
 * A page of the workspace's schedules, with what can be done about each. Pure.
 * @param options.page from 1; the last one where there are not so many
 * @param options.note what was done just now
 */
export function schedulesMessage(
  schedules: readonly ScheduleWithZone[],
  options: { page: number; nonce: string; note?: string | undefined },
): Message {
  const { nonce, note } = options
  const last = Math.max(1, Math.ceil(schedules.length / perPage))
  const page = Math.min(options.page, last)
  const rows = schedules.slice((page - 1) * perPage, page * perPage)
  const next = page < last ? page + 1 : undefined
  const valueFor = (number: number) => JSON.stringify({ page: number })
  const paging = pagingRow({ action: ACTIONS.schedulesPage, page, last, next, valueFor, nonce })
  const count = schedules.length === 1 ? '1 schedule' : `${schedules.length} schedules`
  const text =
    schedules.length === 0 ? 'No billing posts are scheduled.' : `Scheduled billing posts: ${count}.`
  return {
    text: textOfLines([note === undefined ? text : `${note} ${text}`, ...rows.map(scheduleLine)]),
    blocks: [
      header('Scheduled billing posts'),
      ...(note === undefined ? [] : [section(note)]),
      ...(schedules.length === 0 ? [section(text)] : rows.flatMap((one) => rowOf(one, page))),
      ...paging,
      ...actionRow([
        button(ACTIONS.scheduleNew, 'New schedule', 'new', schedules.length === 0 ? 'primary' : undefined),
      ]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      context('A post that is late by more than a day is left out. `/billing post` posts by hand.'),
    ],
  }
}
