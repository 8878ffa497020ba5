import { z } from 'zod'
import {
  block,
  chars,
  identifier,
  integer,
  list,
  object,
  oneOf,
  unsupportedType,
  webUrl,
} from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
// Text is literal, so nothing is escaped; empty text is refused. `broadcast` is left out: it calls a whole channel.
const flag = z.boolean().optional()
const textStyle = object({ bold: flag, italic: flag, strike: flag, code: flag, underline: flag })
const mentionStyle = object({
  bold: flag,
  italic: flag,
  strike: flag,
  highlight: flag,
  client_highlight: flag,
  unlink: flag,
})

/** Slack cuts nothing in rich text but refuses a message that is too long; 3000 is what it takes in one text object. */
const longText = chars(3000)

const text = object({ type: z.literal('text'), text: longText, style: textStyle.optional() })
const link = object({
  type: z.literal('link'),
  url: webUrl,
  text: longText.optional(),
  unsafe: flag,
  style: textStyle.optional(),
})
const mention = { style: mentionStyle.optional() }

const inline = z.discriminatedUnion(
  'type',
  [
    text,
    link,
    object({ type: z.literal('user'), user_id: identifier, ...mention }),
    object({ type: z.literal('channel'), channel_id: identifier, ...mention }),
    object({ type: z.literal('usergroup'), usergroup_id: identifier, ...mention }),
    object({
      type: z.literal('emoji'),
      name: identifier,
      unicode: z.string().optional(),
      url: webUrl.optional(),
      style: textStyle.optional(),
    }),
    object({
      type: z.literal('date'),
      timestamp: integer(0, 9_999_999_999),
      // https://docs.slack.dev/messaging/formatting-message-text#date-formatting
      format: chars(3000).regex(
        /\{(?:day_divider_pretty|date_num|date_slash|date(?:_long|_short)?(?:_full|_pretty)?|time|time_secs|ago)\}/,
        'must hold a date token such as {date_short}',
      ),
      url: webUrl.optional(),
      fallback: longText.optional(),
      style: textStyle.optional(),
    }),
  ],
  { error: unsupportedType },
)

const border = integer(0, 1).optional()
const section = object({ type: z.literal('rich_text_section'), elements: list(inline, 1000) })

export const richText = object({
  type: z.literal('rich_text'),
  ...block,
  elements: list(
    z.discriminatedUnion(
      'type',
      [
        section,
        object({
          type: z.literal('rich_text_list'),
          style: oneOf(['bullet', 'ordered']),
          elements: list(section, 1000),
          indent: integer(0, 8).optional(),
          offset: integer(0, 1_000_000).optional(),
          border,
        }),
        object({
          type: z.literal('rich_text_preformatted'),
          elements: list(z.discriminatedUnion('type', [text, link], { error: unsupportedType }), 1000),
          border,
        }),
        object({ type: z.literal('rich_text_quote'), elements: list(inline, 1000), border }),
      ],
      { error: unsupportedType },
    ),
    1000,
  ),
})
