import { z } from 'zod'
import { chars, object, oneType } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/composition-objects/text-object: 1 to 3000 characters.
const MAX_LENGTH = 3000

/** Our own rule: data must not notify a whole channel. An escaped mention (`&lt;!channel&gt;`) is only text. */
const massMention = /<!(?:channel|here|everyone|group)\b[^>]*>/i

export const withoutMassMention = (text: z.ZodString) =>
  text.refine((value) => !massMention.test(value), 'must not mention <!channel>, <!here> or <!everyone>')

export const plainText = (max = MAX_LENGTH) =>
  object({
    type: z.literal('plain_text', 'must be plain_text'),
    text: chars(max),
    emoji: z.boolean().optional(),
  })

/** `verbatim` is our own rule. */
export const mrkdwn = (max = MAX_LENGTH) =>
  object({
    type: z.literal('mrkdwn', 'must be mrkdwn'),
    text: withoutMassMention(chars(max)),
    verbatim: z.literal(
      true,
      'must be true: otherwise data that holds @here, #general or a domain mentions and links',
    ),
  })

export const anyText = (max = MAX_LENGTH) => oneType([plainText(max), mrkdwn(max)])
