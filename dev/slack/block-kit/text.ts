import { z } from 'zod'
import { chars, object, unsupportedType } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/composition-objects/text-object
// `emoji` belongs to plain_text alone, `verbatim` to mrkdwn alone, where it is our own rule; text of 1 to 3000 characters.
const TEXT_LIMIT = 3000

/** Our own rule: nobody's data may call a whole channel. A mention that was escaped (`&lt;!channel&gt;`) is only text. */
const massMention = /<!(?:channel|here|everyone|group)\b[^>]*>/i

export function hasMassMention(text: string): boolean {
  return massMention.test(text)
}

export const noMassMention = 'must not mention <!channel>, <!here> or <!everyone>'

export function plainText(max = TEXT_LIMIT) {
  return object({
    type: z.literal('plain_text', 'must be plain_text'),
    text: chars(max),
    emoji: z.boolean().optional(),
  })
}

export function mrkdwn(max = TEXT_LIMIT) {
  return object({
    type: z.literal('mrkdwn', 'must be mrkdwn'),
    text: chars(max).refine((text) => !hasMassMention(text), noMassMention),
    verbatim: z.literal(
      true,
      'must be true: otherwise data that holds @here, #general or a domain mentions and links',
    ),
  })
}

export function anyText(max = TEXT_LIMIT) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwn(max)], { error: unsupportedType })
}
