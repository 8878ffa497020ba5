import type { z } from 'zod'
import { chars, list, object, oneOf, refuse, webUrl } from './primitives.ts'
import { anyText, plainText } from './text.ts'
import { fromZod, type Violation } from './violations.ts'

// https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
export const confirm = object({
  title: plainText(100),
  // The page asks for plain_text and shows mrkdwn in its example; both are taken.
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: oneOf(['primary', 'danger']).optional(),
})

// https://docs.slack.dev/reference/block-kit/composition-objects/option-object
// `url` in overflow menus alone, mrkdwn in radio buttons and checkboxes alone.
const value = chars(150)
const description = plainText(75).optional()

export const option = object({ text: plainText(75), value, description })
export const richOption = object({ text: anyText(75), value, description: anyText(75).optional() })
export const overflowOption = object({ text: plainText(75), value, description, url: webUrl.optional() })

// https://docs.slack.dev/reference/block-kit/composition-objects/option-group-object
export const optionGroup = object({
  label: plainText(75),
  options: list(option, 100).superRefine(distinctValues),
})

/** Slack calls an option's value "a unique string value". */
export function distinctValues(
  options: readonly { readonly value: string }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  for (const [index, { value: own }] of options.entries()) {
    if (seen.has(own)) {
      refuse(context, [index, 'value'], `duplicate option value: ${own}`)
    }
    seen.add(own)
  }
}

// https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
// 100 options at most; none is a proper answer here, where a static menu must have one.
const suggestions = object({
  options: list(option, 100, 0).superRefine(distinctValues).optional(),
  option_groups: list(optionGroup, 100, 0).optional(),
}).refine(
  (answer) => (answer.options === undefined) !== (answer.option_groups === undefined),
  'must define either options or option_groups',
)

export function checkOptions(response: unknown): readonly Violation[] {
  const parsed = suggestions.safeParse(response)
  return parsed.success ? [] : fromZod(parsed.error)
}
