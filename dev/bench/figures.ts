/** The value that this share of the values does not exceed; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** What a ratio is to be. */
export interface Aim {
  readonly is: '<=' | '>='
  readonly ratio: number
}

/** A line of the table before it is measured. */
export interface Measure<Found> {
  readonly what: string
  readonly unit: string
  readonly aim?: Aim | undefined
  /** Its figure, out of all that was found in one turn. */
  readonly of: (found: Found) => number
}

/** A line of the table: what was measured, and what it is compared with. */
export interface Comparison {
  readonly what: string
  readonly unit: string
  /** Medians. */
  readonly measured: number
  readonly against: number
  /** The median of the ratios of what was measured side by side, and the quarters around it. */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number }
  /** How many ratios there are. */
  readonly pairs: number
  readonly aim: Aim | undefined
  readonly isMet: boolean | undefined
}

/** What was found on two sides, side by side. */
export type Pair<Found> = readonly [measured: Found, against: Found]

export function compare<Found>(
  pairs: readonly Pair<Found>[],
  measures: readonly Measure<Found>[],
): readonly Comparison[] {
  return measures.map(({ what, unit, aim, of }) => {
    const values = pairs.map(([measured, against]) => [of(measured), of(against)] as const)
    const ratios = values.map(([measured, against]) => measured / against)
    const ratio = { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
    return {
      what,
      unit,
      measured: median(values.map(([measured]) => measured)),
      against: median(values.map(([, against]) => against)),
      ratio,
      pairs: ratios.length,
      aim,
      isMet: aim && (aim.is === '<=' ? ratio.median <= aim.ratio : ratio.median >= aim.ratio),
    }
  })
}

/** The same of figures that stand for themselves. */
export const compareFigures = (
  pairs: readonly Pair<number>[],
  measure: Omit<Measure<number>, 'of'>,
): readonly Comparison[] => compare(pairs, [{ ...measure, of: (figure) => figure }])

/** Lines that compare the same two things. */
export interface Section {
  readonly title: string
  /** The heads of the two columns. */
  readonly columns: readonly [measured: string, against: string]
  readonly lines: readonly Comparison[]
}

const figure = (value: number) =>
  Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

function cells({ what, unit, measured, against, ratio, pairs, aim, isMet }: Comparison): string[] {
  const spread = pairs > 1 ? `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}` : 'once'
  const wanted = aim ? `${aim.is} ${aim.ratio} ${isMet ? 'met' : 'MISSED'}` : ''
  return [what, unit, figure(measured), figure(against), ratio.median.toFixed(2), spread, wanted]
}

/** Numbers to the right, words to the left. */
const isText = (column: number) => column < 2 || column === 6

/** The sections as text: what, both figures, the median of their ratios with its quarters, the aim. */
export function report(sections: readonly Section[]): string {
  const tables = sections.map(({ title, columns, lines }) => [
    [title, 'unit', ...columns, 'ratio', 'quarters', 'aim'],
    ...lines.map(cells),
  ])
  const all = tables.flat()
  const widths = [0, 1, 2, 3, 4, 5, 6].map((n) => Math.max(...all.map((row) => row[n]?.length ?? 0)))
  const aligned = (row: readonly string[]) =>
    row
      .map((text, n) => (isText(n) ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0)))
      .join('  ')
      .trimEnd()
  return tables.map((rows) => rows.map(aligned).join('\n')).join('\n\n')
}
