import type { types } from '@slack/bolt'
import { z } from 'zod'
import { timeOfDaySchema } from '../../store/times.ts'
import { type LocalDay, parseDay, weekdayNames } from '../../time/days.ts'
import { type Option, option, select } from '../blocks/blocks.ts'
import { createField, type Field } from './form.ts'

type FieldDetails<Value> = Pick<Field<Value>, 'hint' | 'isOptional' | 'redraw' | 'validate'>

/** Channel that isn't shared with another company. @param initial may be empty */
export const channelField = (initial: string) =>
  createField({
    label: 'Channel',
    hint: 'Callboard joins a public channel. In a private one, type /invite @Callboard first. Everyone there, guests included, sees what is posted.',
    schema: z.string().regex(/^[CDG][A-Z0-9]{1,40}$/),
    element(id): types.ConversationsSelect {
      const menu: types.ConversationsSelect = {
        type: 'conversations_select',
        action_id: id,
        filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
      }
      if (initial !== '') menu.initial_conversation = initial
      return menu
    },
  })

/** @param texts by value */
export const choice = <Value extends string>(
  label: string,
  texts: Readonly<Record<Value, string>>,
  initial: NoInfer<Value>,
  details: FieldDetails<Value> = {},
) => {
  const options = Object.entries<string>(texts).map(([value, text]) => option(text, value))
  const isValue = (value: string): value is Value => Object.hasOwn(texts, value)
  return createField<Value>({
    label,
    ...details,
    schema: z.string().default(initial).refine(isValue),
    element: (id) => select(id, options, { value: initial }),
  })
}

export const numberField = (
  label: string,
  { min, max, initial }: { readonly min: number; readonly max: number; readonly initial: number },
) =>
  createField({
    label,
    schema: z.coerce.number().catch(Number.NaN),
    validate(count) {
      if (Number.isInteger(count) && count >= min && count <= max) return undefined
      return `Enter a whole number from ${min} to ${max}.`
    },
    element: (id): types.NumberInput => ({
      type: 'number_input',
      action_id: id,
      is_decimal_allowed: false,
      min_value: String(min),
      max_value: String(max),
      initial_value: String(initial),
    }),
  })

/** Returns the values sorted. @param initial values of options */
export const checkboxes = <Value>(
  label: string,
  schema: z.ZodType<Value>,
  options: readonly Option[],
  initial: readonly string[],
  details: FieldDetails<Value[]>,
) =>
  createField({
    label,
    ...details,
    schema: z
      .array(schema)
      .default([])
      .transform((values) => values.toSorted()),
    element(id): types.Checkboxes {
      const boxes: types.Checkboxes = { type: 'checkboxes', action_id: id, options: [...options] }
      const ticked = options.filter(({ value }) => initial.includes(value))
      // Slack refuses an empty list.
      if (ticked.length > 0) boxes.initial_options = ticked
      return boxes
    },
  })

const weekdayOptions = weekdayNames.map((name, index) => option(name, String(index + 1)))
const weekdaySchema = z.coerce.number().int().min(1).max(7)

export const weekdays = (label: string, initial: readonly number[], details: FieldDetails<number[]>) =>
  checkboxes(label, weekdaySchema, weekdayOptions, initial.map(String), details)

export const time = (label: string, initial: string, details: FieldDetails<string>) =>
  createField({
    label,
    ...details,
    schema: timeOfDaySchema,
    element: (id): types.Timepicker => ({ type: 'timepicker', action_id: id, initial_time: initial }),
  })

export const day = (label: string, initial: LocalDay | undefined, { isOptional = false } = {}) =>
  createField({
    label,
    isOptional,
    schema: z.string().transform(parseDay).optional(),
    validate: (chosen) => (chosen === undefined && !isOptional ? 'Enter a date.' : undefined),
    element(id): types.Datepicker {
      const picker: types.Datepicker = { type: 'datepicker', action_id: id }
      if (initial !== undefined) picker.initial_date = initial
      return picker
    },
  })

interface TextDetails extends FieldDetails<string> {
  readonly maxLength?: number
  readonly initial?: string | undefined
}

/** Line of text, trimmed; may be empty if the field is optional. */
export const text = (label: string, { maxLength, initial = '', ...details }: TextDetails) =>
  createField({
    label,
    validate: (written) => (written === '' && !details.isOptional ? 'Enter a value.' : undefined),
    // A validation of the caller replaces this one.
    ...details,
    schema: z.string().trim().default(''),
    element(id): types.PlainTextInput {
      const input: types.PlainTextInput = { type: 'plain_text_input', action_id: id }
      if (maxLength !== undefined) input.max_length = maxLength
      if (initial !== '') input.initial_value = initial
      return input
    },
  })

/** People can choose guests and bots, too, since Slack has no filter for them. */
export const people = (label: string, initial: readonly string[], details: FieldDetails<string[]>) =>
  createField({
    label,
    ...details,
    schema: z.array(z.string()).default([]),
    element(): types.MultiUsersSelect {
      const menu: types.MultiUsersSelect = {
        type: 'multi_users_select',
        action_id: 'people',
        max_selected_items: 50,
      }
      if (initial.length > 0) menu.initial_users = [...initial]
      return menu
    },
  })
