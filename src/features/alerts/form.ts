import { z } from 'zod'
import { linesField } from '../../query/fields.ts'
import { option } from '../../slack/blocks/blocks.ts'
import * as fields from '../../slack/forms/fields.ts'
import { Form, type FormResult } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import { type AlertHours, type AlertRecord, MAX_REMINDED_PEOPLE } from '../../store/alerts.ts'
import { LineNames } from '../../telephony/lines.ts'
import { zoneHint } from '../subscriptions/view.ts'

const MAX_CHOSEN_LINES = 60
const DEFAULT_MINUTES = 10
const allHours: AlertHours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }

export type AlertOptions = Pick<AlertRecord, 'lines' | 'threshold' | 'hours' | 'remind'>

export function createAlertForm(names: LineNames, record?: AlertRecord) {
  const { calls = 1, minutes = DEFAULT_MINUTES } = record?.threshold ?? {}
  const { weekdays, from, to } = record?.hours ?? allHours
  const { afterMinutes = 0, people = [], isBroadcast = false } = record?.remind ?? {}
  return new Form({
    lines: linesField(record?.lines ?? [], names, MAX_CHOSEN_LINES),
    calls: fields.numberField('Post after how many missed calls?', { min: 1, max: 100, initial: calls }),
    minutes: fields.numberField('Within how many minutes?', { min: 1, max: 60, initial: minutes }),
    from: fields.time('From', from, {
      hint: `${zoneHint} Calls missed outside these hours arrive together when they start.`,
    }),
    to: fields.time('Until', to, {
      hint: 'The same time means all day. An end before the start means the next day.',
    }),
    weekdays: fields.weekdays('Days', weekdays, {
      validate: (days) => (days.length === 0 ? 'Choose at least one day.' : undefined),
    }),
    remind: fields.numberField('Remind after how many minutes?', { min: 0, max: 720, initial: afterMinutes }),
    mention: fields.people('Mention in reminders', people, {
      isOptional: true,
      hint: `If nobody has taken a call by then, the thread is reminded, three times at most, within the hours above. 0 means never. Up to ${MAX_REMINDED_PEOPLE} people are mentioned.`,
      validate: (ids) =>
        ids.length > MAX_REMINDED_PEOPLE ? `Choose up to ${MAX_REMINDED_PEOPLE} people.` : undefined,
    }),
    broadcast: fields.checkboxes(
      'First reminder',
      z.literal('channel'),
      [option('Show it in the channel, too', 'channel')],
      isBroadcast ? ['channel'] : [],
      { isOptional: true },
    ),
  })
}

/** @throws {ForgedValueError} */
export function readAlertForm(view: ViewPayload): FormResult<AlertOptions> {
  // Names of lines are only shown, not read.
  const { values, errors } = createAlertForm(LineNames.none).read(view)
  if (!values) return { errors }
  const { calls, minutes, weekdays, from, to } = values
  // Undefined options replace those of the edited alert.
  const options: AlertOptions = {
    lines: values.lines.toSorted(),
    threshold: undefined,
    hours: undefined,
    remind: undefined,
  }
  if (calls > 1) options.threshold = { calls, minutes }
  const isAnyTime = weekdays.length === allHours.weekdays.length && from === to
  if (!isAnyTime) options.hours = { weekdays, from, to }
  if (values.remind > 0) {
    options.remind = { afterMinutes: values.remind, people: [...values.mention] }
    if (values.broadcast.length > 0) options.remind.isBroadcast = true
  }
  return { values: options }
}
