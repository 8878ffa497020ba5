/** What the service does from then on. */
export type Mode = 'well' | 'slow' | 'failing' | 'cut'

export interface Fault {
  /** In shares of the whole time. */
  readonly at: number
  readonly mode?: Mode
  readonly restart?: readonly [0 | 1, 'SIGKILL' | 'SIGTERM']
}

const plan: readonly Fault[] = [
  { at: 0.15, mode: 'slow' },
  { at: 0.3, mode: 'well' },
  { at: 0.35, restart: [0, 'SIGKILL'] },
  { at: 0.4, mode: 'failing' },
  { at: 0.55, mode: 'well' },
  { at: 0.65, mode: 'cut' },
  { at: 0.75, mode: 'well' },
  { at: 0.85, restart: [1, 'SIGTERM'] },
]

/** What goes wrong in the course of a load, and is well again. */
export class Faults {
  readonly #plan
  #next = 0

  /** @param isCalm nothing goes wrong */
  constructor({ isCalm = false } = {}) {
    this.#plan = isCalm ? [] : plan
  }

  /** What is to be done now, each once. @param share of the whole time that has gone by */
  due(share: number): readonly Fault[] {
    const due = this.#plan.slice(this.#next).filter(({ at }) => at <= share)
    this.#next += due.length
    return due
  }
}
