import type { types } from '@slack/bolt'
import { z } from 'zod'
import { ordinal } from '../../scheduler/schedule-text.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type Schedule, type ScheduleDay, scheduleDay } from '../../store/schedules.ts'
import type { Tenant } from '../../store/tenant.ts'
import { weekdayNames } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'

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
    options: [dayOption('On each billing date', { kind: 'billing-date' })],
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
    options: weekdayNames.map((name, index) =>
      dayOption(`Every ${name}`, { kind: 'weekly', weekday: index + 1 }),
    ),
  },
]

export const title = 'Schedule billing posts'

/** Which schedule is changed, at the end of an action id. */
const newId = 'new'

/** Of the schedule whose form's channel somebody chose; `undefined` for a new one. */
export function readChannelActionId(actionId: string): string | undefined {
  const id = actionId.slice(ACTIONS.scheduleChannel.length)
  return id === newId ? undefined : id
}

/** Channel, rhythm and time of scheduled billing posts. Pure. */
export function scheduleModal(form: {
  readonly team: Tenant
  /** Where the command was typed; empty in a view that belongs to no channel. */
  readonly channel: string
  /** The channel that is chosen, with its time zone; none: there is none yet. */
  readonly chosen?: { readonly channel: string; readonly zone: Zone } | undefined
  /** The one that is changed; none: it is a new one. */
  readonly schedule?: Schedule | undefined
}): types.ModalView {
  const { team, channel, chosen, schedule } = form
  const day = optionValue(schedule?.day ?? { kind: 'billing-date' })
  const initialDay = groups.flatMap(({ options }) => options).find(({ value }) => value === day)
  const channelSelect: types.ConversationsSelect = {
    type: 'conversations_select',
    action_id: `${ACTIONS.scheduleChannel}${schedule?.id ?? newId}`,
    filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
    ...(chosen ? { initial_conversation: chosen.channel } : {}),
  }
  const invite = 'Callboard has to be in it. To add it, type /invite @Callboard there.'
  const zoneHint = `In the channel's time zone${chosen ? `: ${chosen.zone}` : ''}.`
  return modal({
    id: VIEWS.schedule,
    metadata: writeOrigin(team, channel, schedule ? { id: schedule.id } : {}),
    title,
    submit: 'Save',
    blocks: [
      section(
        'Everyone in the channel will see the plan, add-on subtotals, next billing date and monthly total. Each post says that you scheduled it.',
      ),
      // The choice is told at once, for the time zone below.
      { ...input('channel', 'Channel', channelSelect, { hint: invite }), dispatch_action: true },
      input('day', 'Repeats', {
        type: 'static_select',
        action_id: 'day',
        option_groups: groups,
        ...(initialDay ? { initial_option: initialDay } : {}),
      }),
      input(
        'time',
        'Time',
        { type: 'timepicker', action_id: 'time', initial_time: schedule?.time ?? '09:00' },
        { hint: zoneHint },
      ),
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
