import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { FormSetting } from '../../planned/kind.ts'
import type { ScheduleInfo, ScheduleKind } from '../../planned/schedule-kind.ts'
import { isPersonId, LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { type Option, option } from '../../slack/blocks/inputs.ts'
import { channelField, choice, joinHint, time, weekdays } from '../../slack/forms/fields.ts'
import { type Errors, Field, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type ScheduleDay, type ScheduleDraft, scheduleDay } from '../../store/schedules.ts'
import { weekdayNames } from '../../time/days.ts'
import { ordinal } from './words.ts'

/** What the menu's option for chosen weekdays is: which ones they are is ticked below it. */
const onChosen = 'daily'
const workdays = [1, 2, 3, 4, 5]

const optionValue = (day: ScheduleDay): string => {
  switch (day.kind) {
    case 'billing-date':
    case 'daily':
      return day.kind
    case 'monthly':
      return `monthly ${day.day}`
    case 'weekly':
      return `weekly ${day.weekday}`
  }
}

function dayOf(value: string, ticked: readonly number[]): unknown {
  const [kind, which = ''] = value.split(' ')
  const number = which === 'last' ? which : Number(which)
  if (kind === 'monthly') return { kind, day: number }
  if (kind === 'weekly') return { kind, weekday: number }
  return kind === onChosen ? { kind, weekdays: ticked } : { kind }
}

const dayOption = (text: string, day: ScheduleDay) => option(text, optionValue(day))
const monthDays = Array.from({ length: 28 }, (_, index) => index + 1)

const groups: Readonly<Record<ScheduleDay['kind'], { label: string; options: Option[] }>> = {
  'billing-date': {
    label: 'Billing',
    options: [dayOption('On each billing date', { kind: 'billing-date' })],
  },
  daily: { label: 'Daily', options: [option('On the weekdays below', onChosen)] },
  weekly: {
    label: 'Weekly',
    options: weekdayNames.map((name, index) =>
      dayOption(`Every ${name}`, { kind: 'weekly', weekday: index + 1 }),
    ),
  },
  monthly: {
    label: 'Monthly',
    options: [
      ...monthDays.map((day) => dayOption(`Monthly on the ${ordinal(day)}`, { kind: 'monthly', day })),
      dayOption('Monthly on the last day', { kind: 'monthly', day: 'last' }),
    ],
  },
}

const weekdaysHint = "Monday's covers Friday to Sunday, unless it's about the day before."

type Setting = Pick<FormSetting<ScheduleDraft>, 'record' | 'channel' | 'zone' | 'entered'>

/** What its kind asks stands between the two. */
function formsOf(
  { rhythms, channel: redrawChannel, where, rhythm, isDirectOffered }: ScheduleInfo,
  { record, channel, zone, entered }: Setting,
) {
  const offered = rhythms.map((kind) => groups[kind])
  const options = offered.flatMap((group) => group.options)
  const day = record?.day
  const initial = day ? options.find(({ value }) => value === optionValue(day)) : options[0]
  const isDirect = entered.where === undefined ? isPersonId(channel) : entered.where === 'direct'
  const whose = isDirect ? "the workspace's" : "the channel's"
  const hint = zone === undefined ? `In ${whose} time zone.` : `In ${whose} time zone: ${zone}.`
  return {
    // The choice shows the form anew, for the time zone below.
    first: new Form({
      where: choice(
        'Where',
        { channel: 'A channel', direct: 'Direct messages to me' },
        isDirect ? 'direct' : 'channel',
        { redraw: where },
      ).offeredIf(isDirectOffered),
      channel: channelField(isPersonId(channel) ? '' : channel, {
        hint: joinHint,
        redraw: redrawChannel,
      }).shownIf('where', 'channel'),
    }),
    rhythm: new Form({
      day: new Field({
        label: 'Repeats',
        schema: z.string(),
        initial: initial?.value,
        redraw: rhythms.includes('daily') ? rhythm : undefined,
        element: (id): types.StaticSelect => ({
          type: 'static_select',
          action_id: id,
          option_groups: offered.map((group) => ({
            label: plain(group.label, LIMITS.optionText),
            options: group.options,
          })),
          ...(initial ? { initial_option: initial } : {}),
        }),
      }),
      weekdays: weekdays('Weekdays', day?.kind === 'daily' ? day.weekdays : workdays, {
        hint: weekdaysHint,
      }).shownIf('day', onChosen),
      time: time('Time', record?.time ?? '09:00', { hint }),
    }),
  }
}

/** Channel, rhythm and time of scheduled posts, and what their kind asks beside that. Pure. */
export function scheduleInputs(
  { info, inputs }: ScheduleKind,
  setting: Setting,
): readonly types.InputBlock[] {
  const { first, rhythm } = formsOf(info, setting)
  return [...first.inputs(setting.entered), ...inputs(setting.record), ...rhythm.inputs(setting.entered)]
}

/** @throws {ForgedValueError} */
export function readSchedule(
  view: ViewPayload,
  { info, readInputs }: ScheduleKind,
  person: string,
): { readonly draft: ScheduleDraft } | { readonly errors: Errors } | 'incomplete' {
  const { first, rhythm } = formsOf(info, { record: undefined, channel: '', zone: undefined, entered: {} })
  const [where, when] = [first.read(view), rhythm.read(view)]
  if ([where, when].some((one) => one.errors && one.isIncomplete)) return 'incomplete'
  if (!where.values || !when.values) return { errors: { ...where.errors, ...when.errors } }
  const { day: chosen, weekdays: ticked = [], time: at } = when.values
  if (chosen === onChosen && ticked.length === 0)
    return { errors: { weekdays: 'Choose at least one weekday.' } }
  const own = scheduleDay.refine(({ kind }) => info.rhythms.includes(kind))
  const day = parsePayload(own, dayOf(chosen, ticked), 'a rhythm')
  const isDirect = info.isDirectOffered && where.values.where === 'direct'
  const channel = isDirect ? person : (where.values.channel ?? '')
  return { draft: { channel, time: at, day, ...readInputs(view) } }
}
