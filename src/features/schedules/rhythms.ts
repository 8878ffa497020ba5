import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { KindInfo } from '../../scheduler/kinds.ts'
import { ordinal } from '../../scheduler/schedule-text.ts'
import { LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { type Option, option } from '../../slack/blocks/inputs.ts'
import { weekdays } from '../../slack/forms/fields.ts'
import { type Errors, Field } from '../../slack/forms/form.ts'
import { parsePayload } from '../../slack/inbound/payloads.ts'
import { type ScheduleDay, scheduleDay } from '../../store/schedules.ts'
import { weekdayNames } from '../../time/days.ts'

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

const weekdaysHint =
  "For a daily post only. Where it's about the day before, Monday's post is about Sunday, and Saturday's about Friday."

/** How often, of the rhythms that a kind of schedule can have; the weekdays say something where it is daily alone. */
export function rhythmFields({ rhythms }: Pick<KindInfo, 'rhythms'>, day: ScheduleDay | undefined) {
  const own = rhythms.map((kind) => groups[kind])
  const all = own.flatMap(({ options }) => options)
  const initial = day ? all.find(({ value }) => value === optionValue(day)) : all[0]
  return {
    day: new Field({
      label: 'Repeats',
      schema: z.string(),
      element: (id): types.StaticSelect => ({
        type: 'static_select',
        action_id: id,
        option_groups: own.map(({ label, options }) => ({ label: plain(label, LIMITS.optionText), options })),
        ...(initial ? { initial_option: initial } : {}),
      }),
    }),
    weekdays: weekdays('Weekdays', day?.kind === 'daily' ? day.weekdays : workdays, {
      hint: weekdaysHint,
    }).offeredIf(rhythms.includes('daily')),
  }
}

export const noWeekdayText = 'Choose at least one weekday.'

/** @throws {ForgedValueError} */
export function rhythmOf(
  { day: chosen, weekdays: ticked = [] }: { readonly day: string; readonly weekdays: number[] | undefined },
  { rhythms }: Pick<KindInfo, 'rhythms'>,
): { readonly day: ScheduleDay } | { readonly errors: Errors } {
  if (chosen === onChosen && ticked.length === 0) return { errors: { weekdays: noWeekdayText } }
  const own = scheduleDay.refine(({ kind }) => rhythms.includes(kind))
  return { day: parsePayload(own, dayOf(chosen, ticked), 'a rhythm') }
}
