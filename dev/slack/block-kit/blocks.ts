import { z } from 'zod'
import { dataVisualization } from './chart.ts'
import { inputElements, interactiveElements } from './elements.ts'
import { block, list, object, oneOf, oneType } from './primitives.ts'
import { richText } from './rich-text.ts'
import { table } from './table.ts'
import { anyText, mrkdwn, plainText } from './text.ts'

// The blocks that the app sends, with the limits of https://docs.slack.dev/reference/block-kit/blocks. Any other block is
// refused as unsupported: add a schema here, and to the lists at the end, to send it.

const header = object({ type: z.literal('header'), ...block, text: plainText(150) })

const divider = object({ type: z.literal('divider'), ...block })

const section = object({
  type: z.literal('section'),
  ...block,
  text: anyText(3000).optional(),
  fields: list(anyText(2000), 10).optional(),
  accessory: oneType(interactiveElements).optional(),
  expand: z.boolean().optional(),
})
  .refine(
    ({ text, fields }) => text !== undefined || fields !== undefined,
    'must define either `text` or `fields`',
  )
  // Our own rule: without it, Slack may hide a part of the text behind "See more".
  .refine(({ text, expand }) => text === undefined || expand === true, {
    path: ['expand'],
    error: 'must be true in a section with text',
  })

const context = object({
  type: z.literal('context'),
  ...block,
  elements: list(oneType([plainText(), mrkdwn()]), 10),
})

const actions = object({
  type: z.literal('actions'),
  ...block,
  elements: list(oneType(interactiveElements), 25),
})

const input = object({
  type: z.literal('input'),
  ...block,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: oneType(inputElements),
})

const alert = object({
  type: z.literal('alert'),
  ...block,
  text: anyText(),
  level: oneOf(['default', 'info', 'warning', 'error', 'success']).optional(),
})

const everywhere = [header, divider, section, context, actions, input, richText] as const

export const messageBlock = oneType([...everywhere, table, dataVisualization])
export const modalBlock = oneType([...everywhere, alert])
export const homeBlock = oneType(everywhere)
