import { z } from 'zod'
import { block, chars, list, object, oneType, refuse, required } from './primitives.ts'

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

export const dataVisualization = object({
  type: z.literal('data_visualization'),
  ...block,
  title: chars(50),
  chart: oneType([bar]),
})
