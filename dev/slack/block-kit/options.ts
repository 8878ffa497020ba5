import type { z } from 'zod'
import { anyText, chars, list, object, oneOf, plainText, refuse, webUrl } from './primitives.ts'
import { checkCharacters, fromZod, type Violation } from './violations.ts'

// https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
export const confirm = object({
  title: plainText(100),
  // The page requires plain_text but has mrkdwn in its example; both are accepted.
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: oneOf(['primary', 'danger']).optional(),
})

// https://docs.slack.dev/reference/block-kit/composition-objects/option-object: `url` only in overflow menus.
const fields = { text: plainText(75), value: chars(150) }

export const option = object(fields)
export const overflowOption = object({ ...fields, url: webUrl.optional() })

/** Slack calls an option's value "a unique string value". */
export function haveDistinctValues(
  options: readonly { readonly value: string }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  for (const [index, { value }] of options.entries()) {
    if (seen.has(value)) refuse(context, [index, 'value'], `duplicate option value: ${value}`)
    seen.add(value)
  }
}

/** Slack requires initial options to equal one of the options "exactly". */
export function requireAmong(
  options: readonly unknown[],
  initial: unknown,
  path: readonly PropertyKey[],
  context: z.RefinementCtx,
): void {
  const expected = toSortedJson(initial)
  if (options.some((one) => toSortedJson(one) === expected)) return
  refuse(context, path, 'must exactly match one of the options')
}

function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

// https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload: at most 100 options, possibly none.
const suggestions = object({ options: list(option, 100, 0).superRefine(haveDistinctValues) })

export function checkOptions(response: unknown): readonly Violation[] {
  const parsed = suggestions.safeParse(response)
  return [...(parsed.success ? [] : fromZod(parsed.error)), ...checkCharacters(response)]
}
