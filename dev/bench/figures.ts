/** Returns NaN if there are no values. @param share from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Figures of one turn of a process, by name. */
export type Figures = Readonly<Record<string, number>>

/** A line of the table, before it is measured. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly of: string
  /** Name of the figure of the same turn to compare with; by default, the other side's figure of the same name. */
  readonly against?: string
  /** In the unit of the row if it is a difference. */
  readonly aim?: { readonly is: '<=' | '>='; readonly ratio: number }
  /** Subtracts the figures instead of dividing them. */
  readonly isDifference?: boolean
  /** Also prints minimum and maximum of each side: memory has two levels, depending on when V8 optimizes, and a shared host has two speeds. */
  readonly hasRange?: boolean
}

/** Figures of a round: the app, what it is compared with, and the app once more. */
export interface Round {
  readonly app: Figures
  readonly against: Figures | undefined
  readonly again: Figures
}

interface Comparison extends Pick<Row, 'what' | 'unit' | 'aim'> {
  readonly measured: number
  readonly against: number
  readonly range: string
  /** Median and quartiles of the ratios, or differences, of each round. */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number }
  /** Distance of the quartiles of the app beside itself from those of equal figures. */
  readonly noise: number
  readonly verdict: '' | 'met' | 'within noise' | 'MISSED'
}

function judge(
  { aim, isDifference }: Pick<Row, 'aim' | 'isDifference'>,
  ratio: number,
  noise: number,
): Comparison['verdict'] {
  if (!aim) return ''
  const isMet = (min: number, max: number) => (aim.is === '<=' ? min <= aim.ratio : max >= aim.ratio)
  if (isMet(ratio, ratio)) return 'met'
  const min = isDifference ? ratio - noise : ratio / (1 + noise)
  const max = isDifference ? ratio + noise : ratio * (1 + noise)
  return isMet(min, max) ? 'within noise' : 'MISSED'
}

const formatFigure = (value: number) =>
  Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

const formatRange = (values: readonly number[]) =>
  `${formatFigure(Math.min(...values))}–${formatFigure(Math.max(...values))}`

export function compare(rounds: readonly Round[], row: Row): Comparison {
  const { of, against, isDifference = false, hasRange = false, ...shown } = row
  const relate = (a: number, b: number) => (isDifference ? a - b : a / b)
  const figure = (found: Figures | undefined, name: string) => found?.[name] ?? Number.NaN
  const sides = rounds.flatMap((round) =>
    [round.app, round.again].map((app) => {
      const other = against === undefined ? figure(round.against, of) : figure(app, against)
      return { measured: figure(app, of), other }
    }),
  )
  const ratios = sides.map(({ measured, other }) => relate(measured, other))
  const same = relate(1, 1)
  const distances = rounds.map(
    (_, n) => relate(ratios[2 * n] ?? Number.NaN, ratios[2 * n + 1] ?? Number.NaN) - same,
  )
  const ratio = { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
  const noise = Math.max(...[0.25, 0.75].map((share) => Math.abs(quantile(distances, share))))
  const measuredRange = formatRange(sides.map(({ measured }) => measured))
  const otherRange = formatRange(sides.map(({ other }) => other))
  return {
    ...shown,
    measured: median(sides.map(({ measured }) => measured)),
    against: median(sides.map(({ other }) => other)),
    range: hasRange ? ` (${measuredRange}; ${otherRange})` : '',
    ratio,
    noise,
    verdict: judge(row, ratio.median, noise),
  }
}

/** Rows that compare the same two sides. */
export interface Section {
  readonly title: string
  readonly columns: readonly [measured: string, against: string]
  readonly lines: readonly Comparison[]
}

function toCells({ what, unit, measured, against, range, ratio, noise, aim, verdict }: Comparison): string[] {
  const quarters = `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`
  const wanted = aim ? `${aim.is} ${aim.ratio} ${verdict}` : ''
  return [
    `${what}${range}`,
    unit,
    formatFigure(measured),
    formatFigure(against),
    ratio.median.toFixed(2),
    quarters,
    noise.toFixed(2),
    wanted,
  ]
}

const widths = [70, 4, 7, 10, 6, 11, 5, 20]
const isText = (column: number) => column < 2 || column === 7

/** Renders a section as a text table. */
export function report({ title, columns, lines }: Section): string {
  const rows = [[title, 'unit', ...columns, 'ratio', 'quarters', 'noise', 'aim'], ...lines.map(toCells)]
  return rows
    .map((row) =>
      row
        .map((text, n) => (isText(n) ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
