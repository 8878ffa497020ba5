import type { types } from '@slack/bolt'
import { z } from 'zod'
import { ordinal, weekdays } from '../../scheduler/schedule-text.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type Schedule, type ScheduleDay, scheduleDay } from '../../store/schedules.ts'
import type { Tenant } from '../../store/tenant.ts'

const optionValue = (day: ScheduleDay): string => {
  switch (day.kind) {
    case 'billing-date':
      return day.kind
    case 'monthly':
      return `monthly ${day.day}`
    case 'weekly':
      return `weekly ${day.weekday}`
  }
}

function dayOf(value: string): unknown {
  const [kind, which = ''] = value.split(' ')
  const number = which === 'last' ? which : Number(which)
  return kind === 'monthly' ? { kind, day: number } : kind === 'weekly' ? { kind, weekday: number } : { kind }
}

const dayOption = (text: string, day: ScheduleDay) => option(text, optionValue(day))
const monthDays = Array.from({ length: 28 }, (_, index) => index + 1)
const groups = [
  {
    label: plain('Billing', LIMITS.optionText),
    options: [dayOption('Each billing date', { kind: 'billing-date' })],
  },
  {
    label: plain('Monthly', LIMITS.optionText),
    options: [
      ...monthDays.map((day) => dayOption(`Monthly on the ${ordinal(day)}`, { kind: 'monthly', day })),
      dayOption('Monthly on the last day', { kind: 'monthly', day: 'last' }),
    ],
  },
  {
    label: plain('Weekly', LIMITS.optionText),
    options: weekdays.map((name, index) =>
      dayOption(`Every ${name}`, { kind: 'weekly', weekday: index + 1 }),
    ),
  },
]

/** Channel, day and time of a scheduled billing post. Pure. */
export function scheduleModal(form: {
  readonly team: Tenant
  /** Where the command was typed; empty in a view that belongs to no channel. */
  readonly channel: string
  readonly zone: string
  /** The one that is changed; none: it is a new one. */
  readonly schedule?: Schedule | undefined
}): types.ModalView {
  const { team, channel, zone, schedule } = form
  const day = optionValue(schedule?.day ?? { kind: 'billing-date' })
  const initialDay = groups.flatMap(({ options }) => options).find(({ value }) => value === day)
  const initialChannel = schedule?.channel ?? channel
  return modal({
    id: VIEWS.schedule,
    metadata: writeOrigin(team, channel, schedule ? { id: schedule.id } : {}),
    title: 'Scheduled billing post',
    submit: 'Save',
    blocks: [
      section(
        'Plan, monthly total, next billing date and add-on subtotals, in your name. Everyone in the channel sees it.',
      ),
      input(
        'channel',
        'Channel',
        {
          type: 'conversations_select',
          action_id: 'channel',
          filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
          ...(initialChannel === '' ? {} : { initial_conversation: initialChannel }),
        },
        { hint: 'Callboard has to be in it: /invite @Callboard.' },
      ),
      input('day', 'Day', {
        type: 'static_select',
        action_id: 'day',
        option_groups: groups,
        ...(initialDay ? { initial_option: initialDay } : {}),
      }),
      input(
        'time',
        'Time',
        { type: 'timepicker', action_id: 'time', initial_time: schedule?.time ?? '09:00' },
        { hint: "In the channel's time zone." },
      ),
      context(`The zone here is ${escapeText(zone)}. \`/calls timezone\` shows or sets a channel's zone.`),
    ],
  })
}

const form = z.object({
  channel: z.string().min(1),
  day: z.string().transform(dayOf).pipe(scheduleDay),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
})

const metadata = z.object({ id: z.string().optional() })

/** @throws {ForgedValueError} */
export const readSchedule = (view: ViewPayload) => ({
  id: readMetadata(view, metadata).id,
  ...readForm(view, form),
})
