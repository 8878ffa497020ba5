import { asList, asNumber, asObject, asText, type Json } from './read.ts'

export interface Series {
  readonly name: string
  /** One for each category, in their order. */
  readonly values: readonly number[]
}

/** A bar chart's numbers: the app has no other charts. */
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

/** About this many spaces between the lines of the axis. */
const SPACES = 4

/** Where the axis has its lines: round numbers from 0 to the first at or above the greatest value, whole ones for whole values. */
export function axisTicks(series: readonly Series[]): readonly number[] {
  const values = series.flatMap((one) => one.values)
  const greatest = Math.max(0, ...values)
  if (greatest === 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(greatest / SPACES))
  const round = ([1, 2, 5, 10].find((one) => one * power >= greatest / SPACES) ?? 10) * power
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round
  // Multiplied, not added up: 0.1 three times is more than 0.3.
  return Array.from({ length: Math.ceil(greatest / step) + 1 }, (_, n) => Number((n * step).toPrecision(6)))
}
