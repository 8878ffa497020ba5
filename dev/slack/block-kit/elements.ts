import { z } from 'zod'
import { confirm, haveDistinctValues, option, overflowOption, requireAmong } from './options.ts'
import { chars, identifier, integer, list, object, oneOf, plainText, refuse, webUrl } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/block-elements
const actionable = { action_id: identifier.optional() }
const confirmable = { ...actionable, confirm: confirm.optional() }
const placeholdable = { ...actionable, placeholder: plainText(150).optional() }

const button = object({
  type: z.literal('button'),
  ...confirmable,
  text: plainText(75),
  value: chars(2000).optional(),
  url: webUrl.optional(),
  style: oneOf(['primary', 'danger']).optional(),
  accessibility_label: chars(75).optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element: "up to five option objects".
const overflow = object({
  type: z.literal('overflow'),
  ...confirmable,
  options: list(overflowOption, 5).superRefine(haveDistinctValues),
})

const staticSelect = object({
  type: z.literal('static_select'),
  ...placeholdable,
  options: list(option, 100).superRefine(haveDistinctValues),
  initial_option: option.optional(),
}).superRefine(({ options, initial_option: initial }, context) => {
  if (initial !== undefined) requireAmong(options, initial, ['initial_option'], context)
})

const externalFields = { ...placeholdable, min_query_length: integer(0, 3000).optional() }
const externalSelect = object({
  type: z.literal('external_select'),
  ...externalFields,
  initial_option: option.optional(),
})

const multi = { max_selected_items: z.int().min(1, 'must be at least 1').optional() }
const multiExternalSelect = object({
  type: z.literal('multi_external_select'),
  ...externalFields,
  ...multi,
  initial_options: list(option, 100).optional(),
})

// https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object
const conversationsSelect = object({
  type: z.literal('conversations_select'),
  ...placeholdable,
  filter: object({
    include: list(oneOf(['im', 'mpim', 'private', 'public']), 4),
    exclude_external_shared_channels: z.boolean().optional(),
  }).optional(),
  initial_conversation: identifier.optional(),
})

const multiUsersSelect = object({
  type: z.literal('multi_users_select'),
  ...placeholdable,
  ...multi,
  initial_users: list(identifier, 100).optional(),
})

const datepicker = object({
  type: z.literal('datepicker'),
  ...placeholdable,
  initial_date: z.iso.date('must be a date as YYYY-MM-DD').optional(),
})

const timepicker = object({
  type: z.literal('timepicker'),
  ...placeholdable,
  initial_time: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm')
    .optional(),
})

// https://docs.slack.dev/reference/block-kit/block-elements/checkboxes-element: at most 10 options.
const checkboxes = object({
  type: z.literal('checkboxes'),
  ...actionable,
  options: list(option, 10).superRefine(haveDistinctValues),
  initial_options: list(option, 10).optional(),
}).superRefine(({ options, initial_options = [] }, context) => {
  for (const [index, initial] of initial_options.entries())
    requireAmong(options, initial, ['initial_options', index], context)
})

// https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element: lengths up to 3000.
const plainTextInput = object({
  type: z.literal('plain_text_input'),
  ...placeholdable,
  initial_value: chars(3000, 0).optional(),
  max_length: integer(1, 3000).optional(),
}).superRefine(({ initial_value = '', max_length = 3000 }, context) => {
  if (initial_value.length > max_length)
    refuse(context, ['initial_value'], `must be less than ${max_length + 1} characters`)
})

// https://docs.slack.dev/reference/block-kit/block-elements/number-input-element: numbers are strings.
const decimal = z.string().regex(/^-?\d+(?:\.\d+)?$/, 'must be a number as a string')

const numberInput = object({
  type: z.literal('number_input'),
  ...placeholdable,
  is_decimal_allowed: z.boolean({ error: 'missing required field' }),
  initial_value: decimal.optional(),
  min_value: decimal.optional(),
  max_value: decimal.optional(),
}).superRefine((input, context) => {
  const { initial_value: initial, min_value: min, max_value: max } = input
  const refuseField = (path: string, message: string) => refuse(context, [path], message)
  if (isAbove(min, max)) refuseField('min_value', 'must not be greater than max_value')
  if (isAbove(min, initial)) refuseField('initial_value', 'must not be less than min_value')
  if (isAbove(initial, max)) refuseField('initial_value', 'must not be greater than max_value')
  if (!input.is_decimal_allowed && initial?.includes('.'))
    refuseField('initial_value', 'must be a whole number')
})

const isAbove = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && Number(a) > Number(b)

const choices = [
  staticSelect,
  externalSelect,
  conversationsSelect,
  multiExternalSelect,
  multiUsersSelect,
  datepicker,
  timepicker,
  checkboxes,
] as const

export const interactiveElements = [button, overflow, ...choices] as const
export const inputElements = [plainTextInput, numberInput, ...choices] as const
