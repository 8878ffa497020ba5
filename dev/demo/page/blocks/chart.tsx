import { axisTicks, type ChartData, chartData, type Series } from './chart-data.ts'
import { asObject, asText, type Json } from './read.ts'

const [width, height, left, bottom] = [560, 220, 52, 28]
const [plotWidth, plotHeight] = [width - left - 10, height - bottom - 12]
const color = (index: number) => `var(--chart-${(index % 6) + 1})`
const x = (index: number, count: number) => left + (plotWidth * (index + 0.5)) / Math.max(1, count)
const topOf = (series: readonly Series[]) => axisTicks(series).at(-1) ?? 1
const y = (value: number, top: number) => 12 + plotHeight * (1 - value / top)

function Bars({ categories, series }: ChartData) {
  const top = topOf(series)
  const group = (plotWidth / Math.max(1, categories.length)) * 0.7
  const bar = group / Math.max(1, series.length)
  return (
    <>
      {series.flatMap(({ name, values }, index) =>
        values.map((value, n) => (
          <rect
            key={`${name} ${categories[n]}`}
            x={x(n, categories.length) - group / 2 + bar * index}
            y={y(value, top)}
            width={Math.max(1, bar - 1)}
            height={Math.max(0, 12 + plotHeight - y(value, top))}
            fill={color(index)}
          />
        )),
      )}
    </>
  )
}

function Lines({ categories, series, type }: ChartData) {
  const top = topOf(series)
  return (
    <>
      {series.map(({ name, values }, index) => {
        const points = values.map((value, n) => `${x(n, categories.length)},${y(value, top)}`)
        const base = 12 + plotHeight
        const area = `${x(0, categories.length)},${base} ${points.join(' ')} ${x(values.length - 1, categories.length)},${base}`
        return (
          <g key={name}>
            {type === 'area' && <polygon points={area} fill={color(index)} fill-opacity="0.25" />}
            <polyline points={points.join(' ')} fill="none" stroke={color(index)} stroke-width="2.5" />
          </g>
        )
      })}
    </>
  )
}

function Axes({ categories, series }: ChartData) {
  const top = topOf(series)
  const every = Math.ceil(categories.length / 8)
  return (
    <g class="bk-axes">
      {axisTicks(series).map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - 10} y1={y(tick, top)} y2={y(tick, top)} />
          <text x={left - 6} y={y(tick, top) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      {categories.map((category, n) =>
        n % every === 0 ? (
          <text key={category} x={x(n, categories.length)} y={height - 8} text-anchor="middle">
            {category}
          </text>
        ) : undefined,
      )}
    </g>
  )
}

function Pie({ series }: ChartData) {
  const values = series[0]?.values ?? []
  const total = values.reduce((sum, value) => sum + value, 0) || 1
  const [cx, cy, radius] = [width / 2, height / 2, 96]
  const at = (share: number) => {
    const angle = share * 2 * Math.PI - Math.PI / 2
    return `${cx + radius * Math.cos(angle)} ${cy + radius * Math.sin(angle)}`
  }
  let before = 0
  return (
    <>
      {values.map((value, index) => {
        const [from, to] = [before / total, (before + value) / total]
        before += value
        // One segment alone is the whole circle, which no arc can draw.
        return to - from > 0.999 ? (
          <circle key={`${index}`} cx={cx} cy={cy} r={radius} fill={color(index)} />
        ) : (
          <path
            key={`${index}`}
            d={`M${cx} ${cy}L${at(from)}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`}
            fill={color(index)}
          />
        )
      })}
    </>
  )
}

function Plot(data: ChartData) {
  if (data.type === 'pie') return <Pie {...data} />
  return (
    <>
      <Axes {...data} />
      {data.type === 'bar' ? <Bars {...data} /> : <Lines {...data} />}
    </>
  )
}

export function Chart({ block }: { readonly block: Json }) {
  const data = chartData(asObject(block['chart']))
  const title = asText(block['title'])
  const legend = data.type === 'pie' ? data.categories : data.series.map(({ name }) => name)
  const summary = data.series
    .map(
      ({ name, values }) =>
        `${name}: ${values.map((value, n) => `${data.categories[n]} ${value}`).join(', ')}`,
    )
    .join('. ')
  return (
    <figure class="bk-chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}. ${summary}`}>
        <Plot {...data} />
      </svg>
      <ul class="bk-legend">
        {legend.map((name, index) => (
          <li key={name}>
            <span style={{ background: color(index) }} /> {name}
          </li>
        ))}
      </ul>
    </figure>
  )
}
