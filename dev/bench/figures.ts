import type { Line } from './report.ts'

export type Side = 'app' | 'bare'
export const sides = ['app', 'bare'] as const

/** The value that this share of the values does not exceed; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The figures of all rounds, by what they measure. */
export class Figures {
  readonly #values = new Map<string, Record<Side, number[]>>()

  add(what: string, side: Side, value: number): void {
    const values = this.#values.get(what) ?? { app: [], bare: [] }
    this.#values.set(what, values)
    values[side].push(value)
  }

  /** The medians. */
  line(what: string, unit: string, aim?: Line['aim']): Line {
    const { app, bare } = this.#values.get(what) ?? { app: [], bare: [] }
    return { what, unit, app: median(app), bare: median(bare), ...(aim ? { aim } : {}) }
  }
}
