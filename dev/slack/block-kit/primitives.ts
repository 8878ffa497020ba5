import { z } from 'zod'

/**
 * Text of a limited length. Slack's limits are in "characters" of an unspecified kind; this counts UTF-16 code units, which are
 * never fewer than code points, so that accepted text is within both. (zod's own `max` counts code points.)
 */
export const chars = (max: number, min = 1) =>
  z
    .string({ error: required('must provide a string') })
    .min(min, `must be more than ${min - 1} characters`)
    .refine((text) => text.length <= max, `must be less than ${max + 1} characters`)

export const list = <T extends z.ZodType>(item: T, max: number, min = 1) =>
  z
    .array(item, { error: required('must provide an array') })
    .min(min, `no fewer than ${min} items allowed`)
    .max(max, `no more than ${max} items allowed`)

export const object = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, { error: unlessUnknownKey('must provide an object') })

export const integer = (min: number, max: number) =>
  z
    .int({ error: required('must provide an integer') })
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: required('must be a valid enum value') })

/** One of several blocks or elements, by `type`. Slack calls any other type unsupported. */
export const oneType = <T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]>(
  types: T,
) => z.discriminatedUnion('type', types, { error: unsupportedType })

function unsupportedType({ input }: { readonly input?: unknown }): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'must provide an object'
  if (!('type' in input)) return 'missing required field: type'
  return `unsupported type: ${String(input.type)}`
}

/** https://docs.slack.dev/reference/block-kit/blocks: a block_id or action_id has at most 255 characters. */
export const identifier = chars(255)
export const block = { block_id: identifier.optional() }

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element: a URL of at most 3000 characters. */
export const webUrl = chars(3000).refine(
  (text) =>
    URL.canParse(text) && ['http:', 'https:', 'mailto:', 'slack:', 'tel:'].includes(new URL(text).protocol),
  'invalid_url',
)

export function required(message: string) {
  return (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? 'missing required field' : message
}

function unlessUnknownKey(message: string) {
  return (issue: { readonly code?: string; readonly input?: unknown }) =>
    issue.code === 'unrecognized_keys' ? undefined : required(message)(issue)
}

/** Reports a violation of a rule across fields. */
export function refuse(context: z.RefinementCtx, path: readonly PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path: [...path], message })
}

// https://docs.slack.dev/reference/block-kit/composition-objects/text-object: 1 to 3000 characters.
const MAX_LENGTH = 3000

/** Our own rule: data must not notify a whole channel. An escaped mention (`&lt;!channel&gt;`) is only text. */
const massMention = /<!(?:channel|here|everyone|group)\b[^>]*>/i

export const withoutMassMention = (text: z.ZodString) =>
  text.refine((value) => !massMention.test(value), 'must not mention <!channel>, <!here> or <!everyone>')

/** Slack refuses text of spaces alone; that others can't be seen either is our own rule. */
const visible = (text: z.ZodString) =>
  text.refine(
    (value) => value === '' || /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u.test(value),
    'must be more than 0 characters',
  )

export const plainText = (max = MAX_LENGTH) =>
  object({
    type: z.literal('plain_text', 'must be plain_text'),
    text: visible(chars(max)),
    emoji: z.boolean().optional(),
  })

/** `verbatim` is our own rule. */
export const mrkdwn = (max = MAX_LENGTH) =>
  object({
    type: z.literal('mrkdwn', 'must be mrkdwn'),
    text: withoutMassMention(visible(chars(max))),
    verbatim: z.literal(
      true,
      'must be true: otherwise data that holds @here, #general or a domain mentions and links',
    ),
  })

export const anyText = (max = MAX_LENGTH) => oneType([plainText(max), mrkdwn(max)])
