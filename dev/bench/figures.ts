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

/** Values of one thing on two sides, taken by turns. */
export class Pairs {
  readonly #what: string
  readonly #unit: string
  readonly #aim: Aim | undefined
  readonly #measured: number[] = []
  readonly #against: number[] = []

  constructor(what: string, unit: string, aim?: Aim) {
    this.#what = what
    this.#unit = unit
    this.#aim = aim
  }

  add(measured: number, against: number): void {
    this.#measured.push(measured)
    this.#against.push(against)
  }

  get comparison(): Comparison {
    const ratios = this.#measured.map((value, n) => value / (this.#against[n] ?? Number.NaN))
    const ratio = { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
    const aim = this.#aim
    return {
      what: this.#what,
      unit: this.#unit,
      measured: median(this.#measured),
      against: median(this.#against),
      ratio,
      pairs: ratios.length,
      aim,
      isMet: aim && (aim.is === '<=' ? ratio.median <= aim.ratio : ratio.median >= aim.ratio),
    }
  }
}

/** Lines that compare the same two things. */
export interface Section {
  readonly title: string
  /** The heads of the two columns. */
  readonly columns: readonly [measured: string, against: string]
  readonly lines: readonly Comparison[]
}
