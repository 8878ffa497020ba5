import { asList, asNumber, asObject, asText, type Json } from './read.ts'

export interface Series {
  readonly name: string
  /** One for each category, in their order. */
  readonly values: readonly number[]
}

export interface ChartData {
  readonly type: string
  readonly categories: readonly string[]
  readonly series: readonly Series[]
}

/** A chart's numbers; a pie is one series whose categories are its segments. */
export function chartData(chart: Json): ChartData {
  const type = asText(chart['type'])
  if (type === 'pie') {
    const segments = asList(chart['segments'])
    const values = segments.map((one) => asNumber(one['value']) ?? 0)
    return {
      type,
      categories: segments.map((one) => asText(one['label'])),
      series: [{ name: 'Value', values }],
    }
  }
  const listed = asObject(chart['axis_config'])['categories']
  const categories = Array.isArray(listed) ? listed.map(asText) : []
  const series = asList(chart['series']).map((one) => {
    const points = new Map(
      asList(one['data']).map((point) => [asText(point['label']), asNumber(point['value']) ?? 0]),
    )
    return { name: asText(one['name']), values: categories.map((category) => points.get(category) ?? 0) }
  })
  return { type, categories, series }
}

/** A round number at or above the greatest value, so that the axis ends on a line. */
export function axisTop(series: readonly Series[]): number {
  const greatest = Math.max(0, ...series.flatMap(({ values }) => values))
  if (greatest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(greatest))
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= greatest) ?? 10) * power
}
