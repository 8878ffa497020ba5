import { axisTicks, chartData } from './chart-data.ts'
import { asObject, asText, type Json } from './read.ts'

const [width, height, left, above, below] = [560, 220, 52, 12, 28]
const [plotWidth, plotHeight] = [width - left - 10, height - below - above]
const colors = ['#2f6fb5', '#c8641b', '#2c8a57', '#8a4fb0', '#b8860b', '#b23a5a']

/** A bar chart. */
export function Chart({ block }: { readonly block: Json }) {
  const { categories, series } = chartData(asObject(block['chart']))
  const title = asText(block['title'])
  const told = series.map(
    ({ name, values }) => `${name}: ${values.map((value, n) => `${categories[n]} ${value}`).join(', ')}`,
  )
  const ticks = axisTicks(series)
  const space = plotWidth / Math.max(1, categories.length)
  const bar = (space * 0.7) / Math.max(1, series.length)
  const x = (index: number) => left + space * (index + 0.5)
  const y = (value: number) => above + plotHeight * (1 - value / (ticks.at(-1) ?? 1))
  const every = Math.ceil(categories.length / 8)
  return (
    <figure class="chart card">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}. ${told.join('. ')}`}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width - 10} y1={y(tick)} y2={y(tick)} />
            <text x={left - 6} y={y(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {categories.map((category, n) =>
          n % every === 0 ? (
            <text key={category} x={x(n)} y={height - 8} text-anchor="middle">
              {category}
            </text>
          ) : undefined,
        )}
        {series.flatMap(({ name, values }, index) =>
          values.map((value, n) => (
            <rect
              key={`${name} ${categories[n]}`}
              x={x(n) - space * 0.35 + bar * index}
              y={y(value)}
              width={Math.max(1, bar - 1)}
              height={Math.max(0, above + plotHeight - y(value))}
              fill={colors[index]}
            />
          )),
        )}
      </svg>
      <ul class="row">
        {series.map(({ name }, index) => (
          <li key={name}>
            <span style={{ background: colors[index] }} /> {name}
          </li>
        ))}
      </ul>
    </figure>
  )
}
