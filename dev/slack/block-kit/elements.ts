import { z } from 'zod'
import { confirm, distinctValues, overflowOption, richOption } from './options.ts'
import {
  block,
  chars,
  identifier,
  integer,
  list,
  object,
  oneOf,
  refuse,
  webUrl,
  zoneName,
} from './primitives.ts'
import { plainText } from './text.ts'

// https://docs.slack.dev/reference/block-kit/block-elements: action_id of at most 255 characters.
const actionable = { action_id: identifier.optional() }
const confirmable = { confirm: confirm.optional() }
const focusable = { focus_on_load: z.boolean().optional() }
export const interactive = { ...actionable, ...confirmable, ...focusable }
export const placeholdable = { placeholder: plainText(150).optional() }

// https://docs.slack.dev/reference/block-kit/block-elements/button-element
export const button = object({
  type: z.literal('button'),
  ...actionable,
  ...confirmable,
  text: plainText(75),
  value: chars(2000).optional(),
  url: webUrl.optional(),
  style: oneOf(['primary', 'danger']).optional(),
  accessibility_label: chars(75).optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element: "up to five option objects".
export const overflow = object({
  type: z.literal('overflow'),
  ...actionable,
  ...confirmable,
  options: list(overflowOption, 5).superRefine(distinctValues),
})

// https://docs.slack.dev/reference/block-kit/block-elements/image-element and …/blocks/image-block
const imageFields = {
  image_url: webUrl.optional(),
  slack_file: z.union([object({ id: identifier }), object({ url: webUrl })]).optional(),
  alt_text: chars(2000),
}
const ONE_SOURCE = 'must define either `image_url` or `slack_file`'

export const imageElement = object({ type: z.literal('image'), ...imageFields }).refine(oneSource, ONE_SOURCE)

export const imageBlock = object({
  type: z.literal('image'),
  ...block,
  title: plainText(2000).optional(),
  ...imageFields,
}).refine(oneSource, ONE_SOURCE)

function oneSource(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined)
}

// https://docs.slack.dev/reference/block-kit/block-elements/date-picker-element
export const datepicker = object({
  type: z.literal('datepicker'),
  ...interactive,
  ...placeholdable,
  initial_date: z.iso.date('must be a date as YYYY-MM-DD').optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/time-picker-element
export const timepicker = object({
  type: z.literal('timepicker'),
  ...interactive,
  ...placeholdable,
  initial_time: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm')
    .optional(),
  timezone: zoneName.optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/datetime-picker-element: seconds, ten digits.
export const datetimepicker = object({
  type: z.literal('datetimepicker'),
  ...interactive,
  initial_date_time: integer(1_000_000_000, 9_999_999_999).optional(),
})

const choices = list(richOption, 10).superRefine(distinctValues)

// https://docs.slack.dev/reference/block-kit/block-elements/radio-button-group-element: at most 10 options.
export const radioButtons = object({
  type: z.literal('radio_buttons'),
  ...interactive,
  options: choices,
  initial_option: richOption.optional(),
}).superRefine(({ options, initial_option }, context) => {
  if (initial_option !== undefined) mustBeAmong(options, initial_option, ['initial_option'], context)
})

// https://docs.slack.dev/reference/block-kit/block-elements/checkboxes-element: at most 10 options.
export const checkboxes = object({
  type: z.literal('checkboxes'),
  ...interactive,
  options: choices,
  initial_options: list(richOption, 10).optional(),
}).superRefine(({ options, initial_options = [] }, context) => {
  for (const [index, option] of initial_options.entries()) {
    mustBeAmong(options, option, ['initial_options', index], context)
  }
})

/** Slack wants an initial option to be "exactly" one of the options. */
export function mustBeAmong(
  options: readonly unknown[],
  initial: unknown,
  path: readonly PropertyKey[],
  context: z.RefinementCtx,
): void {
  const expected = canonical(initial)
  if (options.some((option) => canonical(option) === expected)) return
  refuse(context, [...path], 'must exactly match one of the options')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

// https://docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object
const dispatch_action_config = object({
  trigger_actions_on: list(oneOf(['on_enter_pressed', 'on_character_entered']), 2),
}).optional()

const field = { ...actionable, ...focusable, ...placeholdable, dispatch_action_config }

// https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element: lengths up to 3000.
export const plainTextInput = object({
  type: z.literal('plain_text_input'),
  ...field,
  initial_value: chars(3000, 0).optional(),
  multiline: z.boolean().optional(),
  min_length: integer(0, 3000).optional(),
  max_length: integer(1, 3000).optional(),
}).superRefine(({ initial_value = '', min_length = 0, max_length = 3000 }, context) => {
  if (min_length > max_length) {
    refuse(context, ['min_length'], 'must not be greater than max_length')
  }
  if (initial_value.length > max_length) {
    refuse(context, ['initial_value'], `must be less than ${max_length + 1} characters`)
  }
})

// https://docs.slack.dev/reference/block-kit/block-elements/email-input-element
export const emailInput = object({
  type: z.literal('email_text_input'),
  ...field,
  initial_value: z.email('must be an email address').optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/url-input-element
export const urlInput = object({
  type: z.literal('url_text_input'),
  ...field,
  initial_value: webUrl.optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/number-input-element: numbers travel as strings.
const decimal = z.string().regex(/^-?\d+(?:\.\d+)?$/, 'must be a number as a string')

export const numberInput = object({
  type: z.literal('number_input'),
  ...field,
  is_decimal_allowed: z.boolean({ error: 'missing required field' }),
  initial_value: decimal.optional(),
  min_value: decimal.optional(),
  max_value: decimal.optional(),
}).superRefine((input, context) => {
  const { initial_value, min_value, max_value } = input
  const wrong = (path: string, message: string) => refuse(context, [path], message)
  if (above(min_value, max_value)) wrong('min_value', 'must not be greater than max_value')
  if (above(min_value, initial_value)) wrong('initial_value', 'must not be less than min_value')
  if (above(initial_value, max_value)) wrong('initial_value', 'must not be greater than max_value')
  if (!input.is_decimal_allowed && initial_value?.includes('.'))
    wrong('initial_value', 'must be a whole number')
})

function above(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && Number(a) > Number(b)
}
