import { z } from 'zod'
import { actionable, focusable, placeholdable } from './elements.ts'
import { chars, integer, list, object, oneOf, refuse, webUrl } from './primitives.ts'

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
