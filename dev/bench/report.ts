export interface Line {
  readonly what: string
  readonly unit: string
  readonly app: number
  /** The bare Bolt app, or what the line compares with. */
  readonly bare: number
  /** The aim for app / bare: `<=` or `>=` a ratio; none for what is told only. */
  readonly aim?: { readonly is: '<=' | '>='; readonly ratio: number }
}

const figure = (value: number) =>
  Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

export function isMet({ app, bare, aim }: Line): boolean | undefined {
  if (!aim) return undefined
  return aim.is === '<=' ? app / bare <= aim.ratio : app / bare >= aim.ratio
}

/** A table as text: what, the app's figure, the other's, their ratio, the aim. */
export function report(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const met = isMet(line)
    const aim = line.aim ? `${line.aim.is} ${line.aim.ratio} ${met ? 'met' : 'MISSED'}` : ''
    return [line.what, line.unit, figure(line.app), figure(line.bare), (line.app / line.bare).toFixed(2), aim]
  })
  const all = [['', 'unit', 'app', 'bare Bolt', 'ratio', 'aim'], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((n) => Math.max(...all.map((row) => (row[n] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((text, n) => (n < 2 || n === 5 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
