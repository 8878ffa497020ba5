import type { Comparison, Section } from './figures.ts'

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
