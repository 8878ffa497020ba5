import type { Milliseconds } from './units.ts'

export const late = Symbol('late')

/** What the work comes to, or `late` after `ms`; the work goes on then, and its failure is its owner's to await. */
export function within<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
