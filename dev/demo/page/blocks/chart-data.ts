import { asList, asNumber, asObject, asText, type Json } from './read.ts'

interface Series {
  readonly name: string
  /** One value per category. */
  readonly values: readonly number[]
}

/** Reads the numbers of a bar chart, the only type that the app uses. */
export function chartData(chart: Json) {
  const listed = asObject(chart['axis_config'])['categories']
  const categories = Array.isArray(listed) ? listed.map(asText) : []
  const series = asList(chart['series']).map((one): Series => {
    const points = new Map(
      asList(one['data']).map((point) => [asText(point['label']), asNumber(point['value']) ?? 0]),
    )
    return { name: asText(one['name']), values: categories.map((category) => points.get(category) ?? 0) }
  })
  return { categories, series }
}

/** Approximate number of intervals on the axis. */
const SPACES = 4

/** Returns round numbers from 0 to at least the greatest value, integers for integers. */
export function axisTicks(series: readonly Series[]): readonly number[] {
  const values = series.flatMap((one) => one.values)
  const greatest = Math.max(0, ...values)
  if (greatest === 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(greatest / SPACES))
  const round = ([1, 2, 5, 10].find((one) => one * power >= greatest / SPACES) ?? 10) * power
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round
  // Multiplies, because adding up 0.1 accumulates errors.
  return Array.from({ length: Math.ceil(greatest / step) + 1 }, (_, n) => Number((n * step).toPrecision(6)))
}
