import { z } from 'zod'
import { block, chars, list, object, oneType, webUrl } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
// Text is literal, so nothing is escaped; empty text is refused. Slack documents no limit; 3000 is that of a text object.
const longText = chars(3000)
const style = object({ bold: z.boolean() }).optional()

const text = object({ type: z.literal('text'), text: longText, style })
const link = object({ type: z.literal('link'), url: webUrl, text: longText.optional(), style })
const elements = list(oneType([text, link]), 1000)

export const richText = object({
  type: z.literal('rich_text'),
  ...block,
  elements: list(
    oneType([
      object({ type: z.literal('rich_text_section'), elements }),
      object({ type: z.literal('rich_text_preformatted'), elements }),
    ]),
    1000,
  ),
})
