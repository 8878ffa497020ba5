import { z } from 'zod'
import { nextText, scheduleText } from '../../scheduler/schedule-text.ts'
import type { Listed } from '../../scheduler/scheduler.ts'
import {
  type Block,
  button,
  context,
  dangerButton,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/list-buttons.ts'
import { readValue } from '../../slack/blocks/values.ts'

/** For a workspace. */
export const MOST_SCHEDULES = 50
/** As many as a message's 12,000 characters hold, each with a long reason why it is paused. */
const onPage = 7

const page = z.number().int().min(1).max(MOST_SCHEDULES)
const carried = z.strictObject({ id: z.string().max(40), page })

/** The schedule that a button is for, and the page that it is on. @throws {ForgedValueError} */
export const readScheduleButton = (value: string | undefined): { id: string; page: number } =>
  readValue(carried, value, 'a schedule')

/** @throws {ForgedValueError} */
export const readSchedulesPage = (value: string | undefined): number =>
  readValue(z.strictObject({ page }), value, 'a page of schedules').page

function rowOf({ schedule, zone }: Listed, shown: number): Block[] {
  const value = JSON.stringify({ id: schedule.id, page: shown })
  const state = schedule.paused
    ? `:double_vertical_bar: Paused. ${schedule.paused.why ?? ''}`.trim()
    : `Next: ${nextText(schedule, zone)}`
  const remove = dangerButton('billing.schedule.delete', 'Delete', value, {
    title: 'Delete this schedule?',
    text: 'Nothing is posted by it any more.',
  })
  return [
    section(`*${scheduleText(schedule, zone)}*\n${state}\nIn the name of <@${schedule.owner}>`),
    {
      type: 'actions',
      elements: [
        button('billing.schedule.edit', 'Edit', value),
        schedule.paused
          ? button('billing.schedule.resume', 'Resume', value)
          : button('billing.schedule.pause', 'Pause', value),
        remove,
      ],
    },
  ]
}

const paging = (shown: number, last: number, nonce: string): Block[] =>
  pagingRow({
    feature: 'billing.schedules',
    page: shown,
    last,
    next: shown < last ? shown + 1 : undefined,
    valueFor: (number) => JSON.stringify({ page: number }),
    nonce,
  })

/**
 * A page of the workspace's schedules, with what can be done about each. Pure.
 * @param wanted from 1; the last one where there are not so many
 * @param note what was done just now
 */
export function schedulesMessage(
  listed: readonly Listed[],
  { wanted, nonce, note }: { wanted: number; nonce: string; note?: string | undefined },
): Message {
  const last = Math.max(1, Math.ceil(listed.length / onPage))
  const shown = Math.min(wanted, last)
  const rows = listed.slice((shown - 1) * onPage, shown * onPage)
  const count = listed.length === 1 ? '1 schedule' : `${listed.length} schedules`
  const text = listed.length === 0 ? 'No billing posts are scheduled.' : `Scheduled billing posts: ${count}.`
  return {
    text: note === undefined ? text : `${note} ${text}`,
    blocks: [
      header('Scheduled billing posts'),
      ...(note === undefined ? [] : [section(note)]),
      ...(listed.length === 0 ? [section(text)] : rows.flatMap((one) => rowOf(one, shown))),
      ...paging(shown, last, nonce),
      {
        type: 'actions',
        elements: [
          button('billing.schedule.new', 'New schedule', 'new', listed.length === 0 ? 'primary' : undefined),
        ],
      },
      ...(last > 1 ? [context(`Page ${shown} of ${last}`)] : []),
      context('A post that is late by more than a day is left out. `/billing post` posts by hand.'),
    ],
  }
}
