import { z } from 'zod'
import { block, chars, list, object, refuse, required, unsupportedType } from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
// Title and axis labels 50 characters, other labels 20; 1 to 6 series or segments, 1 to 20 categories.
const label = chars(20)
const SERIES = 6
const CATEGORIES = 20
const number = z.number({ error: required('must provide a number') })

const series = object({
  name: label,
  data: list(object({ label, value: number }), CATEGORIES),
})

const axes = object({
  categories: list(label, CATEGORIES),
  x_label: chars(50).optional(),
  y_label: chars(50).optional(),
})

const plotted = { series: list(series, SERIES), axis_config: axes }

const chart = z.discriminatedUnion(
  'type',
  [
    object({
      type: z.literal('pie'),
      segments: list(object({ label, value: number.positive('must be greater than 0') }), SERIES),
    }),
    object({ type: z.literal('bar'), ...plotted }).superRefine(pointsMatch),
    object({ type: z.literal('area'), ...plotted }).superRefine(pointsMatch),
    object({ type: z.literal('line'), ...plotted }).superRefine(pointsMatch),
  ],
  { error: unsupportedType },
)

export const dataVisualization = object({
  type: z.literal('data_visualization'),
  ...block,
  title: chars(50),
  chart,
})

/** Names of series are unique, and each series has one point for every category. */
function pointsMatch(
  { series: all, axis_config }: { series: z.infer<typeof series>[]; axis_config: z.infer<typeof axes> },
  context: z.RefinementCtx,
): void {
  const categories = axis_config.categories.toSorted().join('\n')
  const names = new Set<string>()
  for (const [index, one] of all.entries()) {
    const wrong = (path: string, message: string) => refuse(context, ['series', index, path], message)
    if (names.has(one.name)) wrong('name', `duplicate series name: ${one.name}`)
    names.add(one.name)
    const labels = one.data.map((point) => point.label)
    if (labels.toSorted().join('\n') !== categories) wrong('data', 'must have one point for every category')
  }
}
