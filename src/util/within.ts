import type { Milliseconds } from './units.ts'

export const late = Symbol('late')

/** What the work comes to, or `late` after `ms`; the work goes on then, and its failure is its owner's to await. */
export async function within<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
