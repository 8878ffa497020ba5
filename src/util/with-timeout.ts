import type { Milliseconds } from './units.ts'

export const timedOut = Symbol('timed out')

/** What the work comes to, or `timedOut` after `ms`; the work goes on then, and its failure is its owner's to await. */
export function withTimeout<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, timedOut)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
