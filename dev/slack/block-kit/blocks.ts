import { z } from 'zod'
import { inputElements, interactiveElements } from './elements.ts'
import {
  anyText,
  block,
  chars,
  list,
  mrkdwn,
  object,
  oneOf,
  oneType,
  plainText,
  refuse,
  required,
} from './primitives.ts'
import { dataTable, richText, table } from './tables.ts'

// https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
// A title of 50 characters, labels of 20, 1 to 6 series, 1 to 20 categories.
const label = chars(20)

const series = object({
  name: label,
  data: list(object({ label, value: z.number({ error: required('must provide a number') }) }), 20),
})

const bar = object({
  type: z.literal('bar'),
  series: list(series, 6),
  axis_config: object({ categories: list(label, 20) }),
}).superRefine(({ series: all, axis_config: { categories } }, context) => {
  const expected = categories.toSorted().join('\n')
  const names = new Set<string>()
  for (const [index, { name, data }] of all.entries()) {
    if (names.has(name)) refuse(context, ['series', index, 'name'], `duplicate series name: ${name}`)
    names.add(name)
    const labels = data.map((point) => point.label)
    if (labels.toSorted().join('\n') !== expected)
      refuse(context, ['series', index, 'data'], 'must have one point for every category')
  }
})

const dataVisualization = object({
  type: z.literal('data_visualization'),
  ...block,
  title: chars(50),
  chart: oneType([bar]),
})

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

export const messageBlock = oneType([...everywhere, table, dataTable, dataVisualization])
export const modalBlock = oneType([...everywhere, alert])
export const homeBlock = oneType(everywhere)
