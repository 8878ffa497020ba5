import { type ChartBlock, cut } from './blocks.ts'

const LIMITS = { title: 50, label: 20 } as const

/**
 * Bars for each category, one of each series.
 * @param options.categories 20 at most, no two alike
 * @param options.series 6 at most, no two of a name, a value for each category
 */
export function barChart(options: {
  /** Fresh on every replacement. */
  readonly blockId: string
  readonly title: string
  readonly categories: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}): ChartBlock {
  const categories = options.categories.map((category) => cut(category, LIMITS.label))
  return {
    type: 'data_visualization',
    block_id: options.blockId,
    title: cut(options.title, LIMITS.title),
    chart: {
      type: 'bar',
      series: options.series.map(({ name, values }) => ({
        name: cut(name, LIMITS.label),
        data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
      })),
      axis_config: { categories },
    },
  }
}
